import assert from 'node:assert/strict';
import { Files } from '../../../../src/features/conversation/page/files';
import { initialConversation } from '../../../../src/features/conversation/page/state';
import { drawEntry, type EntryView } from '../../../../src/features/conversation/page/view/entry';
import type { DiffLine, Entry, MessageEntry, StepEntry } from '../../../../src/shared/transcript';
import { clipped, error, separator, step, terminal } from '../../../support/conversation/entries';
import { drawn } from '../../../support/drawn';

/** An entry as the page draws it, and what was done with it. */
function entryOf(entry: Entry, view: Partial<EntryView> = {}, here: readonly string[] = []) {
  const did: string[] = [];
  const noting = (what: string) => () => void did.push(what);
  const state = { ...initialConversation, here: new Set(here) };
  const files = new Files((posted) => {
    if (posted.type === 'openFile') did.push(`open ${posted.path}`);
  });
  const shown = drawn(() =>
    drawEntry(entry, {
      ...{ open: false, toggle: noting('toggle'), tab: true, pictures: undefined },
      ...{ showPictures: noting('pictures'), openPort: noting('port'), openDiff: noting('diff') },
      ...{ showStep: noting('step'), openWhole: noting('whole'), openLink: () => undefined },
      copy: (what) => did.push(`copy ${what}`),
      files: files.links(state, 'm'),
      ...view,
    }),
  );
  return { ...shown, did };
}

const messageOf = (members: Partial<MessageEntry>): MessageEntry => ({
  ...{ kind: 'message', id: 'm', at: 0, from: 'user', images: 0 },
  ...{ text: { text: 'Go.', length: 3 }, thought: '' },
  ...members,
});

/** A message as the page draws it. */
const message = (members: Partial<MessageEntry>, open = false) => entryOf(messageOf(members), { open });

/** A step with its line open. */
const openStep = (entry: StepEntry, here?: readonly string[]) => entryOf(entry, { open: true }, here);
const edit = {
  ...{ step: 'edit', path: '/home/me/a.ts', isNew: false, added: 2, removed: 0, hasContents: true },
  diff: [
    { kind: 'same', text: 'a' },
    { kind: 'added', text: 'b' },
    { kind: 'removed', text: 'c' },
    { kind: 'gap', text: '' },
  ],
} satisfies StepEntry['detail'];

describe('a message in a transcript', () => {
  it('has what skills added below a line of its own, which opens', () => {
    const folded = message({ thought: 'git\n\nUse **the** API.' });
    assert.match(folded.text, /Added for the agent : git/);
    assert.ok(!folded.html.includes('<strong>'));
    assert.match(message({ thought: 'git\n\nUse **the** API.' }, true).html, /<strong>the<\/strong>/);
  });

  it('has no such line without anything added', () => {
    assert.ok(!message({}).text.includes('Added'));
  });

  it('can be copied, and opened as a whole where it was shortened', () => {
    const whole = message({});
    assert.deepEqual(whole.buttons, ['Copy Message']);
    assert.doesNotMatch(whole.text, /Shortened/);
    const cut = message({ text: { text: 'Go', length: 9 } });
    assert.match(cut.text, /Open Whole Text Shortened/);
    for (const name of ['Copy Message', 'Open Whole Text']) cut.press(name);
    assert.deepEqual(cut.did, ['copy text', 'whole']);
  });

  it('has its pictures once they’re asked for', () => {
    assert.doesNotMatch(message({}).text, /Picture/);
    const one = message({ images: 1 });
    one.press('Show Picture');
    assert.deepEqual(one.did, ['pictures']);
    assert.match(one.html, /<button[^>]*class="link"[^>]*>\s*Show Picture/);
    assert.ok(message({ images: 3 }).buttons.includes('Show 3 Pictures'));
    const shown = (images: number, ...pictures: string[]) => entryOf(messageOf({ images }), { pictures });
    const { html, buttons, text } = shown(2, 'data:a', 'data:b');
    assert.match(html, /alt="Picture 1" src="data:a"[^]*alt="Picture 2" src="data:b"/);
    assert.ok(!buttons.some((name) => name.startsWith('Show')));
    assert.doesNotMatch(text, /can’t be shown/);
    assert.match(shown(2, 'data:a').text, /A picture can’t be shown here\./);
    assert.match(shown(3, 'data:a').text, /2 pictures can’t be shown here\./);
  });

  it('shows a picture large on a click, and small again', () => {
    class Element {
      large = false;
      toggleAttribute = () => (this.large = !this.large);
    }
    const { dispatch } = entryOf(messageOf({ images: 1 }), { pictures: ['data:a'] });
    const button = new Element();
    Object.assign(globalThis, { Element });
    try {
      dispatch('class="link"', 'click', { currentTarget: button });
      assert.ok(button.large);
    } finally {
      Reflect.deleteProperty(globalThis, 'Element');
    }
  });

  it('calls what the model thought a thought', () => {
    assert.match(message({ from: 'agent', thought: 'Hm.' }).text, /Thought : Hm\./);
  });
});

