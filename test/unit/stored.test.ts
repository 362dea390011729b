import assert from 'node:assert/strict';
import { Drafts } from '../../src/features/conversation/panel/drafts';
import { storeDrafts } from '../../src/features/settings/panel/drafts';
import { changeCommentsState, conversationDraftState, stateIds } from '../../src/ids';
import { parseMessage, storedMessage } from '../../src/shared/keptMessage';
import { ToldNews } from '../../src/features/attention/model/toldNews';
import { ChangeComments } from '../../src/features/changes/model/changeComments';
import type { ChangeSet } from '../../src/features/sandboxChanges/model/changeSet';
import { Deliveries } from '../../src/features/changes/model/deliveries';
import { Homes } from '../../src/core/session/homes';
import { ReadMarks } from '../../src/features/attention/model/readMarks';
import { Shelf } from '../../src/features/conversations/model/shelf';
import { SeenChanges } from '../../src/features/changes/model/seenChanges';
import { Arrangement } from '../../src/features/conversations/model/arrangement';
import { StartTasks } from '../../src/features/start/model/startTasks';
import { storedOutbox } from '../../src/features/live/model/outbox';
import type { ChoiceStore } from '../../src/core/basics/choiceStore';
import { everyCase } from '../support/everyCase';

/** What is stored under one key, as the editor's memento keeps it: a copy as JSON. */
class Memory {
  constructor(public value: unknown) {}
  readonly read = () => this.value;
  readonly write = (value: unknown) => {
    this.value = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  };
  readonly update = (value: unknown) => Promise.resolve().then(() => this.write(value));
}

const later = { id: 'later', kind: 'ofALaterVersion', parts: [{ a: 1 }] };
const set: ChangeSet = { repository: { root: '/w/shop' }, files: [] } as unknown as ChangeSet;

const unsent = { id: 'u', text: 'Hi', images: [], after: '', mayHaveArrived: true };
const delivery = {
  ...{
    id: 'd',
    service: 's',
    repository: 'acme/shop',
    base: 'a',
    branch: null,
    tree: 'b',
    root: 'file:///shop',
  },
  ...{ paths: ['a'], startId: 'x', isAccepted: true, conversationId: null, label: 'L', message: 'M' },
};
const comment = {
  ...{ id: 'c', conversation: 'one', uri: 'x:/a', path: 'a.ts', language: 'ts', firstLine: 1, lastLine: 2 },
  ...{ code: 'x', text: 'Why?' },
};
const start = {
  ...{ id: 's', service: 'https://one.example', label: 'Fix', message: 'Fix it.', begunAt: 1 },
  ...{ failure: 'No.', unknown: false },
};

/** A list that is stored, with a member that can be read, and how to use it: reads, then adds one. */
interface Kind {
  name: string;
  good: Readonly<Record<string, unknown>>;
  /** Ids of what can be read. Writes the list again. */
  use: (memory: Memory) => string[];
}

const starts = (memory: Memory) => {
  const tasks = new StartTasks({
    read: memory.read,
    write: memory.write,
    newId: () => 'new',
    now: () => 1,
    wait: () => Promise.resolve(),
    describe: String,
  });
  const ids = tasks.of('https://one.example').map(({ id }) => id);
  tasks.dismiss('none');
  return ids;
};

