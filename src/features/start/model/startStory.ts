import * as l10n from '@vscode/l10n';
import { hasChanges, type Delivery, type DeliveryCourse } from '../../changes';
import type { Start } from './startTasks';
import { stepWords } from './startWords';

/** What people read about a conversation that isn't there yet. */
export interface StartStory {
  readonly label: string;
  readonly message: string;
  /**
   * `notDelivered`: the conversation exists, but the user's changes and the message may not be there. `policyNotSet`: it
   * exists, but the confirmation policy may not be set, and the message wasn't sent.
   */
  readonly stage:
    'starting' | 'notStarted' | 'mayHaveStarted' | 'overLimit' | 'notDelivered' | 'policyNotSet';
  /** The steps so far, the current one last; `at` in milliseconds since the epoch. */
  readonly lines: readonly { readonly words: string; readonly at: number }[];
  /** Why it failed; empty if it didn't. */
  readonly failure: string;
  readonly at: number;
}

/** The story of a start. */
export function startStory({
  label,
  message,
  failure,
  unknown,
  overLimit,
  course,
  begunAt,
}: Start): StartStory {
  return {
    label,
    message,
    stage:
      failure === undefined
        ? 'starting'
        : unknown
          ? 'mayHaveStarted'
          : overLimit
            ? 'overLimit'
            : 'notStarted',
    lines: course.map(({ step, at }) => ({ words: stepWords(step), at })),
    failure: failure ?? '',
    at: begunAt,
  };
}

/**
 * The story of a start that has led to a conversation, which still has to get the user's changes or policy before the
 * message.
 * @param before the progress of the start, if this window saw it
 */
export function deliveryStory(
  { label, message, conversationId, root }: Delivery,
  { lines, failure, isUnderWay }: DeliveryCourse,
  before: StartStory | undefined,
): StartStory {
  // Without a conversation, it's about to be: the start has only just ended.
  const isGoing = isUnderWay || conversationId === null;
  return {
    label,
    message,
    stage: isGoing ? 'starting' : hasChanges({ root }) ? 'notDelivered' : 'policyNotSet',
    lines: [...(before?.lines ?? []), ...lines],
    failure: isGoing
      ? ''
      : failure ||
        (hasChanges({ root })
          ? l10n.t('Your changes may not be in the sandbox, and your message wasn’t sent.')
          : l10n.t('The confirmation policy may not be set, and your message wasn’t sent.')),
    at: before?.at ?? lines[0]?.at ?? 0,
  };
}
