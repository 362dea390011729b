import assert from 'node:assert/strict';
import { ConversationApp } from '../../../../src/features/conversation/page/app';
import type { TranscriptPage } from '../../../../src/features/conversation/page/page';
import type { FromPage } from '../../../../src/shared/conversationFromPage';
import { longestText } from '../../../../src/shared/bounded';
import type { KeptPage, ToPage } from '../../../../src/shared/conversationMessages';
import type { Entry, Head } from '../../../../src/shared/transcript';
import { action, head as aHead, message, start, terminal } from '../../../support/conversation/entries';

const keptPage: KeptPage = {
  ...{ id: 'c', service: 'https://lab.example', draft: 'Draft', revision: 7, place: null },
  ...{ filter: 'all', reason: null, seen: [] },
};
const begin = (change: Partial<Extract<ToPage, { type: 'begin' }>> = {}): ToPage => ({
  ...{ type: 'begin', id: 'c', service: 'https://lab.example', draft: { text: '', revision: 0 } },
  ...change,
});
const head = (change: Partial<Head> = {}): ToPage => ({ type: 'head', head: aHead(change) });
const entries = (...added: Entry[]): ToPage => ({
  type: 'entries',
  at: 0,
  removed: 0,
  added,
  hasOlder: false,
});

/** The page’s state without its view, which says where the user reads. */
function opened(kept: KeptPage | null = null) {
  const posted: FromPage[] = [];
  const did: string[] = [];
  const stored: KeptPage[] = [];
  const view: { place: KeptPage['place']; drawings: number } = { place: null, drawings: 0 };
  const page: TranscriptPage = {
    post: (one) => posted.push(one),
    keep: (one) => stored.push(one),
    draw: () => void (view.drawings += 1),
    place: () => view.place,
    reveal: (key, offset) => did.push(`reveal ${key}${offset === undefined ? '' : ` at ${offset}`}`),
    toEnd: () => did.push('end'),
    move: (by) => did.push(`move ${by}`),
    showRest: () => did.push('rest'),
    hold: () => did.push('hold'),
    focus: (id) => did.push(`focus ${id}`),
    leaveSearch: (isFound) => did.push(`leave ${isFound}`),
    announce: (words) => did.push(`say ${words}`),
  };
  const app = new ConversationApp(page, kept);
  const tell = (...messages: ToPage[]) => {
    for (const one of messages) app.receive(structuredClone(one));
  };
  /** What is posted meanwhile, and what is asked of the page. */
  const during = (act: () => void) => {
    posted.length = did.length = 0;
    act();
    return { posted: [...posted], did: [...did] };
  };
  return { app, tell, during, view, posted, did, stored, state: () => app.state };
}

const lastOf = (stored: readonly KeptPage[]) => {
  const last = stored.at(-1);
  assert.ok(last);
  return last;
};

/** A page of a conversation whose agent waits for these. */
const waiting = (...pending: Head['pending']) => {
  const page = opened();
  page.tell(begin(), head({ pending }));
  return page;
};