describe('a step in a transcript', () => {
  it('says what became of it after a colon', () => {
    const failed = entryOf({ ...terminal('ls', '', 2), state: 'failed' });
    assert.match(failed.text, /ls\s*: failed, exit 2/);
  });

  it('has a line that opens what is below, for the one entry that Tab reaches', () => {
    const folded = entryOf(terminal('ls', 'out'), { tab: false });
    assert.match(folded.html, /class="step-line"\s+tabindex="-1"\s+aria-expanded="false"/);
    assert.doesNotMatch(folded.html, /class="detail"/);
    folded.dispatch('class="step-line"', 'click');
    assert.deepEqual(folded.did, ['toggle']);
    assert.match(
      openStep(terminal('ls', 'out')).html,
      /tabindex="0"\s+aria-expanded="true"[^]*class="detail"/,
    );
  });

  it('says what the agent thought before, except where that’s all of it', () => {
    assert.match(entryOf(terminal('ls', '', 0, { thought: 'I **look**.' })).html, /<strong>look<\/strong>/);
    const thinking = step({ step: 'think', text: 'Hm, a **plan**.' }, { thought: 'Hm, a **plan**.' });
    assert.doesNotMatch(entryOf(thinking).html, /<strong>/);
    assert.match(openStep(thinking).html, /class="detail"[^]*<strong>plan<\/strong>/);
  });

  it('has its summary and what it changed', () => {
    const of = (more: Partial<StepEntry>) => entryOf(step(edit, more)).html;
    assert.match(of({ summary: 'Accept umlauts' }), /class="summary muted">Accept umlauts</);
    assert.doesNotMatch(of({}), /class="summary/);
    assert.match(of({}), /class="added">\+2</);
    assert.doesNotMatch(of({}), /class="removed"/);
    assert.doesNotMatch(of({ state: 'running' }), /class="added"/);
    assert.match(entryOf(terminal('ls', '', 2)).html, /class="muted">: exit 2</);
    assert.doesNotMatch(entryOf(terminal('ls', '')).html, /class="muted">: /);
  });

  it('opens a file that’s here, from its line or below it', () => {
    const away = openStep(step(edit));
    assert.doesNotMatch(away.html, /class="file"/);
    assert.ok(!away.buttons.includes('Open File'));
    assert.match(away.html, /<code title="\/home\/me\/a\.ts">/);
    const here = openStep(step(edit), [edit.path]);
    let stopped = false;
    here.dispatch('class="file"', 'click', { stopPropagation: () => (stopped = true) });
    here.press('Open File');
    assert.deepEqual([stopped, here.did], [true, ['open /home/me/a.ts', 'open /home/me/a.ts']]);
    const reading = step({ step: 'read', path: '/b', output: clipped('text') });
    assert.ok(openStep(reading, ['/b']).buttons.includes('Open File'));
    assert.doesNotMatch(
      openStep(step({ step: 'browser', tool: 'browse', input: '', output: null })).html,
      /title="/,
    );
  });

  it('shows an edit as a small diff, with ways to all of it', () => {
    const { html, buttons, press, did } = openStep(step(edit));
    assert.deepEqual(
      [...html.matchAll(/data-line="(\w+)"\s*><span class="sign">([^<]*)</g)].map(([, ...line]) => line),
      [
        ['same', ' '],
        ['added', '+'],
        ['removed', '−'],
        ['gap', '⋯'],
      ],
    );
    assert.deepEqual(buttons.slice(1), ['Open Diff', 'Comment on Changes']);
    for (const name of buttons.slice(1)) press(name);
    assert.deepEqual(did, ['diff', 'step']);
    assert.deepEqual(openStep(step({ ...edit, files: 2 })).buttons.slice(1), ['Comment on Changes']);
    const without = openStep(step({ ...edit, hasContents: false, diff: [] }));
    assert.deepEqual(without.buttons.slice(1), []);
    assert.doesNotMatch(without.html, /class="diff"/);
  });

  it('names the files in a diff of several as people read them', () => {
    const diff = [
      { kind: 'file', text: '/x/old.py → /x/new.py' },
      { kind: 'added', text: 'return 1' },
    ] satisfies DiffLine[];
    const { html } = openStep(step({ ...edit, path: 'a', files: 1, diff }));
    assert.match(html, /data-line="file"[^>]*><span class="sign"><\/span>\/x\/old\.py → \/x\/new\.py/);
    assert.match(html, /data-line="added"[^]*<span data-code="keyword">return</, 'colored as Python');
    const plain = openStep(step({ ...edit, path: 'a.txt', diff: [{ kind: 'added', text: 'return 1' }] }));
    assert.doesNotMatch(plain.html, /data-code="keyword"/);
  });

  it('shows a command with what came out, which can be copied', () => {
    const { html, text, buttons, press, did } = openStep(terminal('npm test', '\u001b[31mred\u001b[39m out'));
    assert.match(html, /class="command"><code>npm test/);
    assert.match(html, /class="output">\s*<span class="[^"]+">red<\/span><span class=""> out</);
    assert.deepEqual(buttons.slice(1), ['Copy Command', 'Copy Output']);
    for (const name of buttons.slice(1)) press(name);
    assert.deepEqual(did, ['copy command', 'copy text']);
    assert.doesNotMatch(text, /No output|Shortened/);
    const silent = openStep(terminal('true', ''));
    assert.match(silent.text, /No output/);
    assert.deepEqual(silent.buttons.slice(1), ['Copy Command']);
    const running = step({ step: 'terminal', command: 'ls', output: null, exitCode: null });
    assert.doesNotMatch(openStep(running).text, /No output|Copy/);
  });

  it('opens all of a shortened text, once', () => {
    const output = { text: 'a', length: 12_345 };
    const cut = openStep(step({ step: 'mcp', tool: 't', input: '{}', output }, { isCut: true }));
    assert.match(cut.text, /Open Whole Text Shortened; 12,345 characters in all$/);
    cut.press('Open Whole Text');
    assert.deepEqual(cut.did, ['whole']);
    const input = step({ step: 'mcp', tool: 't', input: '{}', output: clipped('a') }, { isCut: true });
    assert.match(openStep(input).text, /Copy Output Open Whole Text Shortened$/);
    const edited = openStep(step(edit, { isCut: true }));
    edited.press('Open Whole Text');
    assert.deepEqual(edited.did, ['whole']);
    assert.doesNotMatch(openStep(step(edit)).text, /Open Whole Text/);
  });

  it('shows what a tool was given, and a plan with how far it has come', () => {
    const tool = (input: string) => openStep(step({ step: 'other', tool: 't', input, output: null })).html;
    assert.match(tool('{ "a": 1 }'), /class="command"><code>\{/);
    assert.doesNotMatch(tool(''), /class="command"/);
    const tasks = [
      { title: 'One', notes: '', status: 'done' },
      { title: 'Two', notes: 'Not yet', status: 'in_progress' },
      { title: 'Three', notes: '', status: 'todo' },
    ] as const;
    const { text, html } = openStep(step({ step: 'plan', tasks: [...tasks] }));
    assert.match(text, /● Done: One ◐ In progress: Two Not yet ○ To do: Three$/);
    assert.equal(html.match(/class="notes/g)?.length, 1);
  });

  it('has pictures below what came out', () => {
    const { buttons } = openStep(
      step({ step: 'browser', tool: 'b', input: '', output: null }, { images: 2 }),
    );
    assert.ok(buttons.includes('Show 2 Pictures'));
    assert.deepEqual(
      openStep(terminal('ls', '')).buttons.filter((name) => name.includes('Picture')),
      [],
    );
  });

  it('shows the last answer without being opened, unless it’s empty', () => {
    const last = entryOf(step({ step: 'finish', text: 'It is **fixed**.' }));
    assert.match(last.html, /<p class="step-line">[^]*class="detail"[^]*<strong>fixed/);
    const empty = entryOf(step({ step: 'finish', text: '' }));
    assert.match(empty.html, /<button\s+type="button"\s+class="step-line"/);
    assert.doesNotMatch(empty.html, /class="detail"/);
  });

  it('says why it failed or was rejected, with what helps', () => {
    const failed = (more: Partial<StepEntry>) => entryOf(terminal('ls', '', 0, { state: 'failed', ...more }));
    const problem = clipped('No such tool.');
    assert.match(failed({ problem }).html, /data-state="failed"[^]*Error:[^]*No such tool\./);
    assert.match(failed({ problem, state: 'rejected' }).text, /Rejected: No such tool\./);
    assert.match(
      failed({ problem, state: 'rejected', isBlocked: true }).text,
      /Blocked by a hook: No such tool\./,
    );
    assert.doesNotMatch(failed({}).html, /step-problem/);
    assert.match(failed({ problem, remedy: 'retry' }).text, /may work if you try again\./);
    assert.doesNotMatch(failed({ problem, remedy: 'none' }).html, /<p class="muted">/);
    assert.doesNotMatch(failed({ problem }).text, /Open Whole Text/);
    failed({ problem: { text: 'No', length: 9 } }).press('Open Whole Text');
  });

  it('says what hooks did, folded where nothing is wrong', () => {
    const hooks = [
      { on: 'before a tool', outcome: 'passed', text: '' },
      { on: 'after a tool', outcome: 'failed', text: 'exit 1' },
      { on: 'before a tool', outcome: 'blocked', text: '' },
    ] satisfies StepEntry['hooks'];
    const outcomes = (open: boolean, isBlocked = false) =>
      [
        ...entryOf(terminal('ls', '', 0, { hooks, isBlocked }), { open }).html.matchAll(
          /data-outcome="(\w+)"/g,
        ),
      ].map(([, outcome]) => outcome);
    assert.deepEqual(outcomes(false), ['failed', 'blocked']);
    assert.deepEqual(outcomes(false, true), ['failed'], 'the problem says it');
    assert.deepEqual(outcomes(true, true), ['passed', 'failed', 'blocked']);
    const { html, text } = entryOf(terminal('ls', '', 0, { hooks }));
    assert.match(text, /A hook failed: after a tool exit 1 Blocked by a hook: before a tool/);
    assert.equal(html.match(/class="words"/g)?.length, 1);
  });
});

describe('errors and separators in a transcript', () => {
  it('are never folded, and say what helps', () => {
    const shown = entryOf(error('The model didn’t answer', '429\u202e', { remedy: 'settings' }));
    assert.match(shown.html, /<strong>The model didn’t answer<\/strong>[^]*class="output">429/);
    assert.doesNotMatch(shown.html, /\u202e/);
    assert.match(shown.text, /Check the settings/);
    assert.ok(!shown.buttons.includes('Open Whole Text'));
    const cut = entryOf(error('No', '', { text: { text: '4', length: 9 } }));
    cut.press('Open Whole Text');
    assert.deepEqual(cut.did, ['whole']);
  });

  it('open what they’re about', () => {
    const folded = entryOf(separator('condensed', 'The agent found **it**.'));
    assert.match(folded.text, /Earlier context condensed More$/);
    assert.match(folded.html, /tabindex="0"\s+aria-expanded="false"/);
    folded.press('More');
    assert.deepEqual(folded.did, ['toggle']);
    const open = entryOf(separator('condensed', 'The agent found **it**.'), { open: true, tab: false });
    assert.match(open.html, /tabindex="-1"\s+aria-expanded="true"[^]*<strong>it<\/strong>/);
    assert.ok(open.buttons.includes('Less'));
    assert.deepEqual(entryOf(separator('paused')).buttons, []);
    assert.deepEqual(entryOf(separator('start', 'Cloning')).buttons, [], 'the line says it');
  });

  it('open the page of a port, and say when somebody decided', () => {
    const port = entryOf(separator('listening', '', { port: 3000 }));
    assert.deepEqual(port.buttons, ['Open port 3000']);
    port.press('Open port 3000');
    assert.deepEqual(port.did, ['port']);
    assert.match(entryOf(separator('approved')).text, /^1 action approved · \S/);
    assert.equal(entryOf(separator('paused')).text, 'Paused');
  });
});
