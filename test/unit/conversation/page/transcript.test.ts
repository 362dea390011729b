import assert from 'node:assert/strict';
import type { ConversationState } from '../../../../src/features/conversation/page/state';
import type { Entry, PendingAction } from '../../../../src/shared/transcript';
import {
  action,
  message,
  read,
  separator,
  start,
  step,
  terminal,
} from '../../../support/conversation/entries';
import { drawnPage as page } from '../../../support/conversation/drawnPage';

const shownWith = (entries: readonly Entry[], state: Partial<ConversationState> = {}) =>
  page({}, { entries: [...entries], ...state });
/** The tag of the entry with this key, on one line. */
const tagOf = ({ html }: { html: string }, mark: string) =>
  ([...html.matchAll(/<article[^>]*>/g)].find(([tag]) => tag.includes(mark))?.[0] ?? '').replace(/\s+/g, ' ');

describe('the entries on the page of a conversation', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));

  it('say what they are to the editor, and to screen readers', () => {
    const shown = shownWith([
      message('agent', 'Done', { id: 'a', at: start }),
      terminal('ls', '', 0, { id: 'b', at: start, state: 'failed' }),
    ]);
    const told = tagOf(shown, 'data-event="a"');
    for (const part of ['data-kind="message"', 'data-from="agent"', 'aria-label="Agent, '])
      assert.ok(told.includes(part), `${part} in ${told}`);
    assert.match(
      told,
      /data-vscode-context="{&quot;webviewSection&quot;:&quot;entry&quot;,&quot;entry&quot;:&quot;a&quot;}"/,
    );
    assert.match(told, / title="[^"]+"/);
    assert.doesNotMatch(told, /data-step|data-state|data-written/);
    const ran = tagOf(shown, 'data-event="b"');
    for (const part of ['data-kind="step"', 'data-step="terminal"', 'data-state="failed"'])
      assert.ok(ran.includes(part), `${part} in ${ran}`);
    assert.doesNotMatch(ran, /data-from|data-found/);
    const day = tagOf(shown, 'data-key="day');
    assert.doesNotMatch(day, /data-event|data-kind|data-vscode-context|title=/);
    const search = { query: 'ls', ids: ['b'], current: 'b', searched: 'all' } as const;
    const searched = shownWith([terminal('ls', '', 0, { id: 'b' })], { search });
    assert.match(tagOf(searched, 'data-event="b"'), /data-found="current"/);
  });

  it('open, and show pictures at once that nobody has asked for', () => {
    const step = terminal('ls', '', 0, { id: 'b', images: 1 });
    const open = (state: Partial<ConversationState> = {}, entry: Entry = step) => {
      const shown = shownWith([entry], state);
      shown.dispatch('class="step-line"', 'click');
      return [shown.app.state.open.has('b'), shown.posted.map(({ type }) => type)];
    };
    assert.deepEqual(open(), [true, ['showPictures']]);
    assert.deepEqual(open({ open: new Set(['b']) }), [false, []]);
    assert.deepEqual(open({ pictures: new Map([['b', []]]) }), [true, []]);
    assert.deepEqual(open({}, terminal('ls', '', 0, { id: 'b' })), [true, []]);
  });

  it('ask the extension for what is pressed in them', () => {
    const edit = step(
      { step: 'edit', path: 'a', isNew: false, added: 1, removed: 0, diff: [], hasContents: true },
      { id: 'e', isCut: true },
    );
    const cut = message('agent', 'Go', {
      id: 'm',
      images: 1,
      text: { text: '[a](https://a.example)\n\n    let a;', length: 99 },
    });
    const listening = separator('listening', '', { id: 'port', port: 5173 });
    const shown = shownWith([edit, cut, listening], { open: new Set(['e']) });
    shown.press('Open port 5173');
    assert.deepEqual(shown.posted.splice(0), [{ type: 'openPort', id: 'port' }]);
    for (const name of [
      'Open Diff',
      'Comment on Changes',
      'Open Whole Text',
      'Show Picture',
      'Copy Code',
      'Copy Message',
    ])
      shown.press(name);
    shown.dispatch('title="https://a.example/"', 'click');
    assert.deepEqual(shown.posted, [
      ...[
        { type: 'openDiff', id: 'e' },
        { type: 'showStep', id: 'e' },
        { type: 'openWhole', id: 'e' },
      ],
      ...[
        { type: 'showPictures', id: 'm' },
        { type: 'copyCode', text: 'let a;' },
        { type: 'copy', id: 'm', what: 'text' },
      ],
      { type: 'openLink', url: 'https://a.example/' },
    ]);
  });

  it('fold steps that only look around', () => {
    const entries = ['a', 'b', 'c'].map((id) => read(`src/${id}`, { id, at: start }));
    const shown = shownWith([message('user', 'Go', { at: start }), ...entries]);
    assert.match(shown.text, /Read 3 files/);
    assert.doesNotMatch(shown.html, /data-event="a"/);
    const index = shown.html.indexOf('Read 3 files<');
    const tag = shown.html.slice(shown.html.lastIndexOf('<button', index), index);
    assert.match(tag, /aria-expanded="false"/);
    shown.dispatch(/@click="\d+"/.exec(tag)?.[0] ?? 'none', 'click');
    assert.equal(shown.app.state.open.size, 1);
  });
});

