import assert from 'node:assert/strict';
import type { Entry, StepEntry } from '../../../../src/shared/transcript';
import {
  entryOf,
  foldsEntry,
  foldOf,
  itemsOf,
  type View,
} from '../../../../src/features/conversation/page/items';
import { openFrom, turnFacts } from '../../../../src/features/conversation/page/turns';
import { turnLine, turnName } from '../../../../src/features/conversation/page/view/turn';
import {
  clipped,
  error,
  message,
  read,
  separator,
  start,
  step,
  terminal,
} from '../../../support/conversation/entries';
import { drawn } from '../../../support/drawn';
import { everyCase } from '../../../support/everyCase';

const done: View = { filter: 'all', open: new Set(), isWorking: false, hasOlder: false };

/** Items as their keys, without headings of days. */
const keysOf = (entries: readonly Entry[], view: Partial<View> = {}) =>
  itemsOf(entries, { ...done, ...view }).flatMap(({ kind, key }) => (kind === 'day' ? [] : [key]));

let time = start;
const at = () => ({ at: (time += 1_000) });
const user = (id: string) => message('user', id, { id, ...at() });
const agent = (id: string) => message('agent', id, { id, ...at() });
const steps = (name: string, count: number, more: Partial<StepEntry> = {}) =>
  Array.from({ length: count }, (_, index) =>
    terminal('ls', '', 0, { id: `${name}${index + 1}`, ...at(), ...more }),
  );
const edit = (path: string, added: number, removed: number, more: Partial<StepEntry> = {}) =>
  step(
    { step: 'edit', path, isNew: false, added, removed, diff: [], hasContents: false },
    { ...at(), ...more },
  );

function onlyTurn(entries: readonly Entry[], view: Partial<View> = {}) {
  const turns = itemsOf(entries, { ...done, ...view }).filter((item) => item.kind === 'turn');
  assert.equal(turns.length, 1);
  return turns[0]!;
}

