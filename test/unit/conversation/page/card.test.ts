import assert from 'node:assert/strict';
import { posix } from 'node:path';
import * as fc from 'fast-check';
import { agentFolders } from '../../../../src/shared/agentFolders';
import type { Head } from '../../../../src/shared/transcript';
import type { ConversationApp } from '../../../../src/features/conversation/page/app';
import { initialConversation, noCard, type Card } from '../../../../src/features/conversation/page/state';
import { card } from '../../../../src/features/conversation/page/view/card';
import { pendingActions } from '../../../../src/features/live/model/pending';
import { outcomesIn } from '../../../../src/features/transcript/model/outcomes';
import { seeded } from '../../changes/seeded';
import { among, drawnPage } from '../../../support/conversation/drawnPage';
import { anAction } from '../../transcript/events';

/** The text of a template, with its tags. */
function textOf(part: unknown): string {
  if (typeof part === 'string' || typeof part === 'number') return String(part);
  if (Array.isArray(part)) return part.map(textOf).join('');
  const { strings, values } = Object(part) as { strings?: readonly string[]; values?: readonly unknown[] };
  if (!values) return '';
  if (strings) return strings.map((text, at) => text + textOf(values[at])).join('');
  // A list with a function for each of its items.
  const [items, , draw] = values as [unknown[], unknown, (item: unknown, at: number) => unknown];
  return textOf(items.map(draw));
}

/** The first line of the card for an action. */
function lineOf(kind: string, input: Record<string, unknown>, tool: string): string {
  const execution = 'waiting_for_confirmation';
  const pending = pendingActions(outcomesIn([anAction(kind, input, { tool })]).unanswered(true), execution);
  const state = { ...initialConversation, folders: agentFolders('me/shop', '/home/me/shop') };
  const head = { pending, execution, proof: 'whole' } as unknown as Head;
  const drawn = textOf(card({ state } as unknown as ConversationApp, head));
  return (
    /<h3.*?>(.*?)<\/h3>/s
      .exec(drawn)?.[1]
      ?.replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim() ?? ''
  );
}

describe('the line of an action that waits', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: '' } }));

  it('names no two files alike', () => {
    const paths = [
      '/home/me/shop/a.ts',
      '/workspace/project/shop/a.ts',
      '/home/me/a.ts',
      '/home/me/shop/b/../a.ts',
    ];
    const lines = paths.map((path) =>
      lineOf('FileEditorAction', { command: 'undo_edit', path }, 'file_editor'),
    );
    assert.deepEqual(lines, ['Edit a.ts', ...paths.slice(1).map((path) => `Edit ${path}`)]);
  });

  it('names no two files alike, whatever of them the agent writes', () => {
    const part = fc.constantFrom(
      ...['a.ts', 'shop', '~', '$HOME', 'C:', '..', '.', '', 'home', 'me', '%x%', 'b'],
    );
    const written = fc
      .tuple(
        fc.constantFrom('', '/', './', '../', '~/', 'C:\\', '/home/me/shop/', '/home/me/', 'home/me/shop/'),
        fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      )
      .map((parts) => parts.join(''))
      .filter((path) => path !== '');
    const edit = (path: string) =>
      lineOf('FileEditorAction', { command: 'undo_edit', path }, 'file_editor').replace('Edit ', '');
    const look = (path: string) =>
      lineOf('FileEditorAction', { command: 'view', path }, 'file_editor').replace('Look at ', '');
    const isSame = (one: string, other: string) => posix.normalize(one) === posix.normalize(other);
    fc.assert(
      fc.property(written, written, (one, other) => {
        for (const shown of [edit, look])
          assert.ok(edit(one) !== shown(other) || isSame(one, other), `${one} and ${other}: ${edit(one)}`);
      }),
      seeded('CARD_PATHS_SEED', {
        numRuns: 200,
        examples: [
          ['a.ts', '/home/me/shop/a.ts'],
          ['~/a.ts', '/home/me/shop/~/a.ts'],
          ['C:/a.ts', '/home/me/shop/C:/a.ts'],
          ['shop/a.ts', '/home/me/shop/shop/a.ts'],
        ],
      }),
    );
  });

  it('names no two tools alike', () => {
    const tools = ['lookup', 'l\u043eokup', 'lookup\u200b', 'look up', 'look\u00a0up'];
    const lines = tools.map((tool) => lineOf('MCPToolAction', { data: {} }, tool));
    assert.deepEqual(
      lines,
      ['lookup', 'l‹U+043E›okup', 'lookup‹U+200B›', 'look up', 'look‹U+00A0›up'].map((tool) => `Use ${tool}`),
    );
  });
});