describe('files and links in a text', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));
  const text = (words: string, here: readonly string[] = []) =>
    shownWith([message('agent', words, { id: 'm' })], { here: new Set(here) });

  it('lead to a file that’s here, and to its line', () => {
    const shown = text('`src/a.ts:12:3`, `src/b.ts`, and `src/c.ts:4`', ['src/a.ts', 'src/b.ts']);
    assert.match(shown.html, /<code title="src\/c\.ts:4">src\/c\.ts:4<\/code>/);
    assert.equal(shown.html.match(/role="link"/g)?.length, 2);
    shown.dispatch('title="src/a.ts:12:3"', 'click');
    shown.dispatch('title="src/b.ts"', 'keydown', { key: 'Enter' });
    shown.dispatch('title="src/b.ts"', 'keydown', { key: 'x' });
    assert.deepEqual(shown.posted, [
      { type: 'openFile', path: 'src/a.ts', id: 'm', line: 12 },
      { type: 'openFile', path: 'src/b.ts', id: 'm', line: 1 },
    ]);
    assert.match(text('`npm test`').html, /<code>npm test<\/code>/);
  });

  it('look as they’re written, and lists with boxes, too', () => {
    const { html } = text('*a* ~~b~~ [c **d**](https://c.example)\n\n- [x] Tests\n- [ ] Log');
    assert.match(html, /<em>a<\/em> <del>b<\/del>/);
    assert.match(html, /title="https:\/\/c\.example\/"[^>]*>c <strong>d<\/strong><\/a/);
    assert.match(html, /☑<\/span>[^]*Tests[^]*☐<\/span>[^]*Log/);
    assert.match(text('a  \nb').html, /a<br \/>b/);
  });

  it('can be reached with Tab only in the entry that Tab reaches', () => {
    const two = [
      message('agent', '[a](https://a.example)', { id: 'a' }),
      message('agent', 'Done', { id: 'b' }),
    ];
    const tab = (active: string) =>
      /title="https:\/\/a\.example\/"\s+tabindex="(-?\d)"/.exec(shownWith(two, { active }).html)?.[1];
    assert.deepEqual([tab('a'), tab('b')], ['0', '-1']);
  });
});

describe('an action on the card', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));
  const asked = (pending: PendingAction, state: Partial<ConversationState> = {}) =>
    page({ execution: 'waiting_for_confirmation', pending: [pending] }, state);
  const changing: PendingAction = {
    ...action('one', ''),
    path: '/a.ts',
    diff: [{ kind: 'added', text: 'b' }],
    detail: { step: 'edit', path: '/a.ts', isNew: false, added: 1, removed: 2, diff: [], hasContents: false },
  };
  const line = ({ html }: { html: string }) =>
    /<h3[^>]*>([^]*?)<\/h3>/
      .exec(html)?.[1]
      ?.replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim();

  it('says what it does in a line, or below it where that’s long', () => {
    const of = (text: string) => asked(action('one', text));
    const below = ({ html }: { html: string }) => html.split('Show Raw', 1)[0]?.includes('class="command"');
    assert.deepEqual([line(of('ls -l')), below(of('ls -l'))], ['Run ls -l', false]);
    const long = `echo ${'x'.repeat(95)}`;
    assert.equal(below(of(long)), false, '100 characters');
    for (const text of [`${long}x`, 'echo a  b', 'echo a\tb', 'a\nb']) assert.ok(below(of(text)), text);
    assert.doesNotMatch(of('ls').html, /<details>\s*<summary>You opened/);
    assert.match(of('ls').text, /Show Raw terminal \{/);
  });

  it('has what an edit changes, and counts it', () => {
    const shown = asked(changing);
    assert.match(line(shown) ?? '', /^Edit \/a\.ts \+1 −2$/);
    assert.match(shown.html, /class="diff"/);
    shown.press('Open Diff');
    assert.deepEqual(shown.posted, [{ type: 'openDiff', id: 'one' }]);
    assert.doesNotMatch(shown.text, /Replaces the whole file|sub-agent/);
    const created = { ...changing, detail: { ...changing.detail, isNew: true } } as PendingAction;
    assert.match(line(asked(created)) ?? '', /\+1$/);
    assert.match(asked({ ...changing, overwrites: true }).text, /Replaces the whole file if there is one\./);
    assert.match(line(asked({ ...changing, movedTo: '/b.ts' })) ?? '', /^Move \/a\.ts → \/b\.ts/);
    const without = asked({ ...changing, diff: [] });
    assert.ok(!without.buttons.includes('Open Diff'));
    assert.doesNotMatch(line(without) ?? '', /\+1/);
  });

  it('folds the diff once it was opened in the editor', () => {
    const { html, text } = asked(changing, { reviewed: new Set(['one']) });
    assert.match(text, /You opened the diff\. Show it here, too/);
    assert.match(html, /<details>\s*<summary>You opened[^]*class="diff"/);
    assert.equal(html.match(/class="diff"/g)?.length, 1);
  });

  it('has what the agent says, and warns of agents that it starts', () => {
    const { text } = asked(action('one', 'ls', { thought: 'I look.', startsAgents: true }));
    assert.match(text, /The agent says: I look\./);
    assert.match(text, /The sub-agent’s actions aren’t shown here/);
    assert.doesNotMatch(asked(action('one', 'ls')).text, /The agent says|sub-agent/);
  });
});