describe('a turn that’s over', () => {
  it('is one line between the message and the answer, and opens in place', () => {
    const entries = [user('u'), ...steps('s', 6), agent('a')];
    assert.deepEqual(keysOf(entries), ['u', 'turn:s6', 'a']);
    const open = keysOf(entries, { open: new Set(['turn:s6']) });
    assert.deepEqual(open, ['u', 'turn:s6', 's1', 's2', 's3', 's4', 's5', 's6', 'a']);
  });

  it('isn’t folded while the agent works on it, or before it has an answer', () => {
    const entries = [user('u'), ...steps('s', 6), agent('a')];
    assert.deepEqual(
      keysOf(entries, { isWorking: true }),
      entries.map(({ id }) => id),
    );
    assert.equal(keysOf([...entries, user('u2')], { isWorking: true })[1], 'turn:s6');
    assert.equal(keysOf(entries.slice(0, -1)).includes('turn:s6'), false);
  });

  it('continues through a message that the agent reads while it works', () => {
    const entries = [user('u'), ...steps('s', 6), user('u2'), ...steps('t', 6)];
    assert.deepEqual(
      keysOf(entries, { isWorking: true }),
      entries.map(({ id }) => id),
    );
    assert.deepEqual(keysOf([...entries, agent('a')]), ['u', 'turn:s6', 'u2', 'turn:t6', 'a']);
    assert.equal(openFrom(entries, true), 0);
  });

  it('isn’t folded if it has few entries', () => {
    assert.deepEqual(keysOf([user('u'), ...steps('s', 4), agent('a')]), ['u', 's1', 's2', 's3', 's4', 'a']);
    const failed = error('e', 'f', { id: 'x', ...at() });
    const few = [user('u'), failed, ...steps('s', 4), agent('a')];
    assert.deepEqual(keysOf(few), ['u', 'x', 's1', 's2', 's3', 's4', 'a'], 'besides what stays');
  });

  it('keeps what must not be overlooked on screen', () =>
    everyCase(
      [
        error('e', 'f', { id: 'x', ...at() }),
        read('q', { id: 'x', ...at(), problem: clipped('missing'), state: 'failed' }),
        read('q', { id: 'x', ...at(), problem: clipped('No.'), state: 'rejected' }),
        terminal('ls', '', 0, {
          id: 'x',
          ...at(),
          hooks: [{ on: 'PostToolUse', outcome: 'failed', text: '' }],
        }),
        separator('gap', '', { id: 'x', ...at() }),
        separator('listening', '', { id: 'x', ...at(), port: 5173 }),
        separator('approved', '', { id: 'x', ...at() }),
      ],
      (entry) => [entry.kind, 'state' in entry ? entry.state : 'what' in entry ? entry.what : ''].join(' '),
      (entry) => {
        const entries = [user('u'), ...steps('s', 3), entry, ...steps('t', 3), agent('a')];
        assert.deepEqual(keysOf(entries), ['u', 'turn:t3', 'x', 'a']);
      },
    ));

  it('hides notes, and steps whose hooks had no objection', () =>
    everyCase(
      [
        terminal('ls', '', 0, { ...at(), hooks: [{ on: 'PostToolUse', outcome: 'passed', text: '' }] }),
        separator('paused', '', at()),
        message('environment', 'Note', at()),
      ],
      ({ kind }) => kind,
      (entry) => {
        const entries = [user('u'), ...steps('s', 3), entry, ...steps('t', 3), agent('a')];
        assert.deepEqual(keysOf(entries), ['u', 'turn:t3', 'a']);
      },
    ));

  it('ends with an error, last words, or notes about the agent', () => {
    const finish = step({ step: 'finish', text: 'Done' }, { id: 'f', ...at() });
    const failed = error('e', 'f', { id: 'e', ...at() });
    const note = separator('modelChanged', 'm', { id: 'n', ...at() });
    const begun = [user('u'), ...steps('s', 6)];
    assert.deepEqual(keysOf([...begun, agent('a'), finish, note]), ['u', 'turn:s6', 'a', 'f', 'n']);
    assert.deepEqual(keysOf([...begun, failed]), ['u', 'turn:s6', 'e']);
    assert.equal(keysOf([...begun, note]).includes('turn:s6'), false);
    const said = message('environment', 'Note', { id: 'm', ...at() });
    assert.deepEqual(keysOf([...begun, agent('a'), said]), ['u', 'turn:s6', 'a', 'm']);
    assert.deepEqual(keysOf([user('u'), finish], { filter: 'messages' }), ['u', 'f']);
  });

  it('isn’t folded by a filter', () => {
    const entries = [user('u'), ...steps('s', 6), agent('b'), ...steps('t', 3), agent('a')];
    assert.deepEqual(keysOf(entries, { filter: 'messages' }), ['u', 'b', 'a']);
    assert.deepEqual(keysOf(entries, { filter: 'errors' }), []);
  });

  it('has the same line when earlier entries of it arrive', () => {
    const late = [...steps('s', 6), agent('a')];
    const [item, whole] = [
      onlyTurn(late, { hasOlder: true }),
      onlyTurn([user('u'), ...steps('r', 3), ...late]),
    ];
    assert.deepEqual([item.key, item.isPart, whole.key, whole.isPart], ['turn:s6', true, 'turn:s6', false]);
    const begins = onlyTurn([user('u'), ...late], { hasOlder: true });
    assert.equal(begins.isPart, false, 'its message is here');
    assert.equal(onlyTurn(late).isPart, false, 'nothing is older');
    const two = itemsOf([...late, user('u2'), ...steps('t', 6), agent('b')], { ...done, hasOlder: true });
    assert.deepEqual(
      two.flatMap((one) => (one.kind === 'turn' ? [one.isPart] : [])),
      [true, false],
    );
  });

  it('is found by what it hides', () => {
    const failed = error('e', 'f', { id: 'x', ...at() });
    const items = itemsOf([user('u'), ...steps('s', 6), failed, ...steps('t', 1), agent('a')], done);
    const turn = foldOf(items, 's2');
    assert.deepEqual([turn?.key, entryOf(turn?.key ?? '')], ['turn:t1', 't1']);
    assert.deepEqual(
      [foldsEntry(turn!, 's2'), foldsEntry(turn!, 'x'), foldsEntry(turn!, 'u')],
      [true, false, false],
    );
  });
});

