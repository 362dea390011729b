import assert from 'node:assert/strict';
import { Files } from '../../../../src/features/conversation/page/files';
import { Coverage } from '../../../../src/features/conversation/page/onScreen';
import { initialConversation } from '../../../../src/features/conversation/page/state';
import { aboutSpan, stateWords } from '../../../../src/features/conversation/page/words';
import type { ToPage } from '../../../../src/shared/conversationMessages';
import { mostPaths } from '../../../../src/shared/conversationMessages';
import { message, terminal } from '../../../support/conversation/entries';
import { drawnPage } from '../../../support/conversation/drawnPage';

/** A page that was told this. */
function told(...messages: ToPage[]) {
  const shown = drawnPage({}, { entries: [message('user', 'Go', { id: 'a' })] });
  const tell = (one: ToPage) => shown.app.receive(structuredClone(one));
  for (const one of messages) tell(one);
  return { ...shown, tell, state: () => shown.app.state };
}

describe('the page of a conversation, told by the extension', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));

  it('goes on with what it knows after a failure', () => {
    const failed = told({ type: 'olderLoaded', problem: 'No answer.' }).state();
    assert.deepEqual([failed.olderFailed, failed.notices], [true, ['No answer.']]);
    const loaded = told({ type: 'olderLoaded', problem: '' }).state();
    assert.deepEqual([loaded.olderFailed, loaded.notices], [false, []]);
    const { posted, did, state } = told(
      { type: 'notice', message: 'One.' },
      { type: 'notice', message: 'One.' },
    );
    assert.deepEqual([state().notices, did], [['One.'], ['say One.', 'say One.']]);
    assert.deepEqual(posted, []);
  });

  it('shows what was found, and goes to the last of it', () => {
    const { app, tell, did, state } = told();
    app.set({ search: { query: 'go', ids: [], current: undefined, searched: 'all' } });
    tell({ type: 'found', query: 'other', ids: ['a'], searched: 'all' });
    assert.deepEqual(state().search?.ids, []);
    tell({ type: 'found', query: 'go', ids: ['x', 'a'], searched: 'going' });
    assert.deepEqual([state().search?.current, state().search?.searched, did], ['a', 'going', ['reveal a']]);
    tell({ type: 'found', query: 'go', ids: ['a', 'b'], searched: 'all' });
    assert.deepEqual([state().search?.current, did], ['a', ['reveal a']], 'it stays there');
    assert.ok(state().open.has('a'));
  });

  it('takes pictures, skills, files that are here, and an answer on the side', () => {
    const { app, tell, state, did } = told();
    tell({ type: 'pictures', id: 'a', uris: ['data:image/png;base64,AA=='] });
    assert.equal(state().pictures.get('a')?.length, 1);
    tell({ type: 'located', paths: ['x'] });
    tell({ type: 'located', paths: ['y'] });
    assert.deepEqual([...state().here], ['x', 'y']);
    app.set({ mention: { sign: '/', query: 'r', end: 2, items: [], active: 0 } });
    const items = [{ id: 'i', label: '/review', detail: '' }];
    tell({ type: 'skills', query: 'r', items });
    assert.deepEqual(state().mention?.items, items);
    app.set({ mention: { sign: '#', query: 'r', end: 2, items: [], active: 0 } });
    tell({ type: 'context', query: 'r', items });
    assert.deepEqual(state().mention?.items, items);
    const aside = { question: 'Why?', answer: 'Because.' };
    tell({ type: 'aside', aside });
    tell({ type: 'aside', aside: null });
    assert.deepEqual([state().aside, did], [null, ['say Answer on the Side']]);
  });

  it('moves, and focuses what the user asked for', () => {
    assert.deepEqual(told({ type: 'move', to: 'next' }).did, []);
    const { did, posted } = told(
      { type: 'move', to: 'end' },
      { type: 'focus', on: 'pending' },
      { type: 'focus', on: 'composer' },
    );
    assert.deepEqual([did, posted], [['end', 'focus pending-title', 'focus composer'], []]);
  });

  it('can be answered again after an answer that failed', () => {
    const outcome = (of: 'approve' | 'pause', problem: string) => {
      const { app, tell, state } = told();
      app.set({ busy: new Set([of]), card: { ...state().card, answered: true } });
      tell({ type: 'outcome', of, problem });
      return [state().busy.size, state().card.answered, state().notices];
    };
    assert.deepEqual(outcome('approve', ''), [0, true, []]);
    assert.deepEqual(outcome('approve', 'No.'), [0, false, ['No.']]);
    assert.deepEqual(outcome('pause', 'No.'), [0, true, ['No.']]);
    const { app, tell, state, did } = told();
    const { head } = state();
    assert.ok(head);
    app.set({ head: { ...head, problem: 'Known.' } });
    tell({ type: 'outcome', of: 'pause', problem: 'Known.' });
    assert.deepEqual([state().notices, did], [[], ['say Known.']], 'it’s said once');
  });

  it('counts what is new below while somebody reads further up', () => {
    const { app, tell, state, did } = told();
    const added = [message('agent', 'Done.', { id: 'b' }), terminal('ls', '', 0, { id: 'c' })];
    tell({ type: 'entries', at: 1, removed: 0, added, hasOlder: false });
    assert.deepEqual([state().entries.length, state().unseen, did], [3, 0, ['say Agent: Done.']]);
    assert.equal(app.state.hasOlder, false);
    tell({ type: 'entries', at: 0, removed: 1, added: [], hasOlder: true });
    assert.deepEqual([state().entries.length, state().hasOlder], [2, true]);
  });

  it('refuses what it doesn’t know', () => {
    const { app, posted } = told();
    app.receive({ type: 'delete' });
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['refused'],
    );
  });
});

