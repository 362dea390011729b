import assert from 'node:assert/strict';
import { conversationRows, type ConversationsState } from '../../../../src/features/conversations/rows/list';
import type { Row } from '../../../../src/core/rows/row';
import type { Conversation } from '../../../../src/api/service/schemas/conversation';
import { commandIds } from '../../../../src/ids';
import { Arrangement } from '../../../../src/features/conversations/model/arrangement';
import type { ConversationFilter } from '../../../../src/core/lists/conversationFilter';
import type { ListState } from '../../../../src/core/lists/resourceList';
import { sandboxActions } from '../../../../src/features/sandboxes/model/actions';
import { sandboxRows, type SandboxesState } from '../../../../src/features/sandboxes/rows/rows';
import { startRow } from '../../../../src/features/conversations/rows/startRow';
import { specRows } from '../../../../src/features/sandboxes/rows/specs/view';
import { tooltipText } from '../../../support/builders/rows';
import { aConversation, aList, aSandbox, aStart } from '../../../support/builders/records';

const now = Date.parse('2026-01-01T03:00:00Z');
const rowsOf = (values: Partial<SandboxesState>) => [
  ...sandboxRows({
    sandboxes: aList([]),
    conversations: [],
    pending: () => undefined,
    pausedByService: () => false,
    now,
    ...values,
  }),
];
const conversationsOf = (list: ListState<Conversation>, values: Partial<ConversationsState> = {}) => [
  ...conversationRows({
    list,
    starts: [],
    group: 'none',
    order: new Arrangement({ get: () => undefined, update: () => Promise.resolve() }, 'key').order,
    pausedByService: () => false,
    sandboxName: (id) => `Work in ${id}`,
    now,
    ...values,
  }),
];
const ids = (rows: readonly Row[]) => rows.map(({ ref }) => ('id' in ref ? ref.id : ref.kind));

