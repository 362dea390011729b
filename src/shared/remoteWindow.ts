import * as l10n from '@vscode/l10n';

/** Where a window, its git and this extension run. */
export interface WindowPlace {
  /** The kind of computer that the window's folders are on, such as `ssh-remote`; undefined for this one. */
  remote: string | undefined;
  /** Whether the editor's git extension can be asked. */
  hasGit: boolean;
  /** Whether this extension runs on the user's own computer. */
  isLocal: boolean;
}

const names: Readonly<Record<string, string>> = {
  'ssh-remote': 'SSH',
  wsl: 'WSL',
  'dev-container': 'Dev Container',
  'attached-container': 'Container',
  codespaces: 'Codespaces',
};

/** Why no repository can be seen although some may be open: git runs on another computer. Undefined where it doesn't. */
export function gitElsewhere({ remote, hasGit, isLocal }: WindowPlace): string | undefined {
  if (remote === undefined || hasGit || !isLocal) return undefined;
  return l10n.t(
    'Agent Workspace runs on your own computer and can’t see the repositories of this remote window ({0}). In your settings, set “remote.extensionKind” to “workspace” for it, and install it there.',
    names[remote] ?? remote,
  );
}
