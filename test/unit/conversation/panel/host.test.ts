import assert from 'node:assert/strict';
import { markOf } from '../../../../src/shared/actionMark';
import { unlessAborted } from '../../../../src/api/http/signals';
import { noDraft } from '../../../../src/features/conversation/panel/attachments';
import { longestText } from '../../../../src/shared/bounded';
import type { PendingAction } from '../../../../src/shared/transcript';
import { nextTurn } from '../../../../src/core/basics/nextTurn';
import type { Outcome } from '../../../../src/features/live/model/model';
import {
  action,
  clipped,
  manyEntries,
  message,
  start,
  step,
  terminal,
} from '../../../support/conversation/entries';
import type { FakeModel } from '../../../support/conversation/fakeModel';
import { settled } from '../../../support/settled';
import { Harness } from './support';
import { seeded } from '../../changes/seeded';

const never = new AbortController().signal;

const refused: Outcome = { kind: 'refused', problem: 'The sandbox is gone.' };

describe('extension side of a conversation', () => {
  it('sends head, draft and the newest entries when the page is ready', async () => {
    const test = await new Harness({ ...noDraft, text: 'Hi', revision: 3 }).open(manyEntries(1_000));
    assert.deepEqual(test.take('begin'), [
      { type: 'begin', id: 'c-1', service: 'http://service.invalid', draft: { text: 'Hi', revision: 3 } },
    ]);
    assert.equal(test.take('head').length, 1);
    const [entries] = test.take('entries');
    assert.equal(entries?.added.length, 200);
    assert.equal(entries.added.at(-1)?.id, 'many-999');
    assert.equal(entries.hasOlder, true);
  });

  it('puts an inserted text above what is in the composer, unless that would be too long', async () => {
    const test = await new Harness({ ...noDraft, text: 'Hi', revision: 3 }).open();
    test.host.insert('Fix the tests.');
    assert.deepEqual(
      test.take('restoreText').map(({ text }) => text),
      ['Fix the tests.'],
    );
    assert.equal(test.stored.text, 'Fix the tests.\n\nHi');
    assert.equal(test.host.text, test.stored.text);
    test.host.insert('x'.repeat(longestText));
    assert.deepEqual(test.take('restoreText'), []);
    assert.deepEqual(
      test.take('notice').map(({ message }) => message),
      ['The message would be too long.'],
    );
    assert.equal(test.host.text, test.stored.text);
  });

  it('reads and follows only while the panel is visible', async () => {
    const test = await new Harness().open();
    assert.equal(test.model.holders, 1);
    test.host.setVisible(true);
    assert.equal(test.model.holders, 1);
    test.host.setVisible(false);
    assert.equal(test.model.holders, 0);
    test.posted = [];
    test.model.set({ entries: manyEntries(3), head: { title: 'New' } });
    assert.deepEqual(test.posted, []);
    test.host.setVisible(true);
    await test.send({ type: 'ready', draft: { text: '', revision: 0 } });
    assert.equal(test.draw().length, 3);
    test.host.dispose();
    assert.equal(test.model.holders, 0);
    test.model.set({ entries: [] });
    assert.equal(test.draw().length, 3);
  });

  it('sends only what changed', async () => {
    const entries = manyEntries(50);
    const test = await new Harness().open(entries);
    test.draw();
    test.take('head');
    const running = { ...entries[49]! };
    const more = message('agent', 'More', { id: 'more' });
    test.model.set({ entries: [...entries.slice(0, 49), running, more] });
    const [splice] = test.take('entries');
    assert.deepEqual([splice?.at, splice?.removed, splice?.added.length], [49, 1, 2]);
    assert.deepEqual(test.take('head'), []);
    test.model.set({ head: { cost: 1 } });
    assert.deepEqual([test.take('head').length, test.take('entries').length], [1, 0]);
  });

  it('always leaves the page with the end of the transcript, whatever changes', async () => {
    const test = await new Harness().open(manyEntries(30));
    test.draw();
    let seed = (seeded('SPLICES_SEED', {}).seed ?? 0) + 1;
    const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
    for (let turn = 0; turn < 300; turn += 1) {
      const { entries } = test.model;
      const at = random(entries.length + 1);
      const added = Array.from({ length: random(4) }, (_, index) =>
        message('user', 'x', { id: `${turn}-${index}` }),
      );
      test.model.set({ entries: entries.toSpliced(at, random(3), ...added) });
      if (turn % 20 === 0) await test.send({ type: 'loadOlder' });
      const shown = test.draw();
      assert.deepEqual(
        shown,
        shown.length === 0 ? [] : test.model.entries.slice(-shown.length).map(({ id }) => id),
      );
    }
  });

  it('shows older entries that it has, then reads more', async () => {
    const test = new Harness();
    test.model.older = [manyEntries(100)];
    test.model.head = { ...test.model.head, hasOlder: true };
    const newer = manyEntries(350).map((entry) => ({ ...entry, id: `n-${entry.id}`, at: entry.at + 1e9 }));
    await test.open(newer);
    assert.equal(test.draw().length, 200);
    await test.send({ type: 'loadOlder' });
    assert.equal(test.draw().length, 350);
    assert.deepEqual(test.model.calls, []);
    await test.send({ type: 'loadOlder' });
    assert.deepEqual(test.model.calls, ['loadOlder']);
    const last = test.take('olderLoaded');
    assert.deepEqual(
      last.map(({ problem }) => problem),
      ['', ''],
    );
    assert.equal(test.draw().length, 450);
    assert.equal(test.draw()[0], 'many-0');
  });

  it('says why older entries can’t be read', async () => {
    const test = await new Harness().open(manyEntries(3));
    test.model.failing = new Error('boom');
    await test.send({ type: 'loadOlder' });
    assert.match(test.take('olderLoaded')[0]?.problem ?? '', /./);
  });

  it('shows the transcript back to an entry that is asked for', async () => {
    const test = await new Harness().open(manyEntries(1_000));
    await test.send({ type: 'goTo', id: 'many-400' });
    assert.equal(test.draw()[0], 'many-300');
    assert.deepEqual(test.take('reveal'), [{ type: 'reveal', id: 'many-400' }]);
    test.model.older = [[message('user', 'first', { id: 'first', at: start - 1 })]];
    test.model.set({ head: { hasOlder: true } });
    await test.send({ type: 'goTo', id: 'first' });
    assert.deepEqual(test.take('reveal'), [{ type: 'reveal', id: 'first' }]);
    await test.send({ type: 'goTo', id: 'nowhere' });
    assert.deepEqual(test.take('reveal'), []);
  });

  it('keeps only the last of the long texts that it has read for a search', async () => {
    const test = new Harness();
    const shortened = { text: { text: 'Begin … end', length: 3_000_000 } };
    const read: string[] = [];
    test.model.fullText = (id) => {
      read.push(id);
      return Promise.resolve(`${id} `.padEnd(3_000_000, 'x'));
    };
    await test.open(['one', 'two'].map((id) => message('agent', '', { id, ...shortened })));
    await test.send({ type: 'search', query: 'first' });
    assert.deepEqual(read.splice(0), ['one', 'two']);
    await test.send({ type: 'search', query: 'second' });
    // Both together are more than is kept, and reading one again drops the other.
    assert.deepEqual(read, ['one', 'two']);
    test.model.set({ entries: test.model.entries.slice(1) });
    read.length = 0;
    await test.send({ type: 'search', query: 'third' });
    assert.deepEqual(read, []);
  });

  it('reads nothing for an entry that there isn’t, once there are no older ones', async () => {
    const test = await new Harness().open(manyEntries(3));
    await test.send({ type: 'goTo', id: 'none' });
    assert.deepEqual(test.model.calls, []);
    assert.deepEqual(test.take('reveal'), []);
  });

  it('takes no other text of the revision that it has', async () => {
    const test = await new Harness({ ...noDraft, text: 'Mine', revision: 3 }).open();
    await test.send({ type: 'draft', text: 'Other', revision: 3 });
    assert.equal(test.stored.text, 'Mine');
    await test.send({ type: 'draft', text: 'Newer', revision: 4 });
    assert.equal(test.stored.text, 'Newer');
  });

  it('searches what it has at once, then the whole transcript', async () => {
    const test = new Harness();
    test.model.head = { ...test.model.head, hasOlder: true };
    test.model.older = [[message('user', 'An old NEEDLE', { id: 'old' })]];
    await test.open([
      terminal('grep', 'a needle here', 0, { id: 'out' }),
      step(
        {
          step: 'edit',
          path: 'src/needle.ts',
          isNew: false,
          added: 0,
          removed: 0,
          diff: [],
          hasContents: false,
        },
        { id: 'path' },
      ),
      message('agent', 'Nothing', { id: 'no' }),
    ]);
    await test.send({ type: 'search', query: 'Needle' });
    assert.deepEqual(
      test
        .take('found')
        .map(({ ids, searched }) => [ids.join(' '), searched])
        .filter(([ids], index, all) => ids !== all[index + 1]?.[0]),
      [
        ['out path', 'going'],
        ['old out path', 'all'],
      ],
    );
    test.model.set({ entries: [...test.model.entries, message('agent', 'needle', { id: 'new' })] });
    assert.equal(test.take('found').at(-1)?.ids.at(-1), 'new');
    await test.send({ type: 'search', query: '' });
    test.take('found');
    test.model.set({ head: { cost: 2 } });
    assert.deepEqual(test.take('found'), []);
  });

  it('matches case and whole words if it’s asked to, also in texts without their middle', async () => {
    const test = new Harness();
    const shortened = { text: { text: 'Begin … end', length: 9_000 } };
    test.model.whole.set('long', 'Begin, a Cart in the middle, end');
    await test.open([
      message('agent', '', { id: 'long', ...shortened }),
      message('agent', 'cart', { id: 'lower' }),
      message('agent', 'Carts and Über_Cart', { id: 'part' }),
      message('agent', 'The (Cart).', { id: 'word' }),
    ]);
    const found = async (options: { matchCase?: boolean; wholeWord?: boolean }) => {
      await test.send({ type: 'search', query: 'Cart', ...options });
      return test.take('found').at(-1)?.ids;
    };
    assert.deepEqual(await found({}), ['long', 'lower', 'part', 'word']);
    assert.deepEqual(await found({ matchCase: true }), ['long', 'part', 'word']);
    assert.deepEqual(await found({ wholeWord: true }), ['long', 'lower', 'word']);
    assert.deepEqual(await found({ matchCase: true, wholeWord: true }), ['long', 'word']);
  });

  it('searches texts that it holds without their middle, too, and each only once', async () => {
    const test = new Harness();
    const shortened = { text: { text: 'Begin … end', length: 9_000 } };
    test.model.whole.set('long', 'Begin, a Needle in the middle, end');
    test.model.whole.set('other', 'Nothing in there');
    await test.open([
      message('agent', '', { id: 'long', ...shortened }),
      message('agent', '', { id: 'other', ...shortened }),
      message('agent', 'A needle', { id: 'short' }),
    ]);
    await test.send({ type: 'search', query: 'needle' });
    assert.deepEqual(
      test.take('found').map(({ ids, searched }) => [ids.join(' '), searched]),
      [
        ['short', 'going'],
        ['long short', 'going'],
        ['long short', 'all'],
      ],
    );
    test.model.whole.clear();
    await test.send({ type: 'search', query: 'MIDDLE' });
    assert.deepEqual(test.take('found').at(-1), {
      type: 'found',
      query: 'MIDDLE',
      ids: ['long'],
      searched: 'all',
    });
  });

  it('doesn’t list a long text for a query that it doesn’t have, if it arrives once the next search has begun', async () => {
    const test = new Harness();
    await test.open([
      message('agent', '', { id: 'long', text: { text: 'Begin … end', length: 9_000 } }),
      message('agent', 'Other words', { id: 'short' }),
    ]);
    let arrive = (_text: string): void => undefined;
    test.model.fullText = () => new Promise((resolve) => (arrive = resolve));
    const first = test.send({ type: 'search', query: 'needle' });
    await settled();
    const late = arrive;
    const second = test.send({ type: 'search', query: 'other' });
    late('Begin, a needle in the middle, end');
    await settled();
    arrive('Begin, a needle in the middle, end');
    await Promise.all([first, second]);
    assert.deepEqual(test.take('found').at(-1), {
      type: 'found',
      query: 'other',
      ids: ['short'],
      searched: 'all',
    });
  });

  it('reads a long text again for the next search if the query changed before it was read, or it couldn’t be', async () => {
    const test = new Harness();
    await test.open([message('agent', '', { id: 'long', text: { text: 'Begin … end', length: 9_000 } })]);
    const readAs = async (query: string, read: FakeModel['fullText']) => {
      test.model.fullText = read;
      await test.send({ type: 'search', query });
    };
    const typed = readAs('n', (_id, signal) => unlessAborted(new Promise(() => undefined), signal ?? never));
    await settled();
    await readAs('ne', () => Promise.reject(new Error('boom')));
    await typed;
    assert.equal(test.take('found').at(-1)?.searched, 'part');
    await readAs('nee', () => Promise.resolve('Begin, a needle in the middle, end'));
    assert.deepEqual(test.take('found').at(-1), {
      type: 'found',
      query: 'nee',
      ids: ['long'],
      searched: 'all',
    });
  });

  it('says that a part was searched when older events can’t be read', async () => {
    const test = new Harness();
    await test.open([message('agent', 'A needle', { id: 'held' })]);
    test.model.loadAll = () => Promise.resolve();
    test.model.set({ head: { hasOlder: true } });
    await test.send({ type: 'search', query: 'needle' });
    const { ids, searched } = test.take('found').at(-1) ?? {};
    assert.deepEqual([ids, searched], [['held'], 'part']);
  });

  it('shows pictures of a message when asked, and fetches none', async () => {
    const test = await new Harness().open();
    const uri = 'data:image/png;base64,AQID';
    test.model.shown.set('mine', [uri, 'https://example.com/tracker.png']);
    test.model.shown.set('remote', ['https://example.com/tracker.png']);
    await test.send({ type: 'showPictures', id: 'mine' });
    assert.deepEqual(test.take('pictures'), [{ type: 'pictures', id: 'mine', uris: [uri] }]);
    await test.send({ type: 'showPictures', id: 'remote' });
    assert.deepEqual(test.take('pictures'), []);
    assert.match(test.take('notice').at(-1)?.message ?? '', /can’t be shown here/);
  });

  it('shows an answer on the side until it’s dismissed, also after the page was hidden', async () => {
    const test = await new Harness().open();
    const aside = { question: 'What have you done?', answer: '**Nothing** yet.' };
    test.take('aside');
    test.host.setAside(aside);
    await test.send({ type: 'ready', draft: { text: '', revision: 0 } });
    await test.send({ type: 'dismissAside' });
    await test.send({ type: 'ready', draft: { text: '', revision: 0 } });
    assert.deepEqual(
      test.take('aside').map((shown) => shown.aside),
      [aside, aside, null, null],
    );
  });

  it('keeps the draft and its attachments, and sends them together', async () => {
    const test = await new Harness().open();
    await test.send({ type: 'draft', text: 'Look at this', revision: 1 });
    await test.send({ type: 'addContext' });
    assert.deepEqual(
      test.take('notice').map(({ message }) => message),
      ['Only text files of up to 1 MB can be attached.'],
    );
    await test.send({ type: 'attachPicture', uri: 'data:image/png;base64,AQID' });
    assert.equal(test.stored.text, 'Look at this');
    const again = await new Harness(structuredClone(test.stored)).open();
    assert.deepEqual(
      again
        .take('attachments')
        .at(-1)
        ?.attachments.map(({ label, preview }) => (preview === null ? label : `${label} ${preview}`)),
      ['file:///a.ts', 'Picture 1 data:image/png;base64,AQID'],
    );
    await again.send({ type: 'send', text: 'Look at this', revision: 2 });
    assert.deepEqual(again.model.calls, ['send Look at this\n\nIn file:///a.ts +1']);
    assert.deepEqual(again.stored, { ...noDraft, revision: 2 });
    assert.deepEqual(again.take('outcome'), [{ type: 'outcome', of: 'send', problem: '' }]);
    assert.deepEqual(again.take('attachments').at(-1)?.attachments, []);
  });

  it('keeps a message until it is known to be sent, beside what is written in the meantime', async () => {
    const test = await new Harness().open();
    let settle: (outcome: Outcome) => void = () => undefined;
    test.model.outcome = new Promise((resolve) => (settle = resolve));
    const sending = test.send({ type: 'send', text: 'First', revision: 2 });
    await test.send({ type: 'draft', text: 'Second', revision: 3 });
    // The model keeps the first one, whatever its outcome.
    assert.equal(test.stored.text, 'Second');
    settle(refused);
    await sending;
    assert.equal(test.take('outcome')[0]?.problem, 'The sandbox is gone.');
    test.model.takenBack = { text: 'First', images: [] };
    await test.send({ type: 'takeBack', id: 'o' });
    assert.deepEqual(
      test.take('restoreText').map(({ text, revision }) => [text, revision > 3]),
      [['First', true]],
    );
    assert.equal(test.stored.text, 'First\n\nSecond');
  });

  it('has what wasn’t sent in an empty composer, until it’s sent from elsewhere', async () => {
    const test = await new Harness().open();
    test.host.setUnsent('Mend it');
    assert.equal(test.stored.text, 'Mend it');
    const { revision } = test.stored;
    test.host.setUnsent('');
    assert.deepEqual([test.stored.text, test.take('restart').length], ['', 1]);
    await test.send({ type: 'ready', draft: { text: 'Mend it', revision } });
    assert.equal(test.take('begin').at(-1)?.draft.text, '');
    test.host.setUnsent('Mend it');
    await test.send({ type: 'draft', text: 'Mend it well', revision: test.stored.revision + 1 });
    test.host.setUnsent('');
    assert.equal(test.stored.text, 'Mend it well');
  });

  it('leaves a message of unknown outcome to the outgoing ones', async () => {
    const test = await new Harness().open();
    test.model.failing = new Error('boom');
    await test.send({ type: 'send', text: 'First', revision: 2 });
    assert.deepEqual(test.take('restoreText'), []);
    assert.notEqual(test.take('outcome')[0]?.problem, '');
    test.model.takenBack = { text: 'First', images: [] };
    await test.send({ type: 'takeBack', id: 'o' });
    assert.deepEqual(
      test.take('restoreText').map(({ text, revision }) => [text, revision > 2]),
      [['First', true]],
    );
  });

  it('takes no pictures where a start has failed, which can’t send them', async () => {
    const test = await new Harness().open();
    test.model.set({ head: { sendEffect: 'retries' } });
    await test.send({ type: 'attachPicture', uri: 'data:image/png;base64,AQID' });
    assert.deepEqual(test.model.calls, []);
    assert.deepEqual(
      test.take('notice').map(({ message }) => message),
      ['Send pictures once the conversation has started.'],
    );
    assert.deepEqual(test.stored.attachments, []);
  });

  it('sends nothing that is empty, and too many pictures not at all', async () => {
    const test = await new Harness().open();
    await test.send({ type: 'send', text: ' \n', revision: 2 });
    assert.deepEqual(test.model.calls, []);
    for (let count = 0; count < 6; count += 1)
      await test.send({ type: 'attachPicture', uri: 'data:image/png;base64,AQID' });
    assert.equal(test.stored.attachments.length, 5);
    assert.match(test.take('notice')[0]?.message ?? '', /Too many attachments/);
    await test.send({ type: 'attachFiles', uris: ['file:///a.ts', 'file:///a.bin'] });
    assert.equal(test.stored.attachments.length, 6);
    assert.match(test.take('notice')[0]?.message ?? '', /Only text files/);
    await test.send({ type: 'removeAttachment', id: test.stored.attachments[0]!.id });
    assert.equal(test.stored.attachments.length, 5);
  });

  it('approves exactly what was shown, and refuses anything else', async () => {
    const test = await new Harness().open();
    test.model.set({ head: { pending: [action('a', 'ls'), action('b', 'pwd')] } });
    const marks = test.model.head.pending.map(markOf);
    for (const ids of [['a'], ['a', 'b', 'c'], ['a', 'c'], [], ['a', 'a']]) {
      await test.send({ type: 'approve', ids, marks });
      assert.match(test.take('outcome')[0]?.problem ?? '', /has changed/, ids.join());
    }
    assert.deepEqual(test.model.calls, []);
    await test.send({ type: 'approve', ids: ['a', 'b'], marks });
    assert.deepEqual(test.model.calls, ['approve a b']);
    test.model.set({ head: { pending: [] } });
    await test.send({ type: 'approve', ids: [], marks: [] });
    await test.send({ type: 'reject', ids: ['a', 'b'], reason: 'No' });
    assert.equal(test.model.calls.length, 1);
    test.model.set({ head: { pending: [action('a', 'ls')] } });
    await test.send({ type: 'reject', ids: ['a'], reason: ' Keep it. ' });
    assert.deepEqual(test.model.calls, ['approve a b', 'reject a: Keep it.']);
  });

  it('steers the agent and runs the commands of the header', async () => {
    const test = await new Harness().open();
    for (const type of ['pause', 'interrupt', 'resume'] as const) await test.send({ type });
    assert.deepEqual(test.model.calls, ['pause', 'interrupt', 'resume']);
    assert.deepEqual(
      test.take('outcome').map(({ of }) => of),
      ['pause', 'interrupt', 'resume'],
    );
    const commands = [
      'changePolicy',
      'showChanges',
      'openAsText',
      'export',
      'revealSandbox',
      'openPullRequest',
      'nextStep',
    ] as const;
    for (const type of commands) await test.send({ type });
    assert.deepEqual(
      test.done,
      commands.map((one) => `run ${one}`),
    );
  });

  it('opens the diff of what waits, and tells the page as long as just that waits', async () => {
    const test = await new Harness().open();
    const waits = (...pending: PendingAction[]) =>
      test.model.set({ head: { execution: 'waiting_for_confirmation', pending } });
    const reviewed = () => test.take('reviewed').map(({ ids }) => ids);
    for (const id of ['a', 'b']) test.model.files.set(id, { path: `${id}.ts`, before: '1', after: '2' });
    waits(action('a', 'x'), action('b', 'y'));
    assert.deepEqual(reviewed(), []);
    await test.send({ type: 'openDiff', id: 'a' });
    assert.deepEqual([test.done, reviewed()], [['planned diff a.ts: 1 > 2'], [['a']]]);
    // The page may be hidden by the diff.
    await test.send({ type: 'ready', draft: { text: '', revision: 0 } });
    assert.deepEqual(reviewed(), [['a']]);
    waits(action('a', 'something else'), action('b', 'y'));
    assert.deepEqual(reviewed(), [[]]);
    test.showsAllChanges = false;
    await test.send({ type: 'openDiff', id: 'b' });
    assert.deepEqual(reviewed(), []);
    assert.match(test.take('notice')[0]?.message ?? '', /in the card, too/);
  });

  it('says on which port a program listens, after the step that started it, and opens only such ports', async () => {
    const command = (id: string) =>
      step({ step: 'terminal', command: id, output: null, exitCode: null }, { id });
    const test = await new Harness().open([command('a'), command('b')]);
    test.take('entries');
    test.foundPort(5173, { id: 'a', at: 7 });
    const [told] = test.take('entries');
    const line = { kind: 'separator', id: 'port-5173', at: 7, what: 'listening', text: '', port: 5173 };
    assert.deepEqual([told?.at, told?.removed, told?.added], [1, 0, [line]]);
    test.model.set({ entries: [command('a'), command('b'), command('c')] });
    const shown = test.take('entries').flatMap(({ added }) => added);
    assert.deepEqual(
      shown.map(({ id }) => id).filter((id) => id !== 'a' && id !== 'b'),
      ['port-5173', 'c'],
    );
    await test.send({ type: 'openPort', id: 'a' });
    await test.send({ type: 'openPort', id: 'port-1' });
    await test.send({ type: 'openPort', id: 'port-5173' });
    assert.deepEqual(test.done, ['port 5173']);
  });

  it('opens diffs, whole texts and copies them, without terminal codes', async () => {
    const entry = step(
      { step: 'terminal', command: 'ls', output: clipped('a', 9), exitCode: 0 },
      { id: 't' },
    );
    const test = await new Harness().open([entry]);
    test.model.files.set('t', { path: 'a.ts', before: '1', after: '2' });
    test.model.whole.set('t', '\u001b[31mall of it\u202e');
    await test.send({ type: 'openDiff', id: 't' });
    await test.send({ type: 'openDiff', id: 'x' });
    assert.match(test.take('notice')[0]?.message ?? '', /no longer available/);
    await test.send({ type: 'showStep', id: 't' });
    await test.send({ type: 'openWhole', id: 't' });
    await test.send({ type: 'openWhole', id: 'x' });
    await test.send({ type: 'copy', id: 't', what: 'command' });
    await test.send({ type: 'copy', id: 't', what: 'text' });
    await test.send({ type: 'copy', id: 'x', what: 'command' });
    assert.deepEqual(test.done, [
      'diff a.ts: 1 > 2',
      'step t',
      'document Fix the slug of umlauts: all of it',
      'copied ls',
      'copied all of it',
    ]);
  });

  it('opens files that are here: at a line, or where the step changed them', async () => {
    const test = await new Harness().open();
    test.model.files.set('edit', { path: '/w/a.ts', before: 'a\nb\nc', after: 'a\nX\nc' });
    await test.send({ type: 'locate', paths: ['/w/a.ts', '/w/b.py'] });
    assert.deepEqual(test.take('located'), [{ type: 'located', paths: ['/w/a.ts'] }]);
    await test.send({ type: 'openFile', path: '/w/a.ts', id: 'edit', line: null });
    await test.send({ type: 'openFile', path: '/w/b.ts', id: 'edit', line: null });
    await test.send({ type: 'openFile', path: '/w/a.ts', id: 'edit', line: 7 });
    await test.send({ type: 'openFile', path: '/w/gone.py', id: 'edit', line: 7 });
    assert.deepEqual(test.done, [
      'file file:///w/a.ts 2',
      'file file:///w/b.ts null',
      'file file:///w/a.ts 7',
    ]);
    assert.match(test.take('notice')[0]?.message ?? '', /isn’t in the folder that’s open here/);
  });

  it('shows a link in full before it opens it, and opens web addresses only', async () => {
    const test = await new Harness().open();
    await test.send({ type: 'openLink', url: 'https://example.com/a?b=c' });
    assert.deepEqual(test.done, [
      'asked Open this link from the conversation? https://example.com/a?b=c [Open]',
      'open https://example.com/a?b=c',
    ]);
    test.agrees = false;
    await test.send({ type: 'openLink', url: 'https://example.com/' });
    assert.equal(test.done.length, 3);
    for (const url of [
      'javascript:alert(1)',
      'command:x',
      'file:///etc/passwd',
      'https://a:b@example.com',
      'vscode://x',
    ])
      await test.send({ type: 'openLink', url });
    assert.equal(test.done.length, 3);
    assert.equal(test.logged.length, 5);
  });

  it('refuses and logs forged messages without their content', async () => {
    const test = await new Harness().open();
    for (const forged of [
      null,
      { type: 'approve' },
      { type: 'send', text: ['sk-secret'], revision: 1 },
      { type: 'pause', now: 'sk-secret' },
    ])
      await test.forge(forged);
    assert.deepEqual(test.model.calls, []);
    assert.equal(test.logged.length, 4);
    assert.ok(!test.logged.join().includes('sk-secret'));
    await test.send({ type: 'refused', what: 'invalid_type at "head"' });
    assert.match(test.logged.at(-1) ?? '', /refused a message/);
  });

  it('says that something failed instead of failing itself', async () => {
    const test = await new Harness().open(manyEntries(2));
    test.model.set({ head: { hasOlder: true } });
    test.model.failing = new Error('boom');
    await test.send({ type: 'goTo', id: 'x' });
    await test.send({ type: 'search', query: 'x' });
    assert.equal(test.take('notice').length, 2);
  });

  it('sends a message again only if it certainly hasn’t arrived', async () => {
    const test = await new Harness().open();
    const one = { id: 'o', text: 'Go on', problem: 'Can’t connect.' };
    test.model.takenBack = { text: 'Go on', images: ['data:image/png;base64,AQID'] };
    for (const state of ['sending', 'resuming', 'unknown'] as const) {
      test.model.set({ head: { outgoing: [{ ...one, state }] } });
      await test.send({ type: 'resend', id: 'o' });
    }
    test.model.set({ head: { outgoing: [{ ...one, state: 'failed' }] } });
    await test.send({ type: 'resend', id: 'other' });
    assert.deepEqual(test.model.calls, []);
    await test.send({ type: 'resend', id: 'o' });
    assert.deepEqual(test.model.calls, ['takeBack o', 'send Go on +1']);
    assert.deepEqual(test.take('outcome'), [{ type: 'outcome', of: 'send', problem: '' }]);
  });

  it('shows a sandbox as resuming until the conversation was read again', async () => {
    const test = await new Harness().open();
    test.model.set({ head: { limit: 'asleep' } });
    const resuming = test.send({ type: 'nextStep' });
    await nextTurn();
    assert.deepEqual([test.done, test.take('outcome')], [['run nextStep'], []]);
    test.model.set({ head: { limit: 'stored', readAt: 2 } });
    await resuming;
    assert.deepEqual(test.take('outcome'), [{ type: 'outcome', of: 'nextStep', problem: '' }]);
  });

  it('waits for nothing after any other next step, nor for a conversation that ends here', async () => {
    const test = await new Harness().open();
    test.model.set({ head: { limit: 'unreachable' } });
    await test.send({ type: 'nextStep' });
    test.model.set({ head: { limit: 'asleep' } });
    const resuming = test.send({ type: 'nextStep' });
    test.model.dispose();
    await resuming;
    assert.equal(test.take('outcome').length, 2);
  });

  it('moves the focus to the card of an agent that waits, else to the composer', async () => {
    const test = await new Harness().open();
    const focused = () => test.take('focus').map(({ on }) => on);
    assert.deepEqual(focused(), []);
    test.host.focus();
    assert.deepEqual(focused(), ['composer']);
    // Before its transcript has been read.
    test.model.set({ head: { execution: 'waiting_for_confirmation' } });
    test.host.focus();
    test.model.set({ head: { pending: [action('a', 'ls')] } });
    test.host.focus();
    test.host.focus('composer');
    assert.deepEqual(focused(), ['pending', 'pending', 'composer']);
  });

  it('moves the focus on to the card once the agent is known to wait, unless a message has been begun', async () => {
    const test = await new Harness().open();
    const focused = () => test.take('focus').map(({ on }) => on);
    const learn = (execution: 'unknown' | 'running' | 'waiting_for_confirmation') =>
      test.model.set({ head: { execution } });
    for (const { known, begun, then } of [
      { known: 'waiting_for_confirmation', begun: false, then: ['pending'] },
      { known: 'waiting_for_confirmation', begun: true, then: [] },
      { known: 'running', begun: false, then: [] },
    ] as const) {
      learn('unknown');
      test.host.focus();
      assert.deepEqual(focused(), ['composer']);
      if (begun) await test.send({ type: 'draft', text: 'Wait', revision: 1 });
      learn(known);
      // What it asks for later is announced, and moves nothing.
      learn('waiting_for_confirmation');
      assert.deepEqual(focused(), then);
    }
    learn('unknown');
    test.host.focus('composer');
    learn('waiting_for_confirmation');
    assert.deepEqual(focused(), ['composer']);
  });

  it('tells the page which key sends and whose it is, before anything else and whenever that changes', async () => {
    const test = new Harness();
    test.sendKey = 'ctrlEnter';
    await test.open();
    assert.deepEqual(test.posted[0], { type: 'options', sendWith: 'ctrlEnter', elsewhere: '' });
    [test.sendKey, test.elsewhere] = ['enter', 'Team B'];
    test.host.showOptions();
    assert.deepEqual(test.posted.at(-1), { type: 'options', sendWith: 'enter', elsewhere: 'Team B' });
  });

  it('does what is asked for before the page has loaded as soon as it has', async () => {
    const test = new Harness();
    test.host.setVisible(true);
    test.host.whenShown(() => test.host.post({ type: 'focus', on: 'pending' }));
    assert.deepEqual(test.posted, []);
    await test.send({ type: 'ready', draft: { text: 'newer', revision: 1 } });
    assert.equal(test.take('focus').length, 1);
    assert.equal(test.stored.text, 'newer');
  });
});
