import assert from 'node:assert/strict';
import { ComparisonHost } from '../../../../src/features/compare/panel/host';
import { parseToComparison, type ToComparison } from '../../../../src/shared/comparison';
import { Refusal } from '../../../../src/core/basics/refusal';
import type { ConversationChanges } from '../../../../src/features/sandboxChanges/model/conversationChanges';
import { message, step, terminal } from '../../../support/conversation/entries';
import { FakeModel } from '../../../support/conversation/fakeModel';
import { settled } from '../../../support/settled';

function setUp(ids = ['a', 'b']) {
  const models = new Map(ids.map((id) => [id, new FakeModel()]));
  const readings: string[] = [];
  for (const [id, model] of models)
    model.changes = {
      branches: () => Promise.resolve([]),
      repositories: () => {
        readings.push(id);
        return Promise.resolve([]);
      },
    } as unknown as ConversationChanges;
  const posted: ToComparison[] = [];
  const acts: string[] = [];
  const warnings: string[] = [];
  const waits: (() => void)[] = [];
  const named: string[] = [];
  const reachable = new Set(ids);
  const counted = { notStarted: 0 };
  const host = new ComparisonHost({
    service: 'https://one.example',
    ids,
    model: (id) => (reachable.has(id) ? models.get(id) : undefined),
    labelOf: (id) => (id === 'a' ? 'Claude' : ''),
    notStarted: () => counted.notStarted,
    unreached: () => 'The connection was removed.',
    entitle: (titles) => named.push(titles.join(' | ')),
    post: (sent) => {
      const parsed = parseToComparison(JSON.parse(JSON.stringify(sent)));
      assert.ok(parsed.ok, JSON.stringify(parsed));
      posted.push(parsed.message);
    },
    act: (act, id) => Promise.resolve(void acts.push(`${act} ${id}`)),
    log: { warn: (words) => warnings.push(words) },
    after: (_ms, act) => {
      waits.push(act);
      return { dispose: () => waits.splice(waits.indexOf(act), 1) };
    },
  });
  const last = () => {
    const sent = posted.at(-1);
    assert.ok(sent?.type === 'show', JSON.stringify(sent));
    return sent.attempts;
  };
  return { counted, host, models, posted, acts, warnings, waits, named, reachable, readings, last };
}

