import assert from 'node:assert/strict';
import { startTabId } from '../../../src/shared/startTab';
import type { Entry } from '../../../src/shared/transcript';
import { Deliveries, type Delivery } from '../../../src/features/changes/model/deliveries';
import { Emitter } from '../../../src/core/basics/emitter';
import { conversationStateWords } from '../../../src/core/lists/stateWords';
import { stateWords } from '../../../src/features/conversation/page/words';
import { startRow } from '../../../src/features/conversations/rows/startRow';
import type { StartingConversation } from '../../../src/features/start/model/startingConversation';
import { StartTabs } from '../../../src/features/start/model/startTabs';
import type { Start } from '../../../src/features/start/model/startTasks';
import { aDelivery, aStart } from '../../support/builders/records';

const tab = startTabId('s-1');
const delivery = aDelivery();

function setUp(first: Partial<Start> = {}) {
  const changed = new Emitter<undefined>();
  let start: Start | undefined = aStart({ message: 'Mend it', ...first });
  let conversation: string | undefined;
  let stored: unknown;
  const deliveries = new Deliveries({ read: () => stored, write: (value) => (stored = value) });
  const retried: string[] = [];
  const starts = {
    get: () => start,
    conversationOf: () => conversation,
    onDidChange: changed.event,
  };
  let answer: () => void = () => undefined;
  const tabs = new StartTabs({
    starts,
    deliveries,
    retry: (id, message) => {
      retried.push(`${id} ${message}`);
      answer();
      return Promise.resolve();
    },
  });
  const set = (values: Partial<Start>) => {
    start = aStart({ message: 'Mend it', ...first, ...values });
    changed.fire(undefined);
  };
  const end = (id?: string) => {
    start = undefined;
    conversation = id;
    changed.fire(undefined);
  };
  const model = tabs.model(tab);
  assert.ok(model);
  return { tabs, model, set, end, deliveries, retried, onRetry: (act: () => void) => (answer = act) };
}

const wordsOf = (entry: Entry) =>
  entry.kind === 'separator' ? entry.text : 'text' in entry ? `${entry.kind}: ${entry.text.text}` : '';
const shown = ({ entries }: StartingConversation) => entries.map(wordsOf);
const sandbox = { kind: 'startingSandbox' } as const;
const sending = { kind: 'creating' } as const;

