import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../api/http/errors';
import { type FolderCalls, type FolderState, notEmpty } from '../../../api/service/serverFolders';
import { parseRemote } from '../../../core/remoteAddress';
import { plainText } from '../../../shared/plainText';
import { asSentence, sentences } from '../../../shared/joined';
import { parseUrl } from '../../../shared/url';
import type { AgentChoice } from './choice';
import { type FollowOptions, StartFailed } from './startConversation';

interface FolderOptions extends Pick<FollowOptions, 'report' | 'signal' | 'wait'> {
  server: Pick<FolderCalls, 'readFolder' | 'clone'>;
  choice: Pick<AgentChoice, 'folder' | 'isWorktree' | 'clone'>;
}

/**
 * Makes the folder of a start ready: clones what is to be there, and looks whether an agent can work in it as chosen.
 * Doing so again changes nothing. Rejects with `StartFailed` if it can’t, with `ApiError` if the server couldn’t be asked.
 */
export async function prepareFolder({ server, choice, report, signal, wait }: FolderOptions): Promise<void> {
  const { folder, isWorktree, clone } = choice;
  // A server whose shell doesn’t answer says by itself what is wrong with a folder.
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
      '“{0}” is in no Git repository, so it can’t have a worktree. Select the folder itself.',
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
  const said = plainText(stderr.trim().split('\n').slice(-3).join(' '), 300);
  return sentences(
    l10n.t('“{0}” couldn’t be cloned.', plainText(address, 200)),
    said === '' ? l10n.t('The server gave no reason.') : l10n.t('Git says: {0}', asSentence(said)),
    noAccess.test(said)
      ? l10n.t(
          'The server’s own Git needs access to it: sign in there, or start in an empty folder and let the agent clone it with a secret.',
        )
      : '',
  );
}

/** Without what git takes or leaves out at the end. */
const bare = (address: string) => address.replace(/\/*(?:\.git)?\/*$/i, '');

const isCloneOf = (address: string, { kind, origin }: FolderState) =>
  kind === 'repository' && origin !== undefined && bare(origin) === bare(address);

/** Where a name without an address is. */
const gitHub = 'github.com';

/**
 * What to clone, from what people type: `owner/name` on GitHub, or an address of git’s. Undefined for anything else. One
 * with a password or token isn’t taken, since the server keeps its commands.
 */
export function cloneAddress(text: string): string | undefined {
  if (/^[\w.-]+\/[\w.-]+$/.test(text)) return cloneAddress(`https://${gitHub}/${text}.git`);
  if (/[\s\p{C}]/u.test(text)) return undefined;
  const url = /^(?:https?|ssh):\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url) {
    const isOpen = url.password === '' && (url.protocol === 'ssh:' || url.username === '');
    return isOpen && url.search === '' && url.hash === '' && parseRemote(text) ? text : undefined;
  }
  return /^[\w.-]+@[\w.-]+:/.test(text) && parseRemote(text) ? text : undefined;
}

/** The name of the folder that git makes for such an address. */
export const cloneName = (address: string): string =>
  parseRemote(address)?.repository.split('/').at(-1) ?? '';