describe('the state of a conversation’s page', () => {
  it('is kept with the draft, the place, and what was seen, once it’s known whose it is', () => {
    const { app, tell, view, stored } = opened();
    app.setText('Half');
    assert.deepEqual(stored, []);
    tell(begin());
    view.place = { id: 'e', offset: 3 };
    app.setFilter('messages');
    app.setCard({ reason: 'No', seenActions: ['m'] });
    const { revision, ...rest } = lastOf(stored);
    assert.ok(revision > 0);
    assert.deepEqual(rest, {
      ...{ id: 'c', service: 'https://lab.example', draft: 'Half', place: { id: 'e', offset: 3 } },
      ...{ filter: 'messages', reason: 'No', seen: ['m'] },
    });
    app.setCard({ answered: true });
    assert.equal(lastOf(stored).reason, null, 'it was given');
  });

  it('asks to be filled with the draft that it has, unless that’s too long for the extension', () => {
    const ready = (draft: string) => {
      const { app, posted, view } = opened({ ...keptPage, draft });
      app.start();
      assert.equal(view.drawings, 1);
      return posted;
    };
    assert.deepEqual(ready('Draft'), [{ type: 'ready', draft: { text: 'Draft', revision: 7 } }]);
    const none = { type: 'ready', draft: { text: '', revision: 0 } };
    assert.deepEqual(ready('x'.repeat(longestText + 1)), [none]);
    const { tell, posted } = opened();
    tell({ type: 'restart' });
    assert.deepEqual(posted, [none]);
  });

  it('goes back to the place of its conversation, and of no other', () => {
    const place = { id: 'a', offset: -20 };
    const back = (id: string) => {
      const { app, tell, did, stored } = opened({ ...keptPage, place });
      app.start();
      tell(begin({ id }));
      assert.deepEqual(stored.at(-1)?.place, id === 'c' ? place : null);
      tell(entries());
      assert.deepEqual(did, [], 'nothing is there yet');
      tell(entries(message('user', 'Go', { id: 'a' })));
      return did;
    };
    assert.deepEqual(back('c'), ['reveal a at -20']);
    assert.deepEqual(back('other'), []);
  });

  it('stays in place when the extension starts over', () => {
    const { tell, view, during } = opened();
    tell(begin(), entries(message('user', 'Go', { id: 'a' })));
    view.place = { id: 'a', offset: 5 };
    tell(begin());
    view.place = null;
    assert.deepEqual(during(() => tell(entries(message('user', 'Go', { id: 'a' })))).did, ['reveal a at 5']);
  });

  it('goes where the user went meanwhile instead of the place before', () => {
    const { app, tell, during } = opened({ ...keptPage, place: { id: 'old', offset: 9 } });
    app.start();
    tell(begin());
    const asked = during(() => tell(entries(message('user', 'Go', { id: 'a' }))));
    assert.deepEqual(asked.posted, [{ type: 'goTo', id: 'old' }]);
    assert.deepEqual(during(() => tell({ type: 'reveal', id: 'a' })).did, ['reveal a']);
  });

  it('shows all again to go to an entry that its filter hides, and only then', () => {
    const { app, tell, during, state } = opened();
    tell(begin(), entries(message('user', 'Go', { id: 'm' }), terminal('ls', '', 0, { id: 's' })));
    app.setFilter('messages');
    assert.deepEqual(during(() => tell({ type: 'reveal', id: 'm' })).did, ['reveal m']);
    assert.equal(state().filter, 'messages');
    assert.deepEqual(during(() => tell({ type: 'reveal', id: 's' })).did, ['reveal s']);
    assert.equal(state().filter, 'all');
  });

  it('searches again when the extension starts over', () => {
    const { app, tell, during } = opened();
    tell(begin());
    assert.deepEqual(during(() => tell(begin())).posted, []);
    app.set({
      search: { query: 'x', ids: [], current: undefined, searched: 'all' },
      finding: { wholeWord: true },
    });
    const search = { type: 'search', query: 'x', wholeWord: true };
    assert.deepEqual(during(() => tell(begin())).posted, [search]);
  });

  it('has the user’s settings, and where its connection is', () => {
    const { tell, state } = opened();
    tell({ type: 'options', sendWith: 'ctrlEnter', elsewhere: 'Lab' });
    assert.deepEqual([state().sendWith, state().elsewhere], ['ctrlEnter', 'Lab']);
  });

  it('says what waits, once for each', () => {
    const { tell, during, state } = opened();
    tell(begin());
    const pending = [action('p', 'ls')];
    const says = (change: Partial<Head>) => during(() => tell(head(change))).did;
    assert.deepEqual(says({}), []);
    assert.deepEqual(says({ pending }), ['say The agent asks for your approval of 1 action']);
    assert.deepEqual(says({ pending, title: 'Other' }), []);
    tell({ type: 'reviewed', ids: ['p'] });
    tell(head({ pending }));
    assert.deepEqual([...state().reviewed], ['p']);
    assert.deepEqual(says({ pending: [action('p', 'rm')] }), [
      'say The agent asks for your approval of 1 action',
    ]);
    assert.deepEqual([...state().reviewed], [], 'something else, by the same ID');
    assert.deepEqual(says({}), []);
  });

  it('counts and says what came after the last entry only', () => {
    const { app, tell, during, view, state } = opened();
    const at = (second: number) => start + second * 1_000;
    tell(begin(), entries(message('user', 'Go', { id: 'a', at: at(5) })));
    view.place = { id: 'a', offset: 0 };
    const told = (more: Omit<Extract<ToPage, { type: 'entries' }>, 'type' | 'hasOlder'>) => {
      app.set({ unseen: 0 });
      const { did } = during(() => tell({ type: 'entries', hasOlder: false, ...more }));
      return [state().unseen, ...did];
    };
    const said = (id: string, second: number) => message('agent', `Say ${id}`, { id, at: at(second) });
    assert.deepEqual(told({ at: 0, removed: 0, added: [said('old', 1)] }), [0], 'an older one');
    assert.deepEqual(told({ at: 2, removed: 0, added: [said('b', 5)] }), [1, 'say Agent: Say b']);
    assert.deepEqual(told({ at: 2, removed: 1, added: [said('b', 5)] }), [0], 'the same one, changed');
    const others = [message('user', 'Mine', { at: at(6) }), terminal('ls', '', 0, { at: at(7) })];
    assert.deepEqual(told({ at: 3, removed: 0, added: others }), [2]);
    app.setFilter('messages');
    assert.deepEqual(told({ at: 5, removed: 0, added: [terminal('ls', '', 0, { at: at(8) })] }), [0]);
    view.place = null;
    assert.deepEqual(told({ at: 6, removed: 0, added: [said('c', 9)] }), [0, 'say Agent: Say c']);
    tell(begin());
    assert.deepEqual(told({ at: 0, removed: 0, added: [said('d', 10)] }), [0], 'all of it is new');
  });

  it('says a fault once, where it’s known', () => {
    const { tell, during, state } = opened();
    const outgoing = [{ id: 'o', text: 'Go', state: 'failed', problem: 'Full.' }] as const;
    tell(begin(), head({ outgoing: [...outgoing], problem: 'Gone.' }));
    const fails = (problem: string) => {
      const { did } = during(() => tell({ type: 'outcome', of: 'send', problem }));
      return [...did, ...state().notices];
    };
    assert.deepEqual(fails(''), []);
    assert.deepEqual(fails('Full.'), ['say Full.']);
    assert.deepEqual(fails('Gone.'), ['say Gone.']);
    tell(head());
    assert.deepEqual(fails(''), [], 'nothing is known to be wrong');
    assert.deepEqual(fails('No.'), ['say No.', 'No.']);
    tell({ type: 'notice', message: 'Other.' }, { type: 'notice', message: 'No.' });
    assert.deepEqual(state().notices, ['Other.', 'No.'], 'the newest is last, each once');
  });

  it('puts a text back above what was typed since, as a newer draft', () => {
    const { app, tell, state } = opened();
    tell(begin({ draft: { text: 'Mine', revision: 20 } }));
    const newer = Date.now() + 60_000;
    tell({ type: 'restoreText', text: 'Sent', revision: newer });
    assert.equal(state().text, 'Sent\n\nMine');
    assert.ok(state().revision > newer);
    app.setText('');
    const { revision } = state();
    tell({ type: 'restoreText', text: 'Again', revision: 1 });
    assert.deepEqual([state().text, state().revision > revision], ['Again', true]);
  });

  it('says once that an answer on the side is there', () => {
    const { app, tell, during, state } = opened();
    const aside = { question: 'Why?', answer: 'Because.' };
    assert.deepEqual(during(() => tell({ type: 'aside', aside })).did, ['say Answer on the Side']);
    assert.deepEqual(state().aside, aside);
    app.set({ aside: null });
    assert.deepEqual(during(() => tell({ type: 'aside', aside: null })).did, []);
  });

  it('reads older entries one page at a time, and not by itself after a failure', () => {
    const { app, tell, during, state } = opened();
    tell(begin());
    const wants = (act: () => void) => during(act).posted.map(({ type }) => type);
    assert.deepEqual(
      wants(() => app.loadOlder()),
      [],
      'there are none',
    );
    tell({ type: 'entries', at: 0, removed: 0, added: [], hasOlder: true });
    assert.deepEqual(
      wants(() => app.wantOlder()),
      ['loadOlder'],
    );
    assert.deepEqual(
      wants(() => app.wantOlder()),
      [],
    );
    tell({ type: 'olderLoaded', problem: 'No.' });
    assert.deepEqual(
      wants(() => app.wantOlder()),
      [],
    );
    assert.deepEqual(
      wants(() => app.loadOlder()),
      ['loadOlder'],
    );
    assert.equal(state().olderFailed, false);
  });
});