const kinds: Kind[] = [
  {
    name: 'messages that may not have arrived',
    good: unsent,
    use: (memory) => {
      const box = storedOutbox(memory);
      const all = box.read();
      box.write(all);
      return all.map(({ id }) => id);
    },
  },
  {
    name: 'deliveries',
    good: delivery,
    use: (memory) => {
      const deliveries = new Deliveries(memory);
      const ids = deliveries.of('s').map(({ id }) => id);
      deliveries.accepted('none');
      return ids;
    },
  },
  {
    name: 'comments',
    good: comment,
    use: (memory) => {
      const comments = new ChangeComments(memory);
      const ids = comments.all.map(({ id }) => id);
      comments.remove(['none']);
      return ids;
    },
  },
  {
    name: 'shown changes',
    good: { key: 'k', files: ['a'] },
    use: (memory) => {
      const seen = new SeenChanges(memory);
      seen.remember('other', set);
      const written = memory.value as { key?: unknown }[];
      return written.flatMap(({ key }) => (key === 'k' ? ['k'] : []));
    },
  },
  {
    name: 'organizations of conversations',
    good: { key: 's c-1', id: 'o', name: 'One' },
    use: (memory) => {
      const homes = new Homes(memory);
      const home = homes.elsewhere('s', 'c-1', undefined);
      homes.elsewhere('s', 'c-2', { id: 'p', name: 'Two' });
      return home ? [home.id] : [];
    },
  },
  { name: 'starts as an earlier version stored them', good: start, use: starts },
];

const junk = [
  'x',
  7,
  {},
  null,
  true,
  [],
  [null],
  ['x', 7, [], null],
  { starts: 'x', ended: 7 },
  { version: 9 },
];

