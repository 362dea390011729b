import * as l10n from '@vscode/l10n';
import { plainText } from '../shared/plainText';
import type { Session } from '../state/session';

export interface StatusBarState {
  session: Session;
  /** Undefined until the list was read once. */
  runningSandboxes: number | undefined;
  waitingConversations: number;
  /** True when the last refresh failed. */
  stale: boolean;
}

/** The words of the status bar item: connection, running sandboxes, and whether an agent waits. */
export function statusBarContent(
  state: StatusBarState,
): { text: string; tooltip: string; attention: boolean } | undefined {
  const { session, runningSandboxes: running, waitingConversations: waiting } = state;
  if (session.kind === 'none' || session.kind === 'noKey') return undefined;
  const name = plainText(session.connection.name, 30);
  if (session.kind === 'refused') {
    const why = l10n.t('{0}: the session key was refused', name);
    return { text: `$(key) ${name}`, tooltip: why, attention: true };
  }
  if (session.kind === 'unreachable' || state.stale) {
    const why = l10n.t('{0}: not reachable at the moment', name);
    return { text: `$(debug-disconnect) ${name}`, tooltip: why, attention: false };
  }
  const waits = waiting === 1 ? l10n.t('1 agent waits for you') : l10n.t('{0} agents wait for you', waiting);
  const told = waiting > 0 ? [waits] : [];
  if (running === undefined && waiting === 0) {
    return { text: `$(vm) ${name}`, tooltip: l10n.t('Connected to {0}', name), attention: false };
  }
  const runs = running === 1 ? l10n.t('1 sandbox runs') : l10n.t('{0} sandboxes run', running ?? 0);
  const short = running === undefined ? [] : [l10n.t('{0} running', running)];
  return {
    text: `$(${waiting > 0 ? 'bell-dot' : 'vm'}) ${[name, ...short, ...told].join(' · ')}`,
    tooltip: [name, ...(running === undefined ? [] : [runs]), ...told].join('\n'),
    attention: waiting > 0,
  };
}
