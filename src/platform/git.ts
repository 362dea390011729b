import * as vscode from 'vscode';

/** The part of the git extension's API that is used here. */
interface GitApi {
  repositories: {
    rootUri: vscode.Uri;
    state: { HEAD?: { name?: string }; remotes: { name: string; fetchUrl?: string; pushUrl?: string }[] };
  }[];
}

/** A remote of a repository that is open in this window. */
export interface OpenRemote {
  name: string;
  url: string;
  /** The branch that is checked out; undefined for a detached head. */
  branch: string | undefined;
}

/** The remotes of the open repositories, those of the active editor's repository first; none without the git extension. */
export async function openRemotes(): Promise<OpenRemote[]> {
  const extension = vscode.extensions.getExtension<{ getAPI: (version: 1) => GitApi }>('vscode.git');
  if (!extension) return [];
  let api: GitApi;
  try {
    api = (await extension.activate()).getAPI(1);
  } catch {
    // The user switched git off.
    return [];
  }
  const active = vscode.window.activeTextEditor?.document.uri.fsPath;
  const first = (root: string) => (active?.startsWith(root) ? 0 : 1);
  return api.repositories
    .toSorted((a, b) => first(a.rootUri.fsPath) - first(b.rootUri.fsPath))
    .flatMap(({ state }) =>
      state.remotes.flatMap(({ name, fetchUrl, pushUrl }) => {
        const url = fetchUrl ?? pushUrl;
        return url === undefined ? [] : [{ name, url, branch: state.HEAD?.name }];
      }),
    );
}