describe('the card of what waits', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));

  /** The page of an agent that waits, with its card like this. */
  function waiting(card: Partial<Card> = {}, head: Partial<Head> = {}, kind = 'TerminalAction') {
    const execution = 'waiting_for_confirmation';
    const asked = anAction(
      kind,
      kind === 'TerminalAction' ? { command: 'ls' } : { command: 'undo_edit', path: 'a' },
    );
    const pending = pendingActions(outcomesIn([asked]).unanswered(true), execution);
    return drawnPage({ execution, pending, proof: 'whole', ...head }, { card: { ...noCard, ...card } });
  }
  const answers = (...given: Parameters<typeof waiting>) =>
    among(waiting(...given), 'Approve', 'Show the Rest', 'Reject');
  const key = (shown: ReturnType<typeof waiting>, change: object = {}) => {
    const heard: string[] = [];
    shown.dispatch('class="card"', 'keydown', {
      ...{
        key: 'Enter',
        ctrlKey: true,
        metaKey: false,
        shiftKey: true,
        altKey: false,
        repeat: false,
        ...change,
      },
      ...{ preventDefault: () => heard.push('prevented'), stopPropagation: () => heard.push('stopped') },
    });
    return heard;
  };

  it('can be approved only once all was seen for a moment, and nothing else may wait', () => {
    assert.deepEqual(answers(), ['Approve (disabled)', 'Reject…']);
    assert.deepEqual(answers({ hasRest: true }), ['Show the Rest', 'Reject…']);
    assert.deepEqual(answers({ hasRest: true, seen: true }), ['Approve (disabled)', 'Reject…']);
    assert.deepEqual(answers({ seen: true, settled: true }), ['Approve', 'Reject…']);
    for (const proof of ['reading', 'missing', 'unreadable', 'tooLong'] as const) {
      const seen = { seen: true, settled: true };
      assert.deepEqual(answers({ ...seen, hasRest: true }, { proof }), ['Approve (disabled)', 'Reject…']);
      const shown = waiting(seen, { proof });
      shown.press('Approve');
      key(shown);
      shown.app.answer('approve');
      assert.deepEqual(shown.posted, []);
    }
  });

  it('says what Approve does, or why it can’t be pressed', () => {
    const help = (...given: Parameters<typeof waiting>) =>
      /id="approve-help">([^<]*)</.exec(waiting(...given).html)?.[1]?.trim();
    assert.equal(help({ seen: true }), 'Runs all of the above.');
    assert.equal(help(), 'You can approve once you’ve seen all of it.');
    assert.match(help({ seen: true }, { proof: 'reading' }) ?? '', /Reading earlier events/);
  });

  it('approves what it shows, once', () => {
    const shown = waiting({ seen: true, settled: true });
    shown.press('Approve');
    shown.app.answer('approve');
    const [approved, ...more] = shown.posted;
    assert.ok(approved?.type === 'approve');
    const ids = shown.app.state.head?.pending.map(({ id }) => id);
    assert.deepEqual([approved.ids, approved.marks.length, more], [ids, 1, []]);
    const sending = shown.draw();
    assert.ok(sending.text.includes('Sending…'));
    assert.deepEqual(among(sending, 'Approve', 'Reject'), []);
    shown.app.set({ busy: new Set() });
    assert.ok(shown.draw().text.includes('Answered. Waiting for the agent…'));
  });

  it('takes a key for its first button, and no other', () => {
    const rest = waiting({ hasRest: true });
    assert.deepEqual(key(rest), ['prevented', 'stopped']);
    assert.deepEqual([rest.did, rest.posted], [['rest'], []]);
    const ready = { seen: true, settled: true };
    for (const change of [
      { key: 'a' },
      { ctrlKey: false },
      { shiftKey: false },
      { altKey: true },
      { repeat: true },
    ]) {
      const shown = waiting(ready);
      assert.equal(key(shown, change).length, 'repeat' in change ? 2 : 0);
      assert.deepEqual(shown.posted, []);
    }
    for (const change of [{}, { ctrlKey: false, metaKey: true }]) {
      const shown = waiting(ready);
      key(shown, change);
      assert.equal(shown.posted[0]?.type, 'approve');
    }
    const rejecting = waiting({ ...ready, reason: 'No' });
    assert.deepEqual([key(rejecting), rejecting.posted], [[], []]);
  });

  it('asks for the reason of a rejection, and keeps it until it’s sent', () => {
    const shown = waiting();
    shown.press('Reject…');
    assert.deepEqual(shown.did, ['focus reason']);
    const asking = shown.draw();
    asking.dispatch('id="reason"', 'input', { target: { value: 'Keep it' } });
    asking.dispatch('id="reason"', 'keydown', { key: 'Enter' });
    assert.equal(shown.app.state.card.reason, 'Keep it');
    shown.draw().press('Reject');
    assert.deepEqual(
      shown.posted.map((one) => one.type === 'reject' && one.reason),
      ['Keep it'],
    );
    assert.deepEqual(shown.did, ['focus reason', 'focus composer']);
    const back = waiting({ reason: 'Keep it' });
    back.dispatch('id="reason"', 'keydown', { key: 'Escape' });
    assert.equal(back.app.state.card.reason, null);
  });

  it('says that something else waits than before, and how many', () => {
    assert.ok(!waiting().text.includes('something else'));
    assert.ok(waiting({ changed: true }).text.includes('The agent is now asking for something else.'));
    assert.ok(!waiting().text.includes('1 of 1'));
    const { pending } = waiting().app.state.head!;
    const two = waiting({}, { pending: [...pending, { ...pending[0]!, id: 'other' }] });
    for (const words of ['of 2 actions', '1 of 2', '2 of 2']) assert.ok(two.text.includes(words), words);
  });

  it('is there for what can’t be read, without anything to approve', () => {
    const none = { pending: [] };
    assert.deepEqual(answers({}, { ...none, proof: 'whole' }), []);
    assert.deepEqual(answers({}, { ...none, proof: 'reading' }), []);
    assert.deepEqual(answers({}, { ...none, proof: 'unreadable' }), ['Approve (disabled)', 'Reject…']);
    assert.match(
      waiting({}, { ...none, proof: 'unreadable' }).html,
      />\s*The agent asks for your approval\s*</,
    );
    assert.deepEqual(answers({}, { ...none, proof: 'unreadable', execution: 'idle' }), []);
  });
});
