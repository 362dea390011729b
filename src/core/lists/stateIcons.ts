import type { Conversation } from '../../api/service/schemas/conversation';
import { sandboxPhase, type SandboxPhase } from './status';

/** An icon of the editor, by its name, in a color of the theme. */
export interface StateIcon {
  readonly name: string;
  readonly color?: string;
}

const quiet = 'descriptionForeground';
const failed = { name: 'error', color: 'list.errorForeground' };

const unknown = { name: 'comment-discussion', color: quiet };
const paused = { name: 'debug-pause', color: quiet };

/** Each state has its own shape, so that none is shown by color alone. */
const agentIcons: ReadonlyMap<string, StateIcon> = new Map<string, StateIcon>([
  ['idle', { name: 'circle-large-outline', color: quiet }],
  ['running', { name: 'loading~spin' }],
  ['waiting_for_confirmation', { name: 'bell-dot', color: 'list.warningForeground' }],
  ['finished', { name: 'pass', color: 'testing.iconPassed' }],
  ['error', failed],
  ['stuck', { name: 'warning', color: 'list.errorForeground' }],
  ['paused', paused],
]);

/** Of a conversation without a running agent; a sandbox has most of them, too. */
export const sandboxIcons: Readonly<Record<SandboxPhase, StateIcon>> = {
  running: unknown,
  paused,
  starting: { name: 'rocket' },
  missing: { name: 'question', color: quiet },
  failed,
  other: unknown,
};

/** The icon for what a conversation's agent is doing, or its sandbox if no agent is running. */
export function conversationIcon({
  execution_status: agent,
  sandbox_status: status,
}: Conversation): StateIcon {
  return agent ? (agentIcons.get(agent.toLowerCase()) ?? unknown) : sandboxIcons[sandboxPhase({ status })];
}