describe('Sandboxes view rows', () => {
  for (const [status, words, context] of [
    ['RUNNING', 'Running', 'sandbox.running'],
    ['running', 'Running', 'sandbox.running'],
    ['PAUSED', 'Paused', 'sandbox.paused'],
    ['STARTING', 'Starting…', 'sandbox.starting'],
    ['ERROR', 'Failed', 'sandbox.other'],
    ['MISSING', 'Missing', 'sandbox.missing'],
    ['DEEP_SLEEP', 'Deep sleep', 'sandbox.other'],
    [null, 'State unknown', 'sandbox.other'],
  ] as const) {
    it(`shows ${words} for the status ${status}`, () => {
      const created_at = '2026-01-01T02:58:00Z';
      const [row] = rowsOf({ sandboxes: aList([aSandbox({ status, created_at })]) });
      assert.ok(row);
      assert.equal(row.description, `${words} · 2 min ago`);
      assert.equal(row.contextValue, context);
      assert.equal(row.accessibilityLabel, `Sandbox agent:1.0, ${row.description}`);
    });
  }

  it('tells the sandboxes of attempts at one message apart', () => {
    const sandboxes = ['a', 'b'].map((id) => aSandbox({ id }));
    const conversations = ['a', 'b', 'b'].map((sandbox_id, index) =>
      aConversation({ id: `c${index}`, title: 'Fix it', sandbox_id }),
    );
    const labels = (of: typeof conversations) =>
      rowsOf({
        sandboxes: aList(sandboxes),
        conversations: of,
        differenceOf: ({ sandbox_id }) => `Model ${sandbox_id}`,
      }).map(({ label }) => label);
    assert.deepEqual(labels(conversations.slice(0, 2)), ['Model a – Fix it', 'Model b – Fix it']);
    // In a sandbox with other work, the name stands for all of it.
    assert.deepEqual(labels(conversations), ['Model a – Fix it', 'Fix it +1']);
  });

  it('shows a pending action instead of the status', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), pending: () => sandboxActions.pause });
    assert.ok(row);
    assert.match(row.description ?? '', /^Pausing…/);
    assert.equal(row.contextValue, 'sandbox.pending');
  });

  it('distinguishes requested pauses from pauses by the service', () => {
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'PAUSED' })]), pausedByService: () => true });
    assert.ok(row);
    assert.match(row.description ?? '', /^Paused by the service/);
    assert.equal(row.contextValue, 'sandbox.paused');
  });

  it('contains conversations and exposed URLs, without URL queries', () => {
    const [row] = rowsOf({
      sandboxes: aList([
        aSandbox({ exposed_urls: [{ name: 'VSCODE', url: 'https://one.example.com:8443/x?tkn=canary' }] }),
      ]),
      conversations: [aConversation(), aConversation({ id: 'c-2', sandbox_id: 'other' })],
    });
    assert.ok(row);
    assert.deepEqual(
      row.children?.map(({ id }) => id),
      ['sandbox/sb-1/conversation/c-1', 'sandbox/sb-1/url/VSCODE'],
    );
    assert.equal(row.children[1]?.description, 'one.example.com:8443');
    assert.doesNotMatch(JSON.stringify(row), /canary/);
  });

  it('is named by the sandbox’s work, with the id only in the tooltip', () => {
    const sandbox = aSandbox({ id: 'oh-agent-server-7Qm2xVbT' });
    const conversations = [
      aConversation({ id: 'c-1', sandbox_id: sandbox.id, selected_repository: 'acme/shop' }),
      aConversation({
        id: 'c-2',
        sandbox_id: sandbox.id,
        title: 'Older',
        updated_at: '2025-12-01T00:00:00Z',
      }),
    ];
    const [row] = rowsOf({ sandboxes: aList([sandbox]), conversations });
    assert.ok(row);
    assert.equal(row.label, 'Mend the login test +1');
    assert.equal(row.description, 'Running · acme/shop · 3 h ago');
    assert.equal(row.accessibilityLabel, 'Sandbox Mend the login test +1, Running · acme/shop · 3 h ago');
    assert.equal(
      tooltipText(row),
      'Mend the login test +1\nState: Running\nRepository: acme/shop\nImage: agent:1.0\nStarted: 3 h ago\nID: oh-agent-server-7Qm2xVbT',
    );
  });

  it('is updated when its name changes', () => {
    const sandboxes = aList([aSandbox()]);
    rowsOf({ sandboxes, conversations: [aConversation()] });
    const [row] = rowsOf({ sandboxes, conversations: [aConversation({ title: 'Renamed' })] });
    assert.equal(row?.label, 'Renamed');
  });

  it('shows plain names for exposed URLs', () => {
    const exposed_urls = ['VSCODE', 'AGENT_SERVER', 'WORKER_1', 'docs'].map((name) => ({
      name,
      url: 'https://one.example.com',
    }));
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ exposed_urls })]) });
    assert.deepEqual(
      row?.children?.map(({ label }) => label),
      ['VS Code', 'Agent server', 'Web app 1', 'docs'],
    );
  });

  it('shows start details, but not after the sandbox runs', () => {
    const words = (status: string) =>
      rowsOf({ sandboxes: aList([aSandbox({ status, status_detail: 'pulling the image' })]) })[0]
        ?.description;
    assert.match(words('STARTING') ?? '', /^Slow to start · pulling the image · /);
    assert.match(words('ERROR') ?? '', /^Failed · pulling the image · /);
    assert.equal(words('RUNNING'), 'Running · 3 h ago');
  });

  it('doesn’t show a new sandbox as failed before it is healthy', () => {
    const created_at = new Date(now - 30_000).toISOString();
    const [row] = rowsOf({ sandboxes: aList([aSandbox({ status: 'ERROR', created_at })]) });
    assert.match(row?.description ?? '', /^Not ready yet/);
  });

  it('shows the first of many conversations, and the number of hidden ones', () => {
    const conversations = Array.from({ length: 60 }, (_, index) => aConversation({ id: `c-${index}` }));
    const [row] = rowsOf({ sandboxes: aList([aSandbox()]), conversations });
    assert.equal(row?.children?.length, 51);
    assert.equal(row.children.at(-1)?.label, 'and 10 more');
  });

  it('shows the first rows and “Load more” if the service returns all at once', () => {
    const sandboxes = Array.from({ length: 500 }, (_, index) => aSandbox({ id: `sb-${index}` }));
    assert.equal(rowsOf({ sandboxes: aList(sandboxes) }).length, 201);
    assert.equal(rowsOf({ sandboxes: aList(sandboxes, { limit: 500 }) }).length, 500);
  });

  it('reuses unchanged rows', () => {
    const state = { sandboxes: aList([aSandbox(), aSandbox({ id: 'sb-2' })]) };
    const before = rowsOf(state);
    const [first, second] = state.sandboxes.items;
    const after = rowsOf({ sandboxes: aList([first!, { ...second!, status: 'PAUSED' }]) });
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.notEqual(rowsOf({ ...state, now: now + 86_400_000 })[0], before[0], 'the age must change');
  });

  it('ends with “Load more” if the service has more', () => {
    const rows = rowsOf({ sandboxes: aList([aSandbox()], { nextPageId: 'next' }) });
    assert.deepEqual(rows.at(-1)?.ref, { kind: 'loadMore', list: 'sandboxes' });
    assert.equal(rowsOf({ sandboxes: aList([aSandbox()]) }).length, 1);
  });

  it('removes control characters and truncates long text from the service', () => {
    const [row] = rowsOf({
      sandboxes: aList([
        aSandbox({ sandbox_spec_id: `x\u001b[31m\u202e${'y'.repeat(1_000_000)}`, status: '\u0007odd' }),
      ]),
    });
    assert.ok(row);
    for (const text of [row.label, row.description, tooltipText(row)]) {
      // Line breaks in the tooltip come from the extension.
      assert.doesNotMatch(text ?? '', /[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
      assert.ok((text ?? '').length < 1000);
    }
  });
});

