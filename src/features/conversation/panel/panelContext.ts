import { isStart, type Head } from '../../../shared/transcript';

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