describe('the line of a turn', () => {
  it('counts steps, files, lines, and errors', () => {
    const facts = turnFacts(
      onlyTurn([
        user('u'),
        ...steps('s', 3),
        edit('a.ts', 10, 2),
        edit('a.ts', 1, 0),
        edit('b.ts', 5, 5, { state: 'failed', problem: clipped('No such text') }),
        edit('c.ts', 4, 4, { state: 'rejected', problem: clipped('No.') }),
        edit('d.ts', 3, 0),
        error('e', 'f', at()),
        agent('a'),
      ]).turn,
    );
    const { steps: count, files, added, removed, errors } = facts;
    assert.deepEqual(
      { count, files, added, removed, errors },
      { count: 8, files: 2, added: 14, removed: 2, errors: 2 },
    );
  });

  it('counts each file of a step that edits several, and no last words', () => {
    const several = edit('a.ts', 1, 0);
    assert.ok(several.detail.step === 'edit');
    const finish = step({ step: 'finish', text: 'Done' }, at());
    const { turn } = onlyTurn([
      ...[user('u'), ...steps('s', 5), edit('b.ts', 1, 0)],
      ...[{ ...several, detail: { ...several.detail, files: 3 } }, agent('a'), finish],
    ]);
    const { files, steps: count } = turnFacts(turn);
    assert.deepEqual([files, count], [4, 7]);
  });

  it('names one of each, and says of what isn’t all here that there’s more', () => {
    const notes = Array.from({ length: 5 }, () => separator('start', 'Done', at()));
    const one = [user('u'), ...notes, edit('a.ts', 2, 0), agent('a')];
    assert.match(turnName(onlyTurn(one)), /^1 step, 1 file, \d+ s$/);
    const late = [...steps('s', 6), edit('b.ts', 0, 1), edit('a.ts', 2, 0), agent('a')];
    assert.equal(turnName(onlyTurn(late, { hasOlder: true })), '8+ steps, 2 files');
    const line = (entries: readonly Entry[]) => drawn(() => turnLine(onlyTurn(entries))).text;
    assert.match(line(one), /^1 step · 1 file \+2 · \d+ s$/);
    assert.match(line(late), /^8 steps · 2 files \+2 −1 · \d+ s$/);
    assert.match(line([user('u'), ...steps('s', 6), agent('a')]), /^6 steps · \d+ s$/);
  });

  it('says nothing of steps where there are none, as in a start that failed', () => {
    const notes = Array.from({ length: 5 }, () => separator('start', 'Done', at()));
    const failed = error('Couldn’t start the conversation', 'No.', at());
    assert.equal(turnName(onlyTurn([user('u'), ...notes, failed])).split(',')[0], '1 error');
    assert.equal(turnName(onlyTurn([user('u'), ...steps('s', 6), failed])).split(',')[0], '6 steps');
  });

  const minutes = (count: number) => start + count * 60_000;
  const took = (...entries: Entry[]) => {
    const turn = [
      message('user', 'u', { at: minutes(0) }),
      ...entries,
      message('agent', 'a', { at: minutes(60) }),
    ];
    return turnFacts(onlyTurn(turn).turn).took;
  };
  const idle = (count: number) => steps('i', count, { at: minutes(1) });

  it('says how long the agent worked, not how long it waited for somebody', () => {
    assert.equal(took(...idle(5)), 60 * 60_000);
    const asked = steps('w', 2, { at: minutes(10), waited: 20 * 60_000 });
    assert.equal(took(...idle(5), ...asked), 40 * 60_000);
    assert.equal(
      took(...idle(5), separator('paused', '', { at: minutes(10) }), ...steps('p', 1, { at: minutes(40) })),
      30 * 60_000,
    );
    const stopped = [
      separator('interrupted', '', { at: minutes(10) }),
      ...steps('p', 1, { at: minutes(40) }),
    ];
    assert.equal(took(...idle(5), ...stopped), 30 * 60_000);
    const noted = [
      separator('modelChanged', 'm', { at: minutes(10) }),
      ...steps('p', 1, { at: minutes(40) }),
    ];
    assert.equal(took(...idle(5), ...noted), 60 * 60_000);
  });

  it('says nothing about the time if a wait’s length isn’t known', () => {
    assert.equal(took(...idle(5), ...steps('w', 1, { at: minutes(10), waited: null })), null);
  });

  it('doesn’t count what comes after the answer', () => {
    const { turn } = onlyTurn([
      message('user', 'u', { at: minutes(0) }),
      ...idle(5),
      message('agent', 'a', { at: minutes(5) }),
      separator('modelChanged', 'm', { at: minutes(600) }),
    ]);
    assert.equal(turnFacts(turn).took, 5 * 60_000);
  });
});
