import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import {
  compact,
  compactAction,
  EventList,
  isShortened,
  picturesOf,
  withoutPictures,
} from '../../../src/features/transcript';
import type { ActionEvent } from '../../../src/features/transcript';
import { aCommand, aMessage, anAction, anEvent, aReport, aResult } from './events';

const long = (length: number) => 'x'.repeat(length);
const mark = /x\\n· · ·\\nx/;

describe('the texts of an event', () => {
  const goal = { isActive: true, state: 'running', round: 1, rounds: 2 } as const;
  const hook = { kind: 'hook', on: 'Stop', command: './x', outcome: 'passed', actionId: '' } as const;
  const rows: [name: string, make: (text: string) => AgentEvent, most: number, isRead: boolean][] = [
    ['a thought', (thought) => ({ ...aMessage('Hi'), thought }) as AgentEvent, 10_000, false],
    ['what a hook says', (text) => anEvent({ ...hook, text }), 10_000, true],
    ['the name of a failure', (code) => anEvent({ kind: 'failure', code, detail: 'x' }), 500, false],
    ['a goal', (text) => anEvent({ kind: 'goal', ...goal, objective: text, missing: '' }), 40_000, false],
    [
      'what a goal lacks',
      (text) => anEvent({ kind: 'goal', ...goal, objective: '', missing: text }),
      40_000,
      false,
    ],
    ['a summary', (summary) => ({ ...aCommand('ls'), summary }) as AgentEvent, 4_000, false],
    ['the title of a call', (title) => aReport('c', 'completed', { title }), 4_000, true],
    ['the tool of a call', (tool_kind) => aReport('c', 'completed', { tool_kind }), 500, false],
    ['an argument of a call', (text) => aReport('c', 'completed', { raw_input: { text } }), 4_000, true],
    [
      'what a call writes',
      (content) => aReport('c', 'completed', { tool_kind: 'edit', raw_input: { file_path: '/a', content } }),
      4_000,
      true,
    ],
    ['what a call returns', (raw_output) => aReport('c', 'completed', { raw_output }), 2_000, true],
  ];
  for (const [name, make, most, isRead] of rows)
    it(`are held whole up to a length, and shortened beyond: ${name}`, () => {
      const [whole, longer] = [make(long(most + 7)), make(long(most + 8))];
      assert.deepEqual(compact(whole), whole);
      assert.equal(isShortened(compact(whole)), false);
      assert.match(JSON.stringify(compact(longer)), mark);
      // Then the whole is read again where somebody asks for it.
      assert.equal(isShortened(compact(longer)), isRead);
    });

  it('keep the length of the whole', () => {
    const held = [
      compact(anEvent({ ...hook, text: long(20_000) })),
      compact(anEvent({ kind: 'failure', code: 'E', detail: long(20_000) })),
      compact(anEvent({ kind: 'toolError', callId: 'c', tool: 't', error: long(20_000) })),
    ];
    for (const event of held) assert.equal('length' in event && event.length, 20_000);
  });

  it('are those of an answered action, too, once', () => {
    const action = (values: Partial<ActionEvent>) => ({ ...aCommand('ls'), ...values }) as ActionEvent;
    for (const [whole, longer] of [
      [{ thought: long(10_007) }, { thought: long(10_008) }],
      [{ tool: long(507) }, { tool: long(508) }],
      [
        { action: null, call: long(20_007) },
        { action: null, call: long(20_008) },
      ],
      [
        { action: { kind: 'X', input: { text: long(4_007) } } },
        { action: { kind: 'X', input: { text: long(4_008) } } },
      ],
    ] satisfies Partial<ActionEvent>[][]) {
      const kept = action(whole!);
      assert.equal(compactAction(kept), kept);
      const short = compactAction(action(longer!));
      assert.match(JSON.stringify(short), mark);
      assert.equal(compactAction(short), short);
      const isRead = longer!.action !== undefined;
      assert.equal(isShortened(short), isRead);
    }
    // What follows the first letters of many arguments is left out, too.
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`a${index}`, long(4_000)]));
    const { action: held } = compactAction(action({ action: { kind: 'X', input: many } }));
    assert.deepEqual(Object.keys(held?.input ?? {}), ['arguments']);
    assert.ok(JSON.stringify(held).length < 4_100);
    const few = { ...many, a4: long(20_000 - JSON.stringify({ ...many, a4: '', a5: '' }).length), a5: '' };
    const fitting = action({ action: { kind: 'X', input: few } });
    assert.equal(compactAction(fitting), fitting);
    const { action: over } = compactAction(action({ action: { kind: 'X', input: { ...few, a5: 'x' } } }));
    assert.deepEqual(Object.keys(over?.input ?? {}), ['arguments']);
  });

  it('are counted first where they are an edit', () => {
    const create = { command: 'create', path: '/a', file_text: 'x\n'.repeat(9_000) };
    const editor = compactAction(anAction('FileEditorAction', create) as ActionEvent);
    assert.deepEqual([editor.edit?.added, editor.shortened], [9_000, true]);
    assert.equal('edit' in compactAction(aCommand(long(9_000)) as ActionEvent), false);
    const input = { tool_kind: 'edit', raw_input: { file_path: '/a', content: create.file_text } };
    const call = compact(aReport('c', 'completed', input));
    assert.deepEqual(call.kind === 'toolCall' && [call.edit?.added, call.shortened], [9_000, true]);
    const other = compact(aReport('c', 'completed', { ...input, tool_kind: 'fetch' }));
    assert.equal('edit' in other, false);
  });
});