describe('words of a conversation', () => {
  it('say the state that its row in the list says', () => {
    const words = (change: Partial<Parameters<typeof stateWords>[0]>) =>
      stateWords({ execution: 'running', limit: 'none', problem: '', ...change });
    assert.equal(words({}), words({ limit: 'busy' }));
    assert.notEqual(words({}), words({ problem: 'No.' }));
    assert.equal(words({ problem: 'No.' }), words({ execution: 'unknown' }));
    assert.equal(words({ execution: 'unknown', limit: 'asleep' }), 'Sandbox paused');
    assert.equal(words({ execution: 'unknown', limit: 'gone' }), 'Sandbox missing');
    assert.equal(words({ execution: 'error', limit: 'notStarted' }), 'Not started');
    assert.equal(words({ execution: 'error' }), words({ execution: 'error', limit: 'stored' }));
    assert.notEqual(words({ execution: 'running', limit: 'notStarted' }), 'Not started');
  });

  it('are no more exact about a span than people are', () => {
    assert.deepEqual([0, 59_999, 60_000, 89_999, 90_000, 3_569_999, 3_570_000, 5_400_000].map(aboutSpan), [
      '0 s',
      '59 s',
      '1 min',
      '1 min',
      '2 min',
      '59 min',
      '1 h 0 min',
      '1 h 30 min',
    ]);
  });
});

describe('the files that a page names', () => {
  it('are looked for once, many at a time', () => {
    const asked: string[][] = [];
    const files = new Files((one) => one.type === 'locate' && asked.push(one.paths));
    const links = files.links({ ...initialConversation, here: new Set(['b']) }, 'm');
    assert.deepEqual(['a', 'b', 'a', '', 'x'.repeat(5_000)].map(links.isHere), [
      false,
      true,
      false,
      false,
      false,
    ]);
    files.ask();
    files.ask();
    assert.deepEqual(asked.splice(0), [['a', 'b']]);
    for (let at = 0; at <= mostPaths; at += 1) links.isHere(`f${at}`);
    files.ask();
    assert.deepEqual(
      asked.splice(0).map(({ length }) => length),
      [mostPaths, 1],
    );
    links.isHere('late');
    files.forget();
    files.ask();
    assert.deepEqual(asked, [], 'another conversation');
    links.isHere('a');
    files.ask();
    assert.deepEqual(asked, [['a']]);
  });
});

describe('what was on screen of an action', () => {
  it('is all of it only without a gap', () => {
    const seen = new Coverage();
    assert.deepEqual([seen.end, seen.covers(0)], [0, false]);
    seen.add(60, 100);
    assert.deepEqual([seen.end, seen.covers(100)], [0, false], 'not the beginning');
    seen.add(30, 30);
    seen.add(0, 40);
    assert.deepEqual([seen.end, seen.covers(100)], [40, false]);
    seen.add(40, 60);
    assert.deepEqual([seen.end, seen.covers(100)], [100, true]);
    assert.ok(seen.covers(101), 'a fraction of a pixel doesn’t count');
    assert.ok(!seen.covers(101.5));
    const late = new Coverage();
    late.add(1, 50);
    assert.ok(late.covers(50));
    const cut = new Coverage();
    cut.add(1.5, 50);
    assert.ok(!cut.covers(50));
  });
});
