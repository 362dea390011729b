import * as l10n from '@vscode/l10n';
import type { SandboxCalls } from '../../../api/service/sandboxes';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { quotedNames } from '../../../shared/joined';
import { conversationName } from '../../../core/lists/names';
import { agentsStop, pauseHint, pauseWarnings, type Running } from './serviceLimit';
import { inQuestion } from '../../../shared/inQuestion';
import { sandboxPhase, type SandboxPhase } from '../../../core/lists/status';

/**
 * Something that can be done to a sandbox. It has everything that commands, tools, rows and lists need to know, so that
 * none of them has to check which action it is.
 */
export interface SandboxAction {
  /** For models, such as "pause". */
  readonly verb: string;
  /** For models: the state until the service shows another one, such as "pausing". */
  readonly pending: string;
  /** The client's method that asks the service for it; the sandbox's status follows later. */
  readonly request: keyof Pick<SandboxCalls, 'pauseSandbox' | 'resumeSandbox' | 'deleteSandbox'>;
  /** The phases in which it can be done. */
  readonly from: readonly SandboxPhase[];
  /** What a sandbox counts as while the action is pending. */
  readonly via: SandboxPhase;
  /** The phase that the sandbox ends up in. */
  readonly to: SandboxPhase;
  /**
   * What else will happen if this is done to `count` sandboxes, as sentences, the most important one first.
   *
   * @param now milliseconds since the epoch
   */
  readonly consequences: (running: Running, count: number, now?: number) => string[];
  /**
   * The consequences for sandboxes that are selected one by one: only what isn’t obvious, so that nobody is asked about
   * the rest.
   */
  readonly surprises?: (sandboxes: readonly Sandbox[], conversations: readonly Conversation[]) => string[];
  /** The consequences in a few words, for the row of a picker. */
  readonly hint?: (running: Running) => string | undefined;
  /** Can’t be undone: people are always asked. */
  readonly isFinal?: boolean;
  readonly words: ActionWords;
}

/** What people read about an action. */
interface ActionWords {
  /** The picker's title. */
  readonly title: () => string;
  /** Shown when there is no sandbox to do it to. */
  readonly none: () => string;
  /** The state until the service shows another one. */
  readonly pending: () => string;
  readonly failed: (names: string) => string;
  /**
   * Asked about selected rows if there are consequences, and always if the action is final. Absent: never asked. `name`
   * is that of the first row.
   */
  readonly selected?: {
    readonly question: (count: number, name: string) => string;
    readonly agree: () => string;
  };
  /** The question and the result for all sandboxes that fit; absent if there is no command for all. */
  readonly all?: {
    readonly question: (count: number) => string;
    readonly agree: () => string;
    readonly result: (done: number, count: number) => string;
  };
  /** What a tool shows before and while it runs; absent if there is no tool for it. */
  readonly tool?: { readonly question: () => string; readonly doing: () => string };
}

/** An action that can be done to all sandboxes at once. */
export type ActionOnAll = SandboxAction & { readonly words: Required<Pick<ActionWords, 'all'>> };

/** An action that tools do. */
export type ActionOfTool = SandboxAction & { readonly words: Required<Pick<ActionWords, 'tool'>> };

const pause: ActionOnAll & ActionOfTool = {
  verb: 'pause',
  pending: 'pausing',
  request: 'pauseSandbox',
  from: ['running'],
  via: 'paused',
  to: 'paused',
  consequences: () => [agentsStop()],
  surprises: (sandboxes, conversations) => {
    const ids = new Set(sandboxes.map(({ id }) => id));
    return stoppedByPause(conversations.filter(({ sandbox_id }) => ids.has(sandbox_id ?? '')));
  },
  words: {
    title: () => l10n.t('Pause Sandbox'),
    none: () => l10n.t('No running sandboxes.'),
    pending: () => l10n.t('Pausing…'),
    failed: (names) => l10n.t('Couldn’t pause {0}.', names),
    selected: {
      question: (count, name) =>
        count === 1 ? l10n.t('Pause “{0}”?', inQuestion(name)) : l10n.t('Pause {0} sandboxes?', count),
      agree: () => l10n.t('Pause'),
    },
    all: {
      question: (count) =>
        count === 1 ? l10n.t('Pause the running sandbox?') : l10n.t('Pause {0} running sandboxes?', count),
      agree: () => l10n.t('Pause All'),
      result: (done, count) => {
        if (done < count) return l10n.t('Pausing {0} of {1} sandboxes…', done, count);
        return count === 1 ? l10n.t('Pausing 1 sandbox…') : l10n.t('Pausing {0} sandboxes…', count);
      },
    },
    tool: {
      question: () => l10n.t('Pause this sandbox?'),
      doing: () => l10n.t('Pausing a sandbox'),
    },
  },
};

