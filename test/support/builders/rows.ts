import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { Sandbox } from '../../../src/api/service/schemas/sandbox';
import type { SandboxSpec } from '../../../src/api/service/schemas/sandboxSpec';
import type { Grouping } from '../../../src/features/conversations/model/arrangement';
import { sandboxName } from '../../../src/core/lists/names';
import { conversationRows, type ConversationsState } from '../../../src/features/conversations/rows/list';
import type { ListState } from '../../../src/core/lists/resourceList';
import type { Row } from '../../../src/core/rows/row';
import { sandboxRows, type SandboxesState } from '../../../src/features/sandboxes/rows/rows';
import { specRows } from '../../../src/features/sandboxes/rows/specs/view';
import { aList } from './records';

interface Records {
  sandboxes?: Sandbox[];
  conversations?: Conversation[];
  specs?: SandboxSpec[];
}

/** The rows that the three views make of these records alone. */
export function rowsOf(
  { sandboxes = [], conversations = [], specs = [] }: Records,
  group: Grouping = 'none',
): Row[] {
  const pausedByService = () => false;
  const now = 0;
  return [
    ...sandboxRows({
      sandboxes: aList(sandboxes),
      conversations,
      pending: () => undefined,
      pausedByService,
      now,
    }),
    ...conversationRows({
      list: aList(conversations),
      starts: [],
      group,
      order: 'created',
      pausedByService,
      now,
      sandboxName: (id) => sandboxName({ id }, conversations, now),
    }),
    ...specRows(aList(specs), now),
  ];
}

/** When rows are shown, three hours after what the records say. */
export const shownAt = Date.parse('2026-01-01T03:00:00Z');

/** The rows of the view Sandboxes, without any unless `values` say otherwise. */
export const sandboxRowsOf = (values: Partial<SandboxesState>): Row[] => [
  ...sandboxRows({
    sandboxes: aList([]),
    conversations: [],
    pending: () => undefined,
    pausedByService: () => false,
    now: shownAt,
    ...values,
  }),
];

/** The rows of a list of conversations, without groups, unless `values` say otherwise. */
export const conversationRowsOf = (
  list: ListState<Conversation>,
  values: Partial<ConversationsState> = {},
): Row[] => [
  ...conversationRows({
    ...{ list, starts: [], group: 'none', order: 'updated', now: shownAt },
    pausedByService: () => false,
    sandboxName: (id) => `Work in ${id}`,
    ...values,
  }),
];

/** A row's tooltip as text, one part per line. */
export function tooltipText({ tooltip = [] }: Pick<Row, 'tooltip'>): string {
  return tooltip.map(({ label, value }) => (label === undefined ? value : `${label}: ${value}`)).join('\n');
}
