import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { Sandbox } from '../../../src/api/service/schemas/sandbox';
import type { ListState } from '../../../src/core/lists/resourceList';
import type { Delivery } from '../../../src/features/changes/model/deliveries';
import type { Start } from '../../../src/features/start/model/startTasks';

/** Records with valid defaults; a test sets only what it's about. */
export const aSandbox = (values: Partial<Sandbox> = {}): Sandbox => ({
  id: 'sb-1',
  status: 'RUNNING',
  sandbox_spec_id: 'agent:1.0',
  created_at: '2026-01-01T00:00:00Z',
  ...values,
});

export const aConversation = (values: Partial<Conversation> = {}): Conversation => ({
  id: 'c-1',
  title: 'Mend the login test',
  sandbox_id: 'sb-1',
  execution_status: 'running',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  ...values,
});

export const aStart = (values: Partial<Start> = {}): Start => ({
  id: 's-1',
  service: 'https://one.example.com',
  label: 'Mend the login test',
  message: 'Mend the login test',
  begunAt: Date.parse('2026-01-01T00:00:00Z'),
  taskId: 't-1',
  step: { kind: 'creating' },
  course: [],
  isMessageLater: false,
  failure: undefined,
  unknown: false,
  overLimit: false,
  ...values,
});

/** Changes on their way to the sandbox of the conversation that `aStart` led to. */
export const aDelivery = (values: Partial<Delivery> = {}): Delivery => ({
  id: 'd-1',
  service: 'https://one.example.com',
  repository: 'acme/shop',
  base: 'a'.repeat(40),
  branch: null,
  tree: 'b'.repeat(40),
  root: 'file:///home/ada/shop',
  paths: ['a.txt'],
  startId: 's-1',
  isAccepted: true,
  conversationId: null,
  label: 'Mend it',
  message: 'Mend it now',
  ...values,
});

export const aList = <T>(items: T[], values: Partial<ListState<T>> = {}): ListState<T> => ({
  items,
  loaded: true,
  loading: false,
  skipped: false,
  limit: 200,
  readAt: 0,
  nextPageId: null,
  error: undefined,
  ...values,
});
