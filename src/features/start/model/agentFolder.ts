import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../api/http/errors';
import { type FolderCalls, type FolderState, notEmpty } from '../../../api/service/serverFolders';
import { isSameRemote, parseRemote, repositoryFrom } from '../../../core/remoteAddress';
import { plainText } from '../../../shared/plainText';
import { programWords } from '../../../shared/thrown';
import { asSentence, sentences } from '../../../shared/joined';
import { parseUrl } from '../../../shared/url';
import type { AgentChoice } from './choice';
import { type FollowOptions, StartFailed } from './startConversation';

interface FolderOptions extends Pick<FollowOptions, 'report' | 'signal' | 'wait'> {
  server: Pick<FolderCalls, 'readFolder' | 'clone'>;
  choice: Pick<AgentChoice, 'folder' | 'isWorktree' | 'clone'>;
}

/**
 * Prepares the folder of a start: clones what should be there, and checks whether an agent can work in it as selected.
 * Repeating it changes nothing. Rejects with `StartFailed` if it can’t, with `ApiError` if the server couldn’t be
 * asked.
 */
export async function prepareFolder({ server, choice, report, signal, wait }: FolderOptions): Promise<void> {
  const { folder, isWorktree, clone } = choice;
  // If a server’s shell doesn’t answer, the server itself reports what is wrong with a folder.
  const read = () =>
    server.readFolder(folder, signal).catch((error: unknown): FolderState | undefined => {
      if (clone === undefined && error instanceof ApiError && error.status !== 401) return undefined;
      throw error;
    });
  let state = await read();
  if (clone !== undefined && state && !isCloneOf(clone, state)) {
    if (state.kind === 'file' || state.kind === 'repository') throw occupied(folder);
    report({ kind: 'cloning' });
    const { exitCode, stderr } = await server.clone(clone, folder, { signal, wait });
    state = await read();
    // Another start may have been faster.
    if (!state || !isCloneOf(clone, state))
      throw exitCode === notEmpty ? occupied(folder) : new StartFailed(cloneProblem(clone, stderr));
  }
  const problem = state && folderProblem(folder, state, isWorktree);
  if (problem !== undefined) throw new StartFailed(problem);
}

/** Why an agent can’t work in a folder; undefined if it can. */
export function folderProblem(path: string, state: FolderState, isWorktree: boolean): string | undefined {
  const shown = plainText(path, 200);
  if (state.kind === 'file') return l10n.t('“{0}” is a file. Select a folder.', shown);
  if (!isWorktree) return undefined;
  if (state.kind !== 'repository')
    return l10n.t(
      '“{0}” isn’t in a Git repository, so it can’t have a worktree. Select the folder itself.',
      shown,
    );
  return state.hasCommit
    ? undefined
    : l10n.t(
        'The repository of “{0}” has no commit yet, so it can’t have a worktree. Select the folder itself.',
        shown,
      );
}

const occupied = (folder: string) =>
  new StartFailed(
    l10n.t(
      '“{0}” has something else in it, so nothing was cloned. Select a folder that’s empty or isn’t there yet.',
      plainText(folder, 200),
    ),
  );

/** What git says when it may not read. */
const noAccess =
  /could not read (?:Username|Password)|terminal prompts disabled|Authentication failed|Permission denied|Host key verification failed|not found/i;

function cloneProblem(address: string, stderr: string): string {
  const said = programWords(stderr.trim().split('\n').slice(-3).join(' '), 300);
  return sentences(
    l10n.t('“{0}” couldn’t be cloned.', plainText(address, 200)),
    said === '' ? l10n.t('No reason was given.') : l10n.t('Git says: {0}', asSentence(said)),
    noAccess.test(said)
      ? l10n.t(
          'The server’s own Git needs access to it: sign in there, or start in an empty folder and let the agent clone it with a secret.',
        )
      : '',
  );
}

const isCloneOf = (address: string, { kind, origin }: FolderState) =>
  kind === 'repository' && origin !== undefined && isSameRemote(origin, address);

/** Host of a name without an address. */
const gitHub = 'github.com';

/** Hosts whose own pages offer addresses that contain the name of the user or organization. */
const withNames = /^(?:dev\.azure\.com|bitbucket\.org)$/;

/**
 * What to clone, from what people type: `owner/name` on GitHub, an address for git, or that of a page about the
 * repository. Undefined for anything else. Refuses addresses with a password or token, since the server keeps its
 * commands.
 */
export function cloneAddress(text: string): string | undefined {
  if (/^[\w.-]+\/[\w.-]+$/.test(text))
    return cloneAddress(`https://${gitHub}/${text.replace(/\.git$/i, '')}.git`);
  if (/[\s\p{C}]/u.test(text)) return undefined;
  if (/^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/[^/?#]+){2}/i.test(text)) return cloneAddress(`https://${text}`);
  // Which part of a page is shown.
  const page = /^(https?:[^?#]+(?<!\.git))(?:\?tab=[\w-]*)?(?:#[\w-]*)?$/i.exec(text)?.[1];
  if (page !== undefined && page !== text) return cloneAddress(page);
  const url = /^(?:https?|ssh):\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url) {
    if (withNames.test(url.hostname) && url.username !== '' && url.password === '') {
      url.username = '';
      return cloneAddress(url.href);
    }
    const isOpen = url.password === '' && (url.protocol === 'ssh:' || url.username === '');
    if (!isOpen || url.search !== '' || url.hash !== '' || !parseRemote(text)) return undefined;
    const { repository } = repositoryFrom(text) ?? {};
    // The pages of Bitbucket Data Center are elsewhere than its repositories.
    const above = /^(.*)\/(?:projects|users)\/[^/]+\/repos\/[^/]+(?:\/|$)/.exec(url.pathname)?.[1];
    const isPage = above !== undefined || url.pathname.startsWith(`/${repository}/`);
    if (isPage) url.pathname = above === undefined ? `/${repository}` : `${above}/scm/${repository}.git`;
    return isPage ? url.href : text;
  }
  return /^(?:[\w.-]+@)?\w[\w.-]*:/.test(text) && parseRemote(text) ? text : undefined;
}

/** The name of the folder that git makes for such an address. */
export const cloneName = (address: string): string =>
  parseRemote(address)?.repository.split('/').at(-1) ?? '';
