import * as l10n from '@vscode/l10n';
import { plainText } from '../shared/plainText';
import type { Session } from '../state/session';

export interface StatusBarState {
  session: Session;
  /** False until the lists were read once. */
  loaded: boolean;
  runningSandboxes: number;
  waitingConversations: number;
  /** True when the last refresh failed. */
  stale: boolean;
}

/** The words of the status bar item: connection, running sandboxes, and whether an agent waits. */
export function statusBarContent(
  state: StatusBarState,
): { text: string; tooltip: string; attention: boolean } | undefined {
  const { session, loaded, runningSandboxes: running, waitingConversations: waiting } = state;
  if (session.kind === 'none' || session.kind === 'noKey') return undefined;
  // A name such as "$(zap)" would otherwise be drawn as an icon.
  const name = plainText(session.connection.name, 30).replaceAll('$(', '$ (');
  if (session.kind === 'refused' || session.kind === 'unreachable' || state.stale) {
    const why =
      session.kind === 'refused'
        ? l10n.t('{0}: the session key was refused', name)
        : l10n.t('{0}: not reachable at the moment', name);
    return { text: `$(debug-disconnect) ${name}`, tooltip: why, attention: false };
  }
  if (!loaded) {
    return { text: `$(vm) ${name}`, tooltip: l10n.t('Connected to {0}', name), attention: false };
  }
  const runs = running === 1 ? l10n.t('1 sandbox runs') : l10n.t('{0} sandboxes run', running);
  const waits = waiting === 1 ? l10n.t('1 agent waits for you') : l10n.t('{0} agents wait for you', waiting);
  return {
    text: waiting > 0 ? `$(bell-dot) ${name} ${running} · ${waits}` : `$(vm) ${name} ${running}`,
    tooltip: [name, runs, ...(waiting > 0 ? [waits] : [])].join('\n'),
    attention: waiting > 0,
  };
}