describe('the comparison of attempts', () => {
  it('follows its conversations while somebody sees it', async () => {
    const { host, models, posted, last } = setUp();
    await host.receive({ type: 'ready' });
    host.setVisible(true);
    await settled();
    assert.deepEqual(
      [...models.values()].map(({ holders }) => holders),
      [1, 1],
    );
    const a = models.get('a')!;
    a.set({ entries: [message('user', 'Fix it'), terminal('npm test', '', 1)] });
    assert.deepEqual(
      last().map(({ difference, checks, changed }) => [difference, checks.length, changed?.files]),
      [
        ['Claude', 1, 0],
        [a.head.about.model, 0, 0],
      ],
    );
    const { length } = posted;
    a.set({});
    assert.equal(posted.length, length, 'nothing new');
    host.setVisible(false);
    a.set({ head: { cost: 7 } });
    assert.equal(posted.length, length);
    assert.deepEqual(
      [...models.values()].map(({ holders }) => holders),
      [0, 0],
    );
  });

  it('says how many attempts have no column, as they never started', async () => {
    const { counted, host, posted } = setUp();
    host.setVisible(true);
    await host.receive({ type: 'ready' });
    counted.notStarted = 1;
    host.connect();
    assert.deepEqual(
      posted.map((one) => one.type === 'show' && one.note),
      ['', '1 not started'],
    );
  });

  it('reads earlier entries, because checks may be far up', async () => {
    const { host, models, last } = setUp();
    const a = models.get('a')!;
    a.older = [[terminal('npm test', '')]];
    a.head = { ...a.head, hasOlder: true };
    host.setVisible(true);
    await host.receive({ type: 'ready' });
    await settled();
    assert.equal(last()[0]?.checks.length, 1);
    assert.equal(last()[0]?.isWhole, true);
  });

  it('reads changes again once steps have ended, at most every 15 seconds', async () => {
    const { host, models, waits, readings } = setUp();
    host.setVisible(true);
    await settled();
    assert.deepEqual(readings, ['a', 'b']);
    const a = models.get('a')!;
    a.set({ entries: [terminal('touch a', '')] });
    a.set({ entries: [terminal('touch a', ''), terminal('touch b', '')] });
    await settled();
    assert.equal(readings.length, 2);
    for (const wait of waits.splice(0)) wait();
    await settled();
    assert.deepEqual(readings, ['a', 'b', 'a']);
    for (const wait of waits.splice(0)) wait();
    await settled();
    assert.equal(readings.length, 3, 'nothing has changed since');
  });

  it('reads changes again if it was hidden in the middle', async () => {
    const { host, models, readings, last } = setUp();
    const answer: (() => void)[] = [];
    for (const [id, model] of models)
      model.changes = {
        branches: () => Promise.resolve([]),
        repositories: () => {
          readings.push(id);
          return new Promise((resolve) => answer.push(() => resolve([])));
        },
      } as unknown as ConversationChanges;
    host.setVisible(true);
    host.setVisible(false);
    for (const end of answer.splice(0)) end();
    await settled();
    host.setVisible(true);
    await host.receive({ type: 'ready' });
    await settled();
    assert.deepEqual(readings, ['a', 'b', 'a', 'b']);
    assert.deepEqual(
      last().map(({ changed }) => changed),
      [null, null],
    );
    for (const end of answer.splice(0)) end();
    await settled();
    assert.deepEqual(
      last().map(({ changed }) => changed?.files),
      [0, 0],
    );
  });

  it('says why changes can’t be read, and shows the other attempts', async () => {
    const { host, models, last, warnings } = setUp();
    models.get('a')!.changes = {
      repositories: () => Promise.reject(new Refusal('No Git repository.')),
    } as unknown as ConversationChanges;
    models.get('a')!.head = { ...models.get('a')!.head, limit: 'none' };
    await host.receive({ type: 'ready' });
    host.setVisible(true);
    await settled();
    assert.deepEqual(
      last().map(({ changed, changesProblem }) => [changed?.files, changesProblem]),
      [
        [undefined, 'No Git repository.'],
        [0, ''],
      ],
    );
    assert.deepEqual(warnings, ['Comparison: No Git repository.']);
  });

  it('says why nothing can be read, and continues when it can', async () => {
    const { host, posted, reachable, last } = setUp();
    reachable.clear();
    host.setVisible(true);
    await host.receive({ type: 'ready' });
    assert.deepEqual(posted.at(-1), { type: 'notice', message: 'The connection was removed.' });
    reachable.add('a');
    host.connect();
    assert.equal(last().length, 1);
  });

  it('is named after its conversations, each title once', async () => {
    const { host, models, named } = setUp(['a', 'b', 'c']);
    for (const [id, title] of [
      ['a', 'Fix it'],
      ['b', ''],
      ['c', 'Fix it'],
    ] as const)
      models.get(id)!.head = { ...models.get(id)!.head, title };
    host.setVisible(true);
    await host.receive({ type: 'ready' });
    models.get('b')!.set({ head: { title: 'Fix it better' } });
    assert.deepEqual([named[0], named.at(-1)], ['Fix it', 'Fix it | Fix it better']);
  });

  it('acts only on its own conversations, and refuses what it doesn’t know', async () => {
    const { host, acts, warnings } = setUp();
    for (const forged of [
      null,
      { type: 'act', act: 'delete', id: 'a' },
      { type: 'act', act: 'take', id: 7 },
      { type: 'act', act: 'take', id: 'a', more: 1 },
    ])
      await host.receive(forged);
    assert.equal(warnings.length, 4);
    await host.receive({ type: 'act', act: 'take', id: 'other' });
    await host.receive({ type: 'act', act: 'take', id: 'a' });
    assert.deepEqual(acts, ['take a']);
  });

  it('reads nothing before a conversation was read, or again though nothing happened', async () => {
    const { host, models, readings, waits } = setUp(['a']);
    const a = models.get('a')!;
    a.readings = 0;
    a.older = [[]];
    a.head = { ...a.head, hasOlder: true };
    host.setVisible(true);
    await settled();
    assert.deepEqual([readings, a.calls], [[], []]);
    a.set({ head: { problem: 'No answer.' } });
    await settled();
    assert.deepEqual(a.calls, [], 'while the service doesn’t answer');
    assert.equal(readings.length, 1);
    a.set({ head: { problem: '' } });
    await settled();
    assert.deepEqual(a.calls, ['loadOlder']);
    host.setVisible(true);
    host.connect();
    const nothingNew = step(
      { step: 'terminal', command: 'make', output: null, exitCode: null },
      { state: 'running' },
    );
    a.set({ entries: [nothingNew, message('agent', 'I go on.')] });
    for (const wait of waits.splice(0)) wait();
    await settled();
    assert.equal(readings.length, 1);
    a.set({ head: { execution: 'running' } });
    for (const wait of waits.splice(0)) wait();
    await settled();
    assert.equal(readings.length, 2, 'the agent goes on');
  });

  it('reads one at a time, and shows “reading” until then', async () => {
    const { host, models, readings, last, warnings } = setUp(['a']);
    const answers: { end: () => void; fail: () => void }[] = [];
    const a = models.get('a')!;
    a.changes = {
      branches: () => Promise.resolve([]),
      repositories: () => {
        readings.push('a');
        return new Promise((resolve, reject) =>
          answers.push({ end: () => resolve([]), fail: () => reject(new Error('canceled')) }),
        );
      },
    } as unknown as ConversationChanges;
    await host.receive({ type: 'ready' });
    host.setVisible(true);
    a.set({ entries: [terminal('touch a', '')] });
    a.set({ entries: [terminal('touch b', '')] });
    await settled();
    assert.deepEqual([readings.length, last()[0]?.changed, last()[0]?.changesProblem], [1, null, '']);
    host.setVisible(true);
    answers[0]?.end();
    await settled();
    assert.equal(last()[0]?.changed?.files, 0, 'it was visible all the time');
    const hidden = setUp(['a']);
    hidden.models.get('a')!.changes = a.changes;
    hidden.host.setVisible(true);
    hidden.host.setVisible(false);
    answers.at(-1)?.fail();
    await settled();
    assert.deepEqual([hidden.warnings, warnings], [[], []], 'it was canceled');
  });

  it('forgets a conversation that can’t be reached anymore', async () => {
    const { host, models, posted, reachable } = setUp(['a']);
    await host.receive({ type: 'ready' });
    host.connect();
    assert.deepEqual([posted.length, models.get('a')!.holders], [1, 0], 'nobody sees it');
    host.setVisible(true);
    await settled();
    assert.equal(posted.at(-1)?.type, 'show');
    reachable.clear();
    host.connect();
    assert.deepEqual(posted.at(-1), { type: 'notice', message: 'The connection was removed.' });
    assert.equal(models.get('a')!.holders, 0);
  });

  it('shows nothing to a page that was unloaded, and everything to one that is back', async () => {
    const { host, posted, models } = setUp(['a']);
    await host.receive({ type: 'ready' });
    host.setVisible(true);
    await settled();
    host.setVisible(false);
    const { length } = posted;
    host.setVisible(true);
    models.get('a')!.set({ head: { cost: 9 } });
    await settled();
    assert.equal(posted.length, length);
    await host.receive({ type: 'ready' });
    const shown = posted.at(-1);
    assert.deepEqual(shown?.type === 'show' && [shown.ids, shown.attempts[0]?.cost], [['a'], 9]);
    host.dispose();
    assert.equal(models.get('a')!.holders, 0);
  });

  it('logs what it refuses, and what the page refuses', async () => {
    const { host, acts, warnings } = setUp();
    await host.receive({ type: 'refused', what: 'attempts: expected array' });
    await host.receive({ type: 'act', act: 'delete', id: 'a' });
    assert.equal(warnings[0], 'Comparison: the page refused a message: attempts: expected array');
    assert.match(warnings[1] ?? '', /^Comparison: refused a message: \S/);
    assert.deepEqual(acts, []);
  });
});
