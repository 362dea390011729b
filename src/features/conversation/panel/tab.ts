import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';
import { type Execution, isStart, type Head } from '../../../shared/transcript';

/** Icons of states that need a look; any other state has that of a conversation. */
export const iconOf: Readonly<Partial<Record<Execution, string>>> = {
  running: 'conversation-working',
  waiting_for_confirmation: 'conversation-waiting',
  error: 'conversation-failed',
  stuck: 'conversation-failed',
};

/** The title of the editor with what a step changed. */
export function diffTitle(path: string): string {
  return l10n.t('{0} (before and after the step)', shortName(path));
}

/** The last part of a path. */
export const shortName = (path: string) => plainText(path.split('/').at(-1) ?? path, 80);

/** States of a transcript in which its agent answers. */
const reachable: ReadonlySet<Head['limit']> = new Set(['none', 'busy']);

/** What can be done to a conversation, in words joined by blanks, for the conditions of menus and keybindings. */
export function panelContext({ about, execution, limit, policy, canInterrupt, problem }: Head): string {
  const isReachable = reachable.has(limit) && problem === '';
  const words = {
    conversation: !isStart(limit),
    waiting: execution === 'waiting_for_confirmation',
    reachable: isReachable,
    place: isReachable || limit === 'asleep',
    running: isReachable && execution === 'running',
    interruptible: isReachable && canInterrupt,
    policy: isReachable && policy !== 'itself',
    pullRequest: about.hasPullRequestPage,
    sandbox: about.hasSandbox,
  };
  return Object.entries(words)
    .flatMap(([word, holds]) => (holds ? [word] : []))
    .join(' ');
}