describe('the files of an event', () => {
  const half = 100_000;
  const files = (...sides: [before: string | null, after: string | null][]) => {
    const result = {
      files: sides.map(([before, after], index) => ({ path: `/${index}`, before, after: after! })),
    };
    const held = compact(aResult(aCommand('edit'), result));
    return held.kind === 'observation' ? held.result.files : undefined;
  };

  it('are held while they are small together', () => {
    const small = files([long(half), long(half / 2)], [null, long(half / 2)]);
    assert.deepEqual(
      small?.map(({ before, after, isGone }) => [before?.length, after?.length, isGone]),
      [
        [half, half / 2, undefined],
        [undefined, half / 2, undefined],
      ],
    );
  });

  it('are held by their paths otherwise, with which of them are new or gone', () => {
    assert.deepEqual(files([long(half), long(half)], [null, 'x'], ['', null]), [
      { path: '/0', before: '', after: '', isGone: true },
      { path: '/1', before: null, after: '', isGone: true },
      { path: '/2', before: '', after: null, isGone: true },
    ]);
    const one = compact(aResult(aCommand('edit'), { path: '/a', before: null, after: long(2 * half + 1) }));
    assert.ok(one.kind === 'observation');
    assert.deepEqual([one.result.path, one.result.after, 'files' in one.result], ['/a', null, false]);
  });

  it('stay what they are in a list that holds the same contents once', () => {
    const edit = (path: string, before: string | null, after: string | null) =>
      aResult(aCommand('edit'), { path, before, after });
    const files = [
      { path: '/a', before: 'two', after: 'three' },
      { path: '/b', before: null, after: 'one' },
    ];
    const content = [{ type: 'diff', path: '/c', old_text: 'one', new_text: 'two' }];
    const events = [
      edit('/a', null, 'one'),
      edit('/a', 'one', 'two'),
      edit('/b', 'one', null),
      aResult(aCommand('edit'), { files }),
      aReport('c', 'completed', { content }),
      aMessage('Hi'),
    ];
    const list = new EventList();
    list.add(events.slice(2));
    list.add(events.slice(0, 2));
    assert.deepEqual(list.events, events);
  });
});

describe('the pictures of an event', () => {
  const pictures = ['data:image/png;base64,AQID'];
  const picture = { type: 'content', content: { type: 'image', data: 'AQID' } };

  it('are those that it was read with, and aren’t held', () => {
    const events = [
      { ...aMessage('Look'), images: 1, pictures } as AgentEvent,
      aResult(aCommand('shot'), { images: 1, pictures }),
      aReport('c', 'completed', { content: [picture] }),
    ];
    for (const event of events) {
      assert.deepEqual(picturesOf(event), pictures, event.kind);
      const held = withoutPictures(event);
      assert.deepEqual(picturesOf(held), [], event.kind);
      assert.doesNotMatch(JSON.stringify(held), /pictures/);
      assert.equal(withoutPictures(held), held);
    }
    assert.deepEqual(picturesOf(aCommand('ls')), []);
  });
});