describe('the search in a conversation’s page', () => {
  const found = (ids: string[], current?: string) => {
    const page = opened();
    page.tell(begin(), entries(...['a', 'b', 'c'].map((id) => message('user', id, { id }))));
    page.app.set({ search: { query: 'x', ids, current, searched: 'all' }, filter: 'messages' });
    return page;
  };

  it('begins empty, or with what it was', () => {
    const { app, during, state } = opened();
    assert.deepEqual(during(() => app.openSearch()).did, ['focus search']);
    assert.deepEqual(state().search, { query: '', ids: [], current: undefined, searched: 'all' });
    const was = found(['a'], 'a');
    was.app.openSearch();
    assert.equal(was.state().search?.query, 'x');
  });

  it('ends for the extension, too, and leaves the user at what was found', () => {
    for (const [current, left] of [
      ['a', 'leave true'],
      [undefined, 'leave false'],
    ] as const) {
      const { app, during, state } = found(['a'], current);
      const ended = during(() => app.closeSearch());
      assert.deepEqual(ended, { posted: [{ type: 'search', query: '' }], did: [left] });
      assert.equal(state().search, null);
    }
    const never = opened();
    assert.deepEqual(never.during(() => never.app.closeSearch()).did, ['leave false']);
  });

  it('asks once nobody types for a moment, with its options', () => {
    const realTimeout = setTimeout;
    const timers: (() => void)[] = [];
    Object.assign(globalThis, { setTimeout: (act: () => void) => timers.push(act) });
    try {
      const { app, during, state } = opened();
      app.setQuery('x'.repeat(longestText + 1));
      const { query, ...rest } = state().search!;
      assert.deepEqual(
        [query.length, rest],
        [longestText, { ids: [], current: undefined, searched: 'going' }],
      );
      app.setQuery('go');
      app.toggleFinding('wholeWord');
      assert.deepEqual([state().search?.query, state().finding], ['go', { wholeWord: true }]);
      assert.deepEqual(during(() => timers.at(-1)?.()).posted, [
        { type: 'search', query: 'go', wholeWord: true },
      ]);
      app.toggleFinding('wholeWord');
      assert.deepEqual(state().finding, { wholeWord: false });
      app.closeSearch();
      assert.deepEqual(during(() => timers.at(-1)?.()).posted, []);
      app.toggleFinding('wholeWord');
      assert.equal(state().search?.query, '');
    } finally {
      Object.assign(globalThis, { setTimeout: realTimeout });
    }
  });

  it('goes from one to the next, and around at the ends', () => {
    const step = (by: 1 | -1, current: string) => {
      const { app, during, state } = found(['a', 'b', 'c'], current);
      const { did } = during(() => app.step(by));
      return [state().search?.current, ...did, state().filter, ...state().open];
    };
    assert.deepEqual(step(1, 'a'), ['b', 'reveal b', 'all', 'b']);
    assert.deepEqual(step(-1, 'c'), ['b', 'reveal b', 'all', 'b']);
    assert.deepEqual(step(1, 'c')[0], 'a');
    assert.deepEqual(step(-1, 'a')[0], 'c');
    for (const none of [found([]), opened()])
      assert.deepEqual(
        none.during(() => none.app.step(1)),
        { posted: [], did: [] },
      );
  });

  it('filters and opens nothing for an entry that it didn’t find', () => {
    const { app, state } = found(['a'], 'a');
    app.goTo('b');
    assert.deepEqual([state().filter, [...state().open]], ['messages', []]);
  });

  it('goes to the last that was found, unless that’s where it is', () => {
    const { tell, during, state } = found(['a'], 'a');
    const tells = (...ids: string[]) =>
      during(() => tell({ type: 'found', query: 'x', ids, searched: 'all' })).did;
    assert.deepEqual(tells('b', 'c'), ['reveal c'], 'it’s no longer found');
    assert.deepEqual(tells(), []);
    assert.equal(state().search?.current, undefined);
    const none = opened();
    none.tell({ type: 'found', query: 'x', ids: ['a'], searched: 'all' });
    assert.equal(none.state().search, null);
  });
});