describe('Conversations view rows', () => {
  it('lists waiting conversations first, then starts, then by last activity', () => {
    const rows = conversationsOf(
      aList([
        aConversation({ id: 'old', updated_at: '2025-12-01T00:00:00Z' }),
        aConversation({ id: 'new', created_at: '2020-01-01T00:00:00Z' }),
        aConversation({
          id: 'waits',
          created_at: '2025-11-01T00:00:00Z',
          execution_status: 'waiting_for_confirmation',
        }),
      ]),
      { starts: [aStart({ id: 's-1' })] },
    );
    assert.deepEqual(
      rows.map(({ ref }) => 'id' in ref && ref.id),
      ['waits', 's-1', 'new', 'old'],
    );
  });

  it('shows the state, repository, and branch', () => {
    const [row] = conversationsOf(
      aList([aConversation({ selected_repository: 'acme/shop', selected_branch: 'main' })]),
    );
    assert.ok(row);
    assert.equal(row.description, 'Working · acme/shop · main');
    assert.equal(row.badge, '3h');
    const now = Date.parse(aConversation().updated_at ?? '') + 15 * 60_000;
    const [later] = conversationsOf(aList([aConversation({ selected_repository: 'acme/shop' })]), { now });
    assert.deepEqual([later?.badge, later?.description], ['¼h', 'Working · acme/shop']);
    assert.match(row.accessibilityLabel ?? '', /Working · acme\/shop · main · 3 h ago$/);
    assert.match(later?.accessibilityLabel ?? '', /Working · acme\/shop · 15 min ago$/);
  });

  it('has its own icon for each state', () => {
    const icon = (values: Partial<Conversation>) => {
      const [row] = conversationsOf(aList([aConversation(values)]));
      return row?.icon?.name;
    };
    const icons = [
      ...['idle', 'running', 'waiting_for_confirmation', 'finished', 'error', 'stuck', 'paused', 'odd'].map(
        (execution_status) => icon({ execution_status }),
      ),
      icon({ execution_status: null, sandbox_status: 'STARTING' }),
      icon({ execution_status: null, sandbox_status: 'MISSING' }),
    ];
    assert.equal(new Set(icons).size, icons.length, icons.join());
    assert.ok(
      !icons.some((name) => /^(sync|refresh)/.test(name ?? '')),
      'the button Refresh looks like that',
    );
    assert.equal(
      icon({ execution_status: null, sandbox_status: 'ERROR' }),
      icon({ execution_status: 'error' }),
    );
    assert.equal(
      icon({ execution_status: null, sandbox_status: 'PAUSED' }),
      icon({ execution_status: 'paused' }),
    );
  });

  it('shows pull requests after the state, and opens them for known providers', () => {
    const about = { selected_repository: 'acme/shop', pr_number: [318] };
    const [known] = conversationsOf(aList([aConversation({ ...about, git_provider: 'gitlab' })]));
    assert.equal(known?.description, 'Working · #318 · acme/shop');
    assert.equal(known.contextValue, 'conversation.pullRequest.running');
    const [unknown] = conversationsOf(aList([aConversation({ ...about, git_provider: null })]));
    assert.match(unknown?.description ?? '', /#318/);
    assert.equal(unknown?.contextValue, 'conversation.running');
  });

  it('opens its conversation on Enter', () => {
    const [row] = conversationsOf(aList([aConversation()]));
    assert.equal(row?.command, commandIds.conversationShow);
  });

  it('falls back to the sandbox’s state if the agent has none', () => {
    const [row] = conversationsOf(
      aList([aConversation({ execution_status: null, sandbox_status: 'PAUSED' })]),
    );
    assert.ok(row);
    assert.match(row.description ?? '', /^Sandbox paused/);
  });

  const tree = (rows: readonly Row[]): unknown[] =>
    rows.map((row) => (row.children ? [row.label, tree(row.children)] : row.label));
  const titled = (id: string, values: Partial<Conversation> = {}) =>
    aConversation({ id, title: id, ...values });

  it('nests conversations under their parent, whichever side lists the relation', () => {
    const rows = conversationsOf(
      aList([
        titled('a', { sub_conversation_ids: ['b'] }),
        titled('b'),
        titled('c', { parent_conversation_id: 'b' }),
        titled('lost', { parent_conversation_id: 'elsewhere' }),
      ]),
    );
    assert.deepEqual(tree(rows), [['a', [['b', ['c']]]], 'lost']);
  });

  it('shows cyclic conversations once, and limits the depth', () => {
    const circle = ['a', 'b', 'c'].map((id, index, all) =>
      titled(id, { parent_conversation_id: all[(index + 1) % 3]!, sub_conversation_ids: [id] }),
    );
    const flat = (rows: readonly Row[]): string[] =>
      rows.flatMap((row) => [row.label, ...flat(row.children ?? [])]);
    assert.deepEqual(flat(conversationsOf(aList(circle))).toSorted(), ['a', 'b', 'c']);
    const chain = Array.from({ length: 150 }, (_, index) =>
      titled(`n${index}`, { parent_conversation_id: `n${index - 1}` }),
    );
    assert.equal(new Set(flat(conversationsOf(aList(chain)))).size, 150);
  });

  it('lists parents of waiting conversations first, labeled and expanded', () => {
    const rows = conversationsOf(
      aList([
        titled('new', { created_at: '2026-01-01T02:00:00Z' }),
        titled('parent'),
        titled('child', {
          parent_conversation_id: 'parent',
          execution_status: 'waiting_for_confirmation',
        }),
      ]),
    );
    assert.deepEqual(tree(rows), [['parent', ['child']], 'new']);
    assert.match(rows[0]?.description ?? '', /^Sub-agent waiting · Working/);
    assert.equal(rows[0]?.expanded, true);
  });

  it('sorts as selected, with waiting conversations first', () => {
    const list = aList([
      titled('Bee', { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T02:00:00Z' }),
      titled('ant', { created_at: '2026-01-01T01:00:00Z', updated_at: '2026-01-01T01:00:00Z' }),
      titled('zebra', { execution_status: 'waiting_for_confirmation', created_at: '2020-01-01T00:00:00Z' }),
    ]);
    assert.deepEqual(ids(conversationsOf(list)), ['zebra', 'Bee', 'ant']);
    assert.deepEqual(ids(conversationsOf(list, { order: 'created' })), ['zebra', 'ant', 'Bee']);
    assert.deepEqual(ids(conversationsOf(list, { order: 'title' })), ['zebra', 'ant', 'Bee']);
  });

  it('groups as selected, and rows keep their identity', () => {
    const list = aList([
      titled('a', { selected_repository: 'acme/shop', created_at: '2026-01-01T02:00:00Z' }),
      titled('b', { selected_repository: null, execution_status: 'finished' }),
      titled('c', { selected_repository: 'acme/shop', sandbox_id: 'oh-agent-server-7Qm2xVbT' }),
    ]);
    assert.deepEqual(tree(conversationsOf(list, { group: 'repository' })), [
      ['acme/shop', ['a', 'c']],
      ['No repository', ['b']],
    ]);
    assert.deepEqual(tree(conversationsOf(list, { group: 'state' })), [
      ['Working', ['a', 'c']],
      ['Finished', ['b']],
    ]);
    assert.deepEqual(tree(conversationsOf(list, { group: 'sandbox' })), [
      ['Work in sb-1', ['a', 'b']],
      ['Work in oh-agent-server-7Qm2xVbT', ['c']],
    ]);
    const [group] = conversationsOf(list, { group: 'repository' });
    assert.equal(group?.children?.[0], conversationsOf(list)[0]);
  });

  it('shows only matching rows, even if the service didn’t filter', () => {
    const list = aList([
      titled('Login test', { selected_repository: 'acme/shop', updated_at: '2025-12-31T23:00:00Z' }),
      titled('Invoice', { created_at: '2025-11-01T00:00:00Z', updated_at: null, execution_status: null }),
    ]);
    const passing = (filter: ConversationFilter) => ids(conversationsOf(list, { filter }));
    assert.deepEqual(passing({ title: 'LOGIN' }), ['Login test']);
    assert.deepEqual(passing({ repository: 'Acme/Shop' }), ['Login test']);
    assert.deepEqual(passing({ state: 'sandbox:' }), ['Invoice']);
    assert.deepEqual(passing({ createdWithinDays: 7 }), ['Login test']);
    assert.deepEqual(passing({ updatedWithinDays: 90 }), ['Login test', 'Invoice']);
    assert.deepEqual(passing({ updatedWithinDays: 7, title: 'i' }), ['Login test']);
  });

  it('shows cost and tokens if known, and pauses by the service', () => {
    const metrics = {
      accumulated_cost: 1.234,
      accumulated_token_usage: { prompt_tokens: 120_400, completion_tokens: 900 },
    };
    const [row] = conversationsOf(aList([aConversation({ metrics })]));
    assert.match(tooltipText(row!), /\nCost: \$1\.23\nTokens: 120\.4K input, 900 output\n/);
    const [odd] = conversationsOf(
      aList([aConversation({ metrics: { accumulated_cost: 'much', accumulated_token_usage: [] } })]),
    );
    assert.doesNotMatch(tooltipText(odd!), /Cost|Tokens/);
    const [paused] = conversationsOf(
      aList([aConversation({ execution_status: null, sandbox_status: 'PAUSED' })]),
      { pausedByService: (id) => id === 'sb-1' },
    );
    assert.match(paused?.description ?? '', /^Sandbox paused by the service/);
    // The agent had nothing to do anymore.
    const [finished] = conversationsOf(
      aList([aConversation({ execution_status: 'finished', sandbox_status: 'PAUSED' })]),
      { pausedByService: () => true },
    );
    assert.match(finished?.description ?? '', /^Finished/);
  });

  it('shows a record with only an id', () => {
    const [row] = conversationsOf(aList([{ id: 'c-9' }]));
    assert.ok(row);
    assert.equal(row.label, 'Untitled conversation');
    assert.equal(row.description, '');
  });
});

describe('start rows', () => {
  const { begunAt } = aStart();
  const justBegun = begunAt + 1_000;

  it('are marked slow after 3 minutes', () => {
    const start = aStart({ step: { kind: 'task', status: 'WAITING_FOR_SANDBOX', detail: undefined } });
    const words = (ms: number) => startRow(start, begunAt + ms).description;
    assert.equal(words(179_999), 'Starting… · Waiting for the sandbox…');
    assert.equal(words(180_000), 'Slow to start · Waiting for the sandbox…');
  });

  it('replace their conversations until the start is done', () => {
    const state = {
      starts: [aStart({ step: { kind: 'task', status: 'STARTING_CONVERSATION', detail: undefined } })],
      underWay: new Set(['c-2']),
    };
    const rows = conversationsOf(aList([aConversation({ id: 'c-1' }), aConversation({ id: 'c-2' })]), state);
    assert.deepEqual(ids(rows), ['s-1', 'c-1']);
  });

  it('show the progress of a start', () => {
    const row = startRow(
      aStart({ step: { kind: 'task', status: 'PREPARING_REPOSITORY', detail: undefined } }),
      justBegun,
    );
    assert.equal(row.label, 'Mend the login test');
    assert.equal(row.description, 'Starting… · Preparing repository…');
    assert.equal(row.contextValue, 'start.going');
    assert.equal(row.accessibilityLabel, `Conversation ${row.label}, ${row.description}`);
  });

  it('show why a start failed, with the service’s text sanitized', () => {
    const row = startRow(aStart({ label: '', failure: 'no\u0000such\nrepository \u202e' }), justBegun);
    assert.equal(row.label, 'New conversation');
    assert.equal(row.description, 'Not started · no such repository');
    assert.equal(row.contextValue, 'start.failed');
  });

  it('say whether pausing a sandbox helps against a failure', () => {
    const row = startRow(aStart({ failure: 'At most 5.', overLimit: true }), justBegun);
    assert.equal(row.contextValue, 'start.failed.overLimit');
  });

  it('show when it is unknown whether the service began the start', () => {
    const row = startRow(aStart({ failure: 'The connection was lost.', unknown: true }), justBegun);
    assert.equal(row.description, 'May have started · The connection was lost.');
    assert.equal(row.contextValue, 'start.failed');
  });
});

describe('Sandbox Specs view rows', () => {
  it('begins with the image’s name and tag, followed by the registry', () => {
    const [row] = [...specRows(aList([{ id: 'ghcr.io/acme/agent:1.0', working_dir: '/workspace' }]), now)];
    assert.ok(row);
    assert.equal(row.label, 'agent:1.0');
    assert.equal(row.description, 'ghcr.io/acme · /workspace');
    assert.match(tooltipText(row), /^agent:1\.0\nImage: ghcr\.io\/acme\/agent:1\.0\n/);
    assert.equal(row.contextValue, 'spec');
  });
});

describe('attempts in the Conversations view', () => {
  const attemptOf = ({ id }: Conversation) =>
    id.startsWith('a') ? { group: 'g', label: id === 'a1' ? 'Claude' : 'GPT' } : undefined;
  const at = (id: string, execution_status: string, hour: number) =>
    aConversation({ id, execution_status, title: 'Fix it', created_at: `2026-01-01T0${hour}:00:00Z` });
  const all = [at('a1', 'finished', 1), at('other', 'idle', 1), at('a2', 'running', 2)];

  it('are one row, which says how many have finished', () => {
    const starts = [aStart({ id: 's', failure: 'No room.', attempt: { group: 'g', label: 'Gemini' } })];
    const rows = conversationsOf(aList(all), { attemptOf, starts });
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['1/3 Fix it', '1 of 3 finished · 1 not started'],
        ['Fix it', rows[1]?.description],
      ],
    );
    assert.deepEqual(rows[0]?.ref, { kind: 'attempts', ids: ['a1', 'a2'] });
    assert.deepEqual(
      rows[0].children?.map(({ label, ref }) => [label, 'id' in ref && ref.id]),
      [
        ['Claude', 'a1'],
        ['GPT', 'a2'],
        ['Gemini', 's'],
      ],
    );
    assert.equal(rows[0].accessibilityLabel, 'Attempts at Fix it, 1 of 3 finished · 1 not started');
  });

  it('don’t say that one hasn’t started that may have', () => {
    const start = { failure: 'HTTP 500', unknown: true, attempt: { group: 'g', label: 'Gemini' } };
    const [row] = conversationsOf(aList(all), { attemptOf, starts: [aStart({ id: 's', ...start })] });
    assert.equal(row?.description, '1 of 3 finished');
    assert.match(String(row.children?.at(-1)?.description), /^May have started/);
  });

  it('say which of them failed, and which the service paused to stay within its limit', () => {
    const paused = {
      ...at('a2', 'x', 2),
      execution_status: null,
      sandbox_status: 'PAUSED',
      sandbox_id: 'sb-2',
    };
    const some = [at('a1', 'error', 1), paused, at('a3', 'finished', 3)];
    const of = (id: string) =>
      conversationsOf(aList(some), { attemptOf, pausedByService: (one) => one === id })[0];
    assert.equal(of('sb-2')?.description, '1 of 3 finished · 1 failed · 1 paused by the service');
    assert.match(of('sb-2')?.children?.[1]?.description ?? '', /^Sandbox paused by the service/);
    // Whoever paused it knows.
    assert.equal(of('')?.description, '1 of 3 finished · 1 failed');
  });

  it('are pinned and unread like any of them, and archived like all of them', () => {
    const look = { attemptOf, group: 'state' as const, showsArchived: true };
    const isArchived = ({ id }: Conversation) => id === 'a2';
    const isFirst = ({ id }: Conversation) => id === 'a1';
    const groups = conversationsOf(aList(all), { ...look, isArchived, isUnread: isFirst });
    assert.deepEqual(
      groups.map(({ label, description }) => [label, description]),
      [
        ['Working', '1 · 1 unread'],
        ['Idle', '1'],
      ],
    );
    const [, archived] = conversationsOf(aList(all), { ...look, isArchived: ({ id }) => id !== 'other' });
    assert.equal(archived?.label, 'Archived');
    const rows = conversationsOf(aList(all.toReversed()), { attemptOf, isPinned: isFirst });
    assert.equal(rows[0]?.id, 'attempts/g');
  });

  it('offer what can be done to any of them, and only what can be done while they start', () => {
    const contextOf = (state: Partial<Parameters<typeof conversationsOf>[1]>) =>
      conversationsOf(aList(all), { attemptOf, showsArchived: true, ...state })[0]?.contextValue;
    const isFirst = ({ id }: Conversation) => id === 'a1';
    assert.equal(contextOf({}), 'attempts.several.running');
    const look = { isUnread: isFirst, isPinned: isFirst };
    assert.equal(contextOf({ ...look, isArchived: isFirst }), 'attempts.several.running.unread.pinned');
    assert.equal(contextOf({ isArchived: () => true }), 'attempts.several.running.archived');
    const starts = ['s-1', 's-2'].map((id) => aStart({ id, attempt: { group: 'g', label: id } }));
    assert.equal(conversationsOf(aList([]), { attemptOf, starts })[0]?.contextValue, 'starts');
  });

  it('stand where the most urgent of them would', () => {
    const rows = conversationsOf(aList(all), { attemptOf, group: 'state' });
    assert.deepEqual(
      rows.map(({ label, children }) => [label, children?.map(({ id }) => id)]),
      [
        ['Working', ['attempts/g']],
        ['Idle', ['conversation/other']],
      ],
    );
    const waits = [at('a1', 'finished', 1), at('other', 'idle', 1), at('a2', 'waiting_for_confirmation', 2)];
    const [first] = conversationsOf(aList(waits), { attemptOf });
    assert.equal(first?.description, '1 of 2 finished · 1 waiting for you');
  });

  it('are ordinary rows once only one is left, and together while they start', () => {
    assert.deepEqual(ids(conversationsOf(aList(all.slice(0, 2)), { attemptOf })), ['a1', 'other']);
    const isArchived = ({ id }: Conversation) => id === 'a2';
    assert.deepEqual(ids(conversationsOf(aList(all), { attemptOf, isArchived })), ['a1', 'other']);
    const starts = ['s-1', 's-2'].map((id) => aStart({ id, attempt: { group: 'g', label: id } }));
    const [row] = conversationsOf(aList([]), { attemptOf, starts });
    assert.deepEqual([row?.description, row?.children?.length], ['0 of 2 finished', 2]);
  });
});