describe('what is stored', () => {
  for (const { name, good, use } of kinds) {
    it(`never fails, whatever it is: ${name}`, async () => {
      await everyCase(
        junk,
        (stored) => JSON.stringify(stored),
        (stored) => assert.deepEqual(use(new Memory(stored)), []),
      );
    });

    it(`loses no member for another that can’t be read, which is written back: ${name}`, async () => {
      const damaged = { ...good, [Object.keys(good).at(-1)!]: { of: 'another kind' } };
      await everyCase(
        [later, damaged, { ...later, list: ['x'] }],
        (other) => JSON.stringify(other),
        (other) => {
          for (const stored of [
            [good, other],
            [null, other, 'x', good],
          ]) {
            const memory = new Memory(stored);
            const [id] = use(memory);
            assert.equal(id, good['id'] ?? good['key']);
            const written = JSON.stringify(memory.value);
            assert.ok(written.includes(JSON.stringify(other)), written);
          }
        },
      );
    });

    it(`keeps what a later version added to a member: ${name}`, () => {
      const memory = new Memory([{ ...good, priority: { level: 3 } }]);
      use(memory);
      assert.match(JSON.stringify(memory.value), /"priority":\{"level":3\}/);
    });
  }

  it('keeps what a later version added to pins, marks, and the arrangement', async () => {
    const stored = { pinned: ['a'], since: 1, seen: {}, group: 'none', colors: { a: 'red' } };
    const untagged = { baseUrl: 's', tagConversation: () => Promise.resolve(undefined) };
    const use: Record<string, (store: ChoiceStore) => unknown> = {
      pins: (store) => new Shelf(store, String).put(untagged, 'archived', { id: 'b' }, true),
      marks: (store) => new ReadMarks(store, String, () => 5).setVisible('s', 'a', true),
      arrangement: (store) => new Arrangement(store, 's').choose({ order: 'title' }),
    };
    await everyCase(
      Object.entries(use),
      ([name]) => name,
      async ([, change]) => {
        const memory = new Memory(stored);
        await change({ get: memory.read, update: (_key, value) => memory.update(value) });
        const { colors } = memory.value as typeof stored;
        assert.notDeepEqual(memory.value, stored);
        assert.deepEqual(colors, stored.colors);
      },
    );
  });

  it('loses neither starts nor successful starts for one that can’t be read', async () => {
    const ended = { conversationId: 'c-1', label: 'Fixed' };
    await everyCase(
      [
        { starts: [start, later], ended: [ended] },
        { starts: [start], ended: [ended, later] },
        { starts: [later, start], ended: [7, ended], newest: { of: 'a later version' } },
      ],
      (stored) => JSON.stringify(stored),
      (stored) => {
        const memory = new Memory(stored);
        assert.deepEqual(starts(memory), ['s']);
        const written = JSON.stringify(memory.value);
        for (const part of [later, ended]) assert.ok(written.includes(JSON.stringify(part)), written);
        assert.equal(written.includes('newest'), 'newest' in stored);
      },
    );
  });

  it('has no comment on a line that the editor can’t show', async () => {
    await everyCase([0, -3, 1.5, 1e300, Number.MAX_SAFE_INTEGER, null], String, (line) => {
      const memory = new Memory([{ ...comment, firstLine: line }, comment]);
      assert.deepEqual(
        new ChangeComments(memory).all.map(({ firstLine }) => firstLine),
        [1],
      );
    });
    assert.ok(changeCommentsState('s'));
  });

  describe('for the editor for new conversations', () => {
    it('is a message, whatever it is', async () => {
      const nothing = parseMessage(undefined);
      await everyCase(
        [
          'x',
          7,
          {},
          [],
          [1],
          null,
          { text: 5 },
          { context: 7, selections: 'x' },
          { savedAt: 'now' },
          { savedAt: 1e300 },
        ],
        (stored) => JSON.stringify(stored),
        (stored) => assert.deepEqual(parseMessage(stored), nothing),
      );
    });

    it('loses only the part that can’t be read, and nothing that a later version added', () => {
      const selection = { text: 'In a.ts', label: 'a.ts' };
      const stored = {
        text: 'Fix it',
        savedAt: 5,
        context: { sandboxId: 7, about: 'file:///a.ts', selected: ['a', 5] },
        selections: [selection, later],
        model: 'x',
      };
      const message = parseMessage(stored);
      assert.deepEqual(message, {
        text: 'Fix it',
        savedAt: 5,
        context: { about: 'file:///a.ts', selected: ['a'] },
        selections: [selection],
      });
      const written = storedMessage({ ...message, text: 'New' }, stored);
      assert.deepEqual(
        [written['text'], written['model'], written['selections']],
        ['New', 'x', [selection, later]],
      );
    });
  });

  const forms = [
    { parts: ['Fix it'] },
    [{ type: 'text', text: 'Fix it' }],
    {},
    [],
    { text: 'Fix it', marks: [] },
  ];

  it('keeps a text in a later version’s form until there is a new one: the editor for new conversations', async () => {
    await everyCase(forms, JSON.stringify, (text) => {
      const stored = {
        text,
        savedAt: 5,
        context: { about: 'file:///a.ts', model: { of: 'a later version' } },
        selections: [{ text: 'In a.ts', label: 'a.ts', language: 'ts' }],
      };
      const message = parseMessage(stored);
      assert.equal(message.text, '');
      const context = { sandboxId: 's' };
      const written = storedMessage({ ...message, context }, stored);
      const { model } = stored.context;
      assert.deepEqual(written, { ...stored, context: { ...context, model } });
      assert.equal(storedMessage({ ...message, text: 'New' }, stored)['text'], 'New');
    });
  });

  describe('for the composer of a conversation', () => {
    const key = conversationDraftState('s', 'one');
    const open = (stored: Record<string, unknown>) => {
      const all = new Map(Object.entries(stored));
      const drafts = new Drafts({
        get: (name: string) => all.get(name),
        update: (name: string, value: unknown) => Promise.resolve(void all.set(name, value)),
      });
      return { all, drafts };
    };

    it('is a draft, whatever it is', async () => {
      await everyCase(
        junk,
        (stored) => JSON.stringify(stored),
        (stored) => {
          const { drafts } = open({ [key]: stored, [stateIds.closedDrafts]: stored });
          assert.deepEqual(drafts.of('s', 'one').read(), { text: '', revision: 0, attachments: [] });
          drafts.tidy('s', 'one');
        },
      );
    });

    it('loses no text, attachment, or revision for another that can’t be read', () => {
      const quote = { id: 'a', kind: 'quote', label: 'a.ts', content: 'x' };
      const { all, drafts } = open({
        [key]: { text: 'Hi', revision: 3, attachments: [quote, later] },
        [stateIds.closedDrafts]: { [conversationDraftState('s', 'two')]: 4, broken: 'x', future: 1e300 },
      });
      const draft = drafts.of('s', 'one').read();
      assert.deepEqual(draft, { text: 'Hi', revision: 3, attachments: [quote] });
      assert.equal(drafts.of('s', 'two').read().revision, 4);
      drafts.of('s', 'one').write({ ...draft, text: 'New' });
      assert.deepEqual(all.get(key), { text: 'New', revision: 3, attachments: [quote, later] });
    });

    it('keeps a text in a later version’s form until there is a new one, also once the tab is closed', async () => {
      await everyCase(forms, JSON.stringify, (text) => {
        const stored = { text, revision: 3, attachments: [] };
        const { all, drafts } = open({ [key]: stored });
        const draft = drafts.of('s', 'one').read();
        assert.equal(draft.text, '');
        drafts.of('s', 'one').write({ ...draft, revision: 4 });
        drafts.tidy('s', 'one');
        assert.deepEqual(all.get(key), { ...stored, revision: 4 });
        drafts.of('s', 'one').write({ ...draft, text: 'New', revision: 5 });
        drafts.of('s', 'one').write({ ...draft, revision: 6 });
        drafts.tidy('s', 'one');
        assert.equal(all.get(key), undefined);
      });
    });

    it('keeps what a later version added to an attachment', () => {
      const quote = { id: 'a', kind: 'quote', label: 'a.ts', content: 'x', language: 'ts' };
      const { all, drafts } = open({ [key]: { text: '', revision: 3, attachments: [quote] } });
      const draft = drafts.of('s', 'one').read();
      drafts.of('s', 'one').write({ ...draft, text: 'New' });
      assert.deepEqual(all.get(key), { text: 'New', revision: 3, attachments: [quote] });
    });

    it('loses no text for a part that another version doesn’t have, or that it added', () => {
      for (const [stored, revision] of [
        [{ text: 'Hi' }, 0],
        [{ text: 'Hi', revision: 3 }, 3],
        [{ text: 'Hi', attachments: null, mode: { of: 'a later version' } }, 0],
      ] as const) {
        const { all, drafts } = open({ [key]: stored });
        const draft = drafts.of('s', 'one').read();
        assert.deepEqual(draft, { text: 'Hi', revision, attachments: [] });
        drafts.of('s', 'one').write({ ...draft, text: 'New' });
        assert.deepEqual(all.get(key), { ...stored, text: 'New', revision, attachments: [] });
      }
    });
  });

  it('keeps unsaved settings that a later version left', () => {
    const laterDraft = { version: 9, edits: { new: 'shape' } };
    const memory = new Memory({ current: laterDraft, earlier: [laterDraft, 'x'] });
    const ports = {
      drafts: { read: memory.read, write: (_service: string, value: unknown) => memory.write(value) },
    };
    const open = {
      client: { baseUrl: 's' },
      document: {},
      edits: { values: {}, secrets: {}, mcpServers: null },
      offers: [],
    };
    storeDrafts(ports as never, open as never);
    assert.deepEqual(memory.value, { current: null, earlier: [laterDraft, laterDraft] });
  });

  it('never keeps news and the arrangement of a view from working', async () => {
    await everyCase(
      [...junk, { 'agentWaits c-1 s': 'x' }, { group: 5, order: {} }],
      (stored) => JSON.stringify(stored),
      async (stored) => {
        const memory = new Memory(stored);
        const store = {
          get: memory.read,
          update: (_key: string, value: unknown) => Promise.resolve().then(() => memory.write(value)),
        };
        const waits = { kind: 'agentWaits', id: 'c-1', since: 5 } as const;
        assert.deepEqual(new ToldNews(store, 'k', () => 10).claim('s', [waits]), [waits]);
        memory.write(stored);
        const arrangement = new Arrangement(store, 'k');
        assert.deepEqual([arrangement.group, arrangement.order], ['state', 'updated']);
        await arrangement.choose({ order: 'title' });
        assert.equal(arrangement.order, 'title');
      },
    );
  });
});