/** Which of these conversations’ agents work and would stop, as sentences; none if nothing would. */
export function stoppedByPause(conversations: readonly Conversation[]): string[] {
  const names = conversations
    .filter(({ execution_status }) => execution_status?.toLowerCase() === 'running')
    .map((conversation) => conversationName(conversation));
  return names.length === 0 ? [] : [l10n.t('Still working: {0}.', quotedNames(names, 5)), agentsStop()];
}

const resume: ActionOnAll & ActionOfTool = {
  verb: 'resume',
  pending: 'resuming',
  request: 'resumeSandbox',
  from: ['paused'],
  via: 'starting',
  to: 'running',
  consequences: (running, count, now) => pauseWarnings(running, 'resume', count, now),
  hint: (running) => pauseHint(running),
  words: {
    title: () => l10n.t('Resume Sandbox'),
    none: () => l10n.t('No paused sandboxes.'),
    pending: () => l10n.t('Resuming…'),
    failed: (names) => l10n.t('Couldn’t resume {0}.', names),
    selected: {
      question: (count, name) =>
        count === 1 ? l10n.t('Resume “{0}”?', inQuestion(name)) : l10n.t('Resume {0} sandboxes?', count),
      agree: () => l10n.t('Resume'),
    },
    all: {
      question: (count) =>
        count === 1 ? l10n.t('Resume the paused sandbox?') : l10n.t('Resume {0} paused sandboxes?', count),
      agree: () => l10n.t('Resume All'),
      result: (done, count) => {
        if (done < count) return l10n.t('Resuming {0} of {1} sandboxes…', done, count);
        return count === 1 ? l10n.t('Resuming 1 sandbox…') : l10n.t('Resuming {0} sandboxes…', count);
      },
    },
    tool: {
      question: () => l10n.t('Resume this sandbox?'),
      doing: () => l10n.t('Resuming a sandbox'),
    },
  },
};

const remove: SandboxAction = {
  verb: 'delete',
  pending: 'deleting',
  request: 'deleteSandbox',
  from: ['running', 'paused'],
  via: 'missing',
  to: 'missing',
  isFinal: true,
  consequences: () => [
    l10n.t('Everything in it is deleted, including work that wasn’t pushed. You can’t undo this.'),
    l10n.t('Its conversations stay in the list, but can’t be continued.'),
  ],
  words: {
    title: () => l10n.t('Delete Sandbox'),
    none: () => l10n.t('No sandboxes.'),
    pending: () => l10n.t('Deleting…'),
    failed: (names) => l10n.t('Couldn’t delete {0}.', names),
    selected: {
      question: (count, name) =>
        count === 1
          ? l10n.t('Delete the sandbox “{0}”?', inQuestion(name))
          : l10n.t('Delete {0} sandboxes with everything in them?', count),
      agree: () => l10n.t('Delete'),
    },
  },
};

/** What can be done to a sandbox; add new actions here. */
export const sandboxActions = { pause, resume, delete: remove };

/** Whether an action applies to a sandbox. */
export function isFor({ from }: SandboxAction, sandbox: Sandbox): boolean {
  return from.includes(sandboxPhase(sandbox));
}

/** True if it makes sense to offer an action: in an error or unknown state, the service decides what is possible. */
export function mayTry(action: SandboxAction, sandbox: Sandbox): boolean {
  return isFor(action, sandbox) || ['failed', 'other'].includes(sandboxPhase(sandbox));
}
