import assert from 'node:assert/strict';
import { posix } from 'node:path';
import * as fc from 'fast-check';
import { agentFolders } from '../../../../src/shared/agentFolders';
import type { Head } from '../../../../src/shared/transcript';
import type { ConversationApp } from '../../../../src/features/conversation/page/app';
import { initialConversation } from '../../../../src/features/conversation/page/state';
import { card } from '../../../../src/features/conversation/page/view/card';
import { pendingActions } from '../../../../src/features/live/model/pending';
import { outcomesIn } from '../../../../src/features/transcript/model/outcomes';
import { seeded } from '../../changes/seeded';
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
