import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { extensionId } from '../ids';
import type { OpenRepository } from '../shared/openRepository';
import { localGitEnvironment } from './localGitEnvironment';
import { addressOfRemote, gitRunner, inGitsWords } from './runGit';
import { gitElsewhere } from '../shared/remoteWindow';

/** The part of the git extension's API that we use. */
interface GitApi {
  git: { path: string };
  state: 'uninitialized' | 'initialized';
  onDidChangeState: vscode.Event<GitApi['state']>;
  repositories: GitRepository[];
}

interface GitRepository {
  rootUri: vscode.Uri;
  state: {
    HEAD?: { name?: string; upstream?: { remote: string; name: string } };
    remotes: { name: string; fetchUrl?: string; pushUrl?: string }[];
    indexChanges: GitChange[];
    workingTreeChanges: GitChange[];
    untrackedChanges: GitChange[];
  };
  diff: (cached: boolean) => Promise<string>;
  getBranches: (query: { remote: true }) => Promise<{ remote?: string; name?: string }[]>;
  push: (remote: string, branch: string, setUpstream: boolean) => Promise<void>;
  fetch: () => Promise<void>;
  checkout: (branch: string) => Promise<void>;
}

interface GitChange {
  uri: vscode.Uri;
}

/** What isn't committed in an open repository. */
export interface Uncommitted {
  root: vscode.Uri;
  files: readonly vscode.Uri[];
  /** What is staged, then what isn't, as Git prints it; files that Git doesn't track aren't in it. */
  diff: () => Promise<string>;
}

/** The open repositories in which something isn't committed; none without the git extension. */
export async function uncommittedChanges(): Promise<Uncommitted[]> {
  const api = await gitApi();
  return (api?.repositories ?? []).flatMap((repository) => {
    const { indexChanges, workingTreeChanges, untrackedChanges } = repository.state;
    // Some editors don't list those apart.
    const changes = [
      ...indexChanges,
      ...workingTreeChanges,
      ...((untrackedChanges as typeof untrackedChanges | undefined) ?? []),
    ];
    const files = [...new Map(changes.map(({ uri }) => [uri.toString(), uri])).values()];
    const diff = async () => (await repository.diff(true)) + (await repository.diff(false));
    return files.length === 0 ? [] : [{ root: repository.rootUri, files, diff }];
  });
}

/** About as long as a new window takes to find its repositories. */
const longestWaitMs = 3_000;

/** The open repositories, the one that contains `about` first; none without the git extension. */
export async function openRepositories(about: vscode.Uri | undefined): Promise<OpenRepository[]> {
  const api = await gitApi();
  if (!api) return [];
  // If repositories are nested, the innermost one counts.
  const depth = ({ rootUri }: GitRepository) =>
    about?.scheme === rootUri.scheme && about.path.startsWith(`${rootUri.path}/`) ? rootUri.path.length : 0;
  const nearest = api.repositories.toSorted((a, b) => depth(b) - depth(a));
  return Promise.all(nearest.map((one) => describe(one, api.git.path)));
}

/** Path of the git that the editor uses; undefined without one. */
export async function gitProgram(): Promise<string | undefined> {
  return (await gitApi())?.git.path;
}

/**
 * Says that git runs on another computer than this extension, as in a remote window, where extensions can't ask each
 * other; false if that isn't so.
 */
export function tellGitElsewhere(): boolean {
  const message = gitElsewhere({
    remote: vscode.env.remoteName,
    hasGit: vscode.extensions.getExtension('vscode.git') !== undefined,
    isLocal: vscode.extensions.getExtension(extensionId)?.extensionKind === vscode.ExtensionKind.UI,
  });
  if (message === undefined) return false;
  const settings = l10n.t('Open Settings');
  void vscode.window
    .showWarningMessage(message, settings)
    .then(
      (picked) =>
        picked === settings &&
        vscode.commands.executeCommand('workbench.action.openSettings', 'remote.extensionKind'),
    );
  return true;
}

/** Fetches from the remote that an open repository follows. Rejects on failure. */
export async function fetchRepository(root: string): Promise<void> {
  await working(root, (repository) => repository.fetch());
}

/** Switches an open repository to a local branch, as the editor’s own command does. Rejects on failure. */
export async function checkOutBranch(root: string, branch: string): Promise<void> {
  await working(root, (repository) => repository.checkout(branch));
}

/** Pushes a local branch of an open repository; one that follows no remote branch follows the new one. Rejects on failure. */
export async function pushBranch(root: string, remote: string, branch: string): Promise<void> {
  await working(root, (repository) =>
    repository.push(remote, branch, repository.state.HEAD?.upstream === undefined),
  );
}

async function working(root: string, work: (repository: GitRepository) => Promise<void>): Promise<void> {
  const api = await gitApi();
  const repository = api?.repositories.find(({ rootUri }) => rootUri.toString() === root);
  if (!repository) throw new Error('The repository is no longer open.');
  await work(repository).catch((error: unknown) => {
    throw inGitsWords(error);
  });
}

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI: (version: 1) => GitApi }>('vscode.git');
  if (!extension) return undefined;
  let api: GitApi;
  try {
    api = (await extension.activate()).getAPI(1);
  } catch {
    // The user turned git off.
    return undefined;
  }
  if (api.state !== 'initialized') await initialized(api);
  return api;
}

function initialized(api: GitApi): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, longestWaitMs);
    const listener = api.onDidChangeState(done);
  });
}

async function describe(repository: GitRepository, git: string): Promise<OpenRepository> {
  const { HEAD, remotes } = repository.state;
  const run = gitRunner(git, repository.rootUri.fsPath, localGitEnvironment());
  const branches = await repository.getBranches({ remote: true }).catch(() => []);
  return {
    root: repository.rootUri.toString(),
    remotes: (
      await Promise.all(
        remotes.map(async (remote) => {
          const url = await addressOfRemote(run, remote);
          return url === undefined ? [] : [{ name: remote.name, url }];
        }),
      )
    ).flat(),
    branch: HEAD?.name,
    upstream: HEAD?.upstream && { remote: HEAD.upstream.remote, branch: HEAD.upstream.name },
    // Git names them "origin/main", and "origin/HEAD" for what is checked out by default.
    remoteBranches: branches.flatMap(({ remote, name }) =>
      remote !== undefined && name?.startsWith(`${remote}/`) && name !== `${remote}/HEAD`
        ? [{ remote, branch: name.slice(remote.length + 1) }]
        : [],
    ),
  };
}