describe('the tab of a start', () => {
  it('isn’t one of a conversation', () => {
    const { tabs } = setUp();
    for (const id of ['c-1', '0'.repeat(32), ''])
      assert.deepEqual([tabs.now(id), tabs.model(id)], [undefined, undefined]);
  });

  it('shows the message, then each step with its time, the current one live', () => {
    const { model, set } = setUp();
    assert.deepEqual([shown(model), model.head.live], [['message: Mend it'], null]);
    let changes = 0;
    model.onDidChange(() => (changes += 1));
    const course = [
      { step: sandbox, at: 1_000 },
      { step: sending, at: 76_400 },
    ];
    set({ course: course.slice(0, 1) });
    assert.deepEqual(
      [shown(model), model.head.live],
      [['message: Mend it'], { text: 'Starting sandbox', since: 1_000 }],
    );
    set({ course });
    set({ course });
    assert.equal(changes, 2);
    assert.deepEqual(shown(model), ['message: Mend it', 'Starting sandbox · 1 min 15 s']);
    assert.deepEqual(model.head.live, { text: 'Sending request', since: 76_400 });
    assert.deepEqual([model.head.limit, model.head.sendEffect, model.unsent], ['starting', 'impossible', '']);
  });

  it('shows why it failed, and has the message to try again', () => {
    const { model, set } = setUp();
    set({
      course: [
        { step: sandbox, at: 0 },
        { step: sending, at: 12_000 },
      ],
      failure: 'No such repository.',
    });
    assert.deepEqual(shown(model), [
      'message: Mend it',
      'Starting sandbox · 12 s',
      'Sending request',
      'error: No such repository.',
    ]);
    assert.deepEqual(
      [model.head.limit, model.head.sendEffect, model.head.live, model.unsent],
      ['notStarted', 'retries', null, 'Mend it'],
    );
  });

  it('offers to pause a sandbox if the service has no room for another', () => {
    const { model, set } = setUp({ failure: 'At most 5.', overLimit: true });
    assert.deepEqual(
      [model.head.limit, model.head.sendEffect, model.unsent],
      ['overLimit', 'retries', 'Mend it'],
    );
    set({ failure: undefined, overLimit: false });
    assert.deepEqual([model.head.limit, model.unsent], ['starting', '']);
  });

  it('has the state that its row has', () => {
    for (const one of [
      { failure: 'No.' },
      { failure: 'No.', unknown: true },
      { failure: 'No.', overLimit: true },
    ]) {
      const { model } = setUp(one);
      assert.equal(startRow(aStart(one), 0).description?.split(' · ')[0], stateWords(model.head));
    }
    const { tabs, end, deliveries } = setUp();
    for (const root of ['file:///shop', '']) {
      deliveries.keep({ ...delivery, root, conversationId: 'c-9' });
      end();
      const head = tabs.model(tab)?.head;
      assert.equal(head && stateWords(head), conversationStateWords('idle'));
    }
  });

  it('tries again with what the composer has', async () => {
    const { model, set, retried, onRetry } = setUp({ failure: 'No.' });
    onRetry(() => set({ message: 'Mend it now', failure: undefined }));
    assert.deepEqual(await model.send('Mend it now'), { kind: 'done' });
    assert.deepEqual(retried, ['s-1 Mend it now']);
    assert.deepEqual([model.unsent, shown(model)], ['', ['message: Mend it now']]);
    assert.equal((await model.send('And more')).kind, 'refused');
    assert.equal(retried.length, 1);
  });

  it('keeps what can’t be tried again, and pictures, until they are taken back', async () => {
    const { model, retried } = setUp({ failure: 'No.' });
    assert.equal((await model.send('Mend it now')).kind, 'refused');
    assert.deepEqual(
      model.head.outgoing.map(({ text, state }) => [text, state]),
      [['Mend it now', 'failed']],
    );
    assert.equal(model.takeBack()?.text, 'Mend it now');
    assert.deepEqual(model.head.outgoing, []);
    assert.equal((await model.send('Look', ['data:image/png;base64,AA=='])).kind, 'refused');
    assert.equal(retried.length, 1);
    assert.deepEqual(model.takeBack()?.images, ['data:image/png;base64,AA==']);
  });

  it('becomes that of the conversation, and keeps what it showed until then', () => {
    const { tabs, model, set, end } = setUp();
    assert.deepEqual(tabs.now(tab), { kind: 'start' });
    set({ course: [{ step: sending, at: 0 }] });
    const before = [model.head.live, shown(model)];
    end('c-9');
    assert.deepEqual(tabs.now(tab), { kind: 'conversation', id: 'c-9' });
    assert.deepEqual([model.head.live, shown(model)], before);
  });

  it('has nothing left to show once its start was dismissed', () => {
    const { tabs, end } = setUp();
    end();
    assert.deepEqual(tabs.now(tab), { kind: 'gone' });
  });

  it('stays until the changes and the message are in the sandbox', async () => {
    const { tabs, model, set, end, deliveries } = setUp();
    deliveries.keep(delivery);
    set({ course: [{ step: sending, at: 1_000 }] });
    end('c-9');
    assert.deepEqual(tabs.now(tab), { kind: 'start' });
    let fail: (error: Error) => void = () => undefined;
    // The message must never be in the composer while it's on its way.
    const unsent = new Set<string>();
    model.onDidChange(() => unsent.add(model.unsent));
    const work = deliveries
      .during('d-1', () => {
        deliveries.keep({ ...delivery, conversationId: 'c-9' });
        return new Promise<never>((_resolve, reject) => (fail = reject));
      })
      .catch(() => deliveries.failed('d-1', 'The sandbox’s repository doesn’t have the commit.'));
    deliveries.reached('d-1', 'Uploading your changes…', 3_000);
    assert.deepEqual(
      [shown(model), model.head.live?.text],
      [['message: Mend it now', 'Sending request · 2 s'], 'Uploading your changes'],
    );
    assert.deepEqual([...unsent], ['']);
    fail(new Error('no'));
    await work;
    assert.deepEqual([model.head.limit, model.unsent], ['notDelivered', 'Mend it now']);
    assert.equal(shown(model).at(-1), 'error: The sandbox’s repository doesn’t have the commit.');
    deliveries.remove('d-1');
    assert.deepEqual(tabs.now(tab), { kind: 'conversation', id: 'c-9' });
  });

  it('shows changes that are on their way to a conversation, and none that never got one', () => {
    const { tabs, end, deliveries } = setUp();
    deliveries.keep(delivery);
    end();
    assert.deepEqual(tabs.now(tab), { kind: 'gone' });
    deliveries.keep({ ...delivery, conversationId: 'c-9' });
    assert.deepEqual(tabs.now(tab), { kind: 'start' });
  });

  it('tells of each change until nobody listens anymore', () => {
    const { tabs, set, deliveries } = setUp();
    const changes: string[] = [];
    let now = 'start';
    const listening = tabs.onDidChange(() => changes.push(now));
    set({});
    now = 'delivery';
    deliveries.keep(delivery);
    assert.deepEqual([...new Set(changes)], ['start', 'delivery']);
    listening.dispose();
    now = 'later';
    set({});
    deliveries.keep({ ...delivery, conversationId: 'c-9' });
    assert.ok(!changes.includes('later'));
  });

  it('has a title for what failed: the start, the policy, or the changes', () => {
    const titleOf = (failed: Partial<Delivery> | undefined) => {
      const { tabs, set, end, deliveries } = setUp();
      if (failed) deliveries.keep({ ...delivery, ...failed, conversationId: 'c-9' });
      if (failed) end();
      else set({ failure: 'No room.' });
      const last = tabs.model(tab)?.entries.at(-1);
      return last?.kind === 'error' ? last.title : undefined;
    };
    assert.deepEqual(
      [titleOf(undefined), titleOf({ root: '' }), titleOf({ root: '/w/shop' })],
      [
        'Couldn’t start the conversation',
        'Couldn’t set the confirmation policy',
        'Couldn’t send your changes',
      ],
    );
  });

  it('says what is missing of changes that were on their way when the window closed', () => {
    const { tabs, end, deliveries } = setUp();
    deliveries.keep({ ...delivery, conversationId: 'c-9' });
    end();
    assert.deepEqual(tabs.now(tab), { kind: 'start' });
    const model = tabs.model(tab);
    assert.match(model?.entries.map(wordsOf).at(-1) ?? '', /may not be in the sandbox/);
    assert.equal(model?.unsent, 'Mend it now');
  });

  it('does nothing to an agent that isn’t there', async () => {
    const { model } = setUp();
    for (const change of [
      model.approve,
      model.reject,
      model.pause,
      model.interrupt,
      model.resume,
      model.setPolicy,
    ])
      assert.equal((await change()).kind, 'refused');
    await assert.rejects(model.ask());
    await assert.rejects(model.changes.place());
  });
});