describe('what is done in a conversation’s page', () => {
  it('is a message, which empties the box, or the reason why not', () => {
    const { app, tell, during, state, stored } = opened();
    tell(begin());
    app.setText('Go');
    assert.deepEqual(
      during(() => app.send()),
      { posted: [], did: [] },
      'nothing is known yet',
    );
    tell(head({ sendEffect: 'impossible' }));
    assert.match(during(() => app.send()).did.join(), /^say /);
    tell(head({ sendEffect: 'starts' }));
    app.setText(' \n');
    assert.deepEqual(
      during(() => app.send()),
      { posted: [], did: [] },
    );
    tell({ type: 'attachments', attachments: [{ id: 'q', kind: 'quote', label: 'a.ts', preview: null }] });
    assert.ok(app.canSend);
    tell({ type: 'attachments', attachments: [] });
    app.setText(' Go');
    const { revision } = state();
    const sent = during(() => app.send());
    assert.deepEqual(sent.did, ['end']);
    const [one] = sent.posted;
    assert.ok(one?.type === 'send' && one.text === ' Go' && one.revision > revision);
    assert.deepEqual([state().text, stored.at(-1)?.draft], ['', '']);
    app.setText('x'.repeat(longestText + 1));
    assert.ok(!app.canSend);
  });

  it('is an answer, once, and no approval before all was seen', () => {
    const { app, during, state } = waiting(action('p', 'ls'));
    const answers = (how: 'approve' | 'reject') => during(() => app.answer(how)).posted;
    assert.deepEqual(answers('approve'), []);
    app.setCard({ settled: true });
    const [approved] = answers('approve');
    assert.ok(approved?.type === 'approve');
    assert.deepEqual([approved.ids, approved.marks.length], [['p'], 1]);
    assert.deepEqual([[...state().busy], state().card.answered], [['approve'], true]);
    assert.deepEqual(answers('reject'), []);
    app.setCard({ answered: false });
    assert.deepEqual(answers('approve'), [], 'it’s on its way');
  });

  it('is a rejection with words or without, and then goes on in the composer', () => {
    const reject = (reason: string | null) => {
      const { app, during, state } = waiting(action('p', 'ls'));
      app.setCard({ reason });
      const { posted, did } = during(() => app.answer('reject'));
      return [posted, did.join(), state().notices.length];
    };
    const rejection = (reason: string) => [{ type: 'reject', ids: ['p'], reason }];
    assert.deepEqual(reject(null), [rejection(''), 'focus composer', 0]);
    const most = 'x'.repeat(longestText);
    assert.deepEqual(reject(most), [rejection(most), 'focus composer', 0]);
    const { app, during } = waiting(action('p', 'ls'));
    app.setCard({ reason: `${most}xy` });
    const { posted, did } = during(() => app.answer('reject'));
    assert.deepEqual([posted, app.state.notices.length], [[], 1]);
    assert.match(did.join(), /\b2\b/);
  });

  it('leaves the focus after an approval', () => {
    const { app, during } = waiting(action('p', 'ls'));
    app.setCard({ settled: true });
    assert.deepEqual(during(() => app.answer('approve')).did, []);
  });

  it('is a pause, an interruption, or a next step, each once at a time', () => {
    const { app, tell, during } = opened();
    const asks = (act: () => void) => during(act).posted.map(({ type }) => type);
    for (const how of ['pause', 'interrupt', 'resume'] as const) {
      assert.deepEqual(
        asks(() => app.steer(how)),
        [how],
      );
      assert.deepEqual(
        asks(() => app.steer(how)),
        [],
      );
    }
    assert.deepEqual(
      asks(() => app.nextStep()),
      ['nextStep'],
    );
    assert.deepEqual(
      asks(() => app.nextStep()),
      [],
    );
    tell({ type: 'outcome', of: 'nextStep', problem: '' });
    tell({ type: 'unavailable', message: 'Gone.', nextStep: 'Sign in.', button: 'Sign In' });
    for (const time of ['once', 'again'])
      assert.deepEqual(
        asks(() => app.nextStep()),
        ['nextStep'],
        time,
      );
  });

  it('is noted at the end only if that changes', () => {
    const { app, view, state } = opened();
    app.setAtEnd(true);
    assert.equal(view.drawings, 0);
    app.setAtEnd(false);
    assert.deepEqual([view.drawings, state().isAtEnd], [1, false]);
  });
});
