import assert from 'node:assert/strict';
import { executionSchema, type Execution } from '../../../src/shared/transcript';
import type { AgentEvent } from '../../../src/api/events/event';
import { eventSchema, readEvent } from '../../../src/api/events/schema';
import { parseElements } from '../../../src/api/http/body';
import { type ActionEvent, Outcomes, outcomesIn } from '../../../src/features/transcript/model/outcomes';
import { pendingActions, plannedEdit } from '../../../src/features/live/model/pending';
import { aCommand, aMessage, anAction, anEvent, aRejection, aResult } from '../transcript/events';

const waiting = 'waiting_for_confirmation';

/** What waits after these events. */
const pendingIn = (events: readonly AgentEvent[], execution: Execution, errorsAnswer: boolean) =>
  pendingActions(outcomesIn(events).unanswered(errorsAnswer), execution);

describe('pending actions', () => {
  it('are those without an answer, together', () => {
    const [done, rejected, one, two] = ['a', 'b', 'c', 'd'].map(aCommand) as [never, never, never, never];
    const events = [done, rejected, one, two, aResult(done), aRejection(rejected, 'No')];
    assert.deepEqual(
      pendingIn(events, waiting, true).map(({ text }) => text),
      ['c', 'd'],
    );
  });

  it('say which of them start other agents, by their kinds or their tools', () => {
    const starts = (kind: string, tool = 'tool') =>
      pendingIn([anAction(kind, {}, { tool })], waiting, true)[0]?.startsAgents;
    for (const kind of ['TaskAction', 'DelegateAction', 'WorkflowAction', 'StartChildConversationAction'])
      assert.equal(starts(kind), true, kind);
    for (const kind of ['TaskToolAction', 'TaskActionV2', 'WorkflowAction2'])
      assert.equal(starts(kind), true, kind);
    for (const tool of ['task', 'delegate', 'workflow', 'start_child_conversation', 'Task'])
      assert.equal(starts('NewAction', tool), true, tool);
    for (const kind of ['TaskTrackerAction', 'TerminalAction', 'MyTaskAction', ''])
      assert.equal(starts(kind, 'task_tracker'), false, kind);
  });

  it('are complete, whatever the zone of their times', () => {
    const events = ['ls', 'rm -rf ~'].map((command, index) =>
      eventSchema.safeParse({
        id: command,
        kind: 'ActionEvent',
        timestamp: `2026-01-02T03:04:05${['', '+02:00'][index]}`,
        action: { kind: 'TerminalAction', command },
        tool_name: 'terminal',
        tool_call_id: command,
      }),
    );
    const parsed = events.flatMap(({ data }) => data ?? []);
    assert.deepEqual(
      pendingIn(parsed, waiting, true)
        .map(({ text }) => text)
        .toSorted(),
      ['ls', 'rm -rf ~'],
    );
  });

  it('show numbers as the agent gave them, also those that JavaScript rounds', () => {
    const numbers = ['1234567890123456789', '-9007199254740993', '1e400', '0.10000000000000000001', '12'];
    for (const deep of [0, 60]) {
      const read = parseElements(
        `{"items": [{"id": "a", "kind": "ActionEvent", "timestamp": "2026-01-01T00:00:00", "tool_name": "pay",
          "action": {"kind": "MCPToolAction", "data": {"to": [${numbers.join()}]}}},
          ${'['.repeat(deep)}${']'.repeat(deep) || 'null'}]}`,
      );
      assert.ok(read.ok);
      const [action] = (read.value as { items: unknown[] }).items;
      const [asked] = pendingIn([readEvent(action, '')], waiting, true);
      for (const number of numbers) {
        assert.ok(`${asked?.text}\n`.includes(`- ${number}\n`), number);
        assert.ok(asked?.raw.includes(number));
      }
    }
  });

  for (const execution of executionSchema.options.filter((state) => state !== waiting)) {
    it(`are none while the agent is ${execution}`, () => {
      assert.deepEqual(pendingIn([aCommand('ls')], execution, true), []);
    });
  }

  it('are answered by errors of a tool from 1.12 on', () => {
    const action = anAction('TerminalAction', { command: 'ls' }, { callId: 'c9' });
    const events = [action, anEvent({ kind: 'toolError', callId: 'c9', tool: 't', error: 'No' })];
    assert.equal(pendingIn(events, waiting, true).length, 0);
    assert.equal(pendingIn(events, waiting, false).length, 1);
  });

  it('are answered by what answers them last', () => {
    const action = anAction('TerminalAction', { command: 'ls' }, { callId: 'c9' });
    const error = (words: string) => anEvent({ kind: 'toolError', callId: 'c9', tool: 't', error: words });
    for (const [older, newer] of [
      [aResult(action), aRejection(action, 'No')],
      [error('One'), error('Two')],
    ] as const) {
      const forward = outcomesIn([action, older, newer]);
      const backward = new Outcomes();
      for (const event of [newer, older, action]) backward.add(event);
      assert.deepEqual([forward.of(action as never), backward.of(action as never)], [newer, newer]);
    }
  });

  it('are distinguished in order of time, in whatever order events are read', () => {
    const [one, two, three] = ['a', 'b', 'c'].map(aCommand) as [never, never, never];
    const outcomes = new Outcomes();
    for (const event of [three, aResult(two), anEvent({ kind: 'paused' })]) outcomes.add(event);
    for (const event of [aMessage('Hi'), two, one]) outcomes.add(event);
    assert.deepEqual(outcomes.unanswered(true), [one, three]);
  });

  it('stay unanswered when a tool’s error for the same call is older than they are', () => {
    const action = anAction('TerminalAction', { command: 'ls' }, { callId: 'c9' });
    const outcomes = new Outcomes();
    outcomes.add(anEvent({ kind: 'toolError', callId: 'c9', tool: 't', error: 'No' }));
    outcomes.add(action);
    assert.deepEqual([outcomes.unanswered(false), outcomes.unanswered(true)], [[action], []]);
  });

  it('aren’t answered by an error of an earlier call to which the model gave the same ID', () => {
    const call = { callId: 'call_0' };
    const error = (words: string) => anEvent({ kind: 'toolError', ...call, tool: 't', error: words });
    const failed = anAction('TerminalAction', { command: 'ls' }, call);
    const events = [failed, error('No'), anAction('TerminalAction', { command: 'rm -rf .' }, call)];
    const backward = new Outcomes();
    for (const event of events.toReversed()) backward.add(event);
    for (const outcomes of [outcomesIn(events), backward]) {
      assert.deepEqual(outcomes.unanswered(true), events.slice(2));
      assert.equal(outcomes.of(events[2] as never), undefined);
    }
    const last = error('Neither');
    for (const event of [last, ...events]) backward.add(event);
    assert.deepEqual([backward.unanswered(true), backward.of(events[2] as never)], [[], last]);
  });

  it('are never calls that weren’t valid', () => {
    const call = {
      thought: '',
      action: null,
      tool: 't',
      callId: 'c',
      call: '',
      risk: 'LOW',
      summary: '',
    } as const;
    assert.deepEqual(pendingIn([anEvent({ kind: 'action', ...call })], waiting, true), []);
  });

  it('show a command alone only where that is all there is to it', () => {
    const texts = (kind: string, input: Record<string, unknown>) =>
      pendingIn([anAction(kind, input)], waiting, true).map(({ text }) => text);
    assert.deepEqual(texts('TerminalAction', { command: 'ls', reset: false }), ['ls']);
    for (const [kind, input, text] of [
      ['TerminalAction', { command: 7 }, 'command: 7'],
      ['TerminalAction', { command: 'ls', reset: true }, 'command: ls\nreset: true'],
      ['TerminalAction', { command: 'ls', sandboxed: false }, 'command: ls\nsandboxed: false'],
      ['GrepAction', { command: 'ls' }, 'command: ls'],
    ] as const)
      assert.deepEqual(texts(kind, input), [text]);
  });

  it('show what an edit replaces, and a path and lines for nothing else', () => {
    const input = { command: 'str_replace', path: '/a', old_str: 'one\ntwo', new_str: 'three' };
    const [edit, other] = pendingIn([anAction('FileEditorAction', input), aCommand('ls')], waiting, true);
    assert.deepEqual(
      [edit?.path, ...edit!.diff],
      [
        '/a',
        { kind: 'removed', text: 'one' },
        { kind: 'removed', text: 'two' },
        { kind: 'added', text: 'three' },
      ],
    );
    assert.deepEqual([other?.path, other?.diff], ['', []]);
  });

  it('fold what an edit leaves as it is, and say how much that is', () => {
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, line) => `line ${from + line}`);
    const before = [...lines(0, 40), 'old', ...lines(40, 44)].join('\n');
    const after = before.replace('old', 'new');
    const input = { command: 'str_replace', path: '/a', old_str: before, new_str: after };
    const [edit] = pendingIn([anAction('FileEditorAction', input)], waiting, true);
    assert.deepEqual(
      edit!.diff.map(({ kind, text }) => `${kind} ${text}`),
      [
        'gap 37 unchanged lines',
        ...lines(37, 40).map((line) => `same ${line}`),
        ...['removed old', 'added new'],
        ...lines(40, 43).map((line) => `same ${line}`),
        'gap 1 unchanged line',
      ],
    );
    const { detail } = edit!;
    assert.deepEqual(detail.step === 'edit' && [detail.added, detail.removed], [1, 1]);
  });

  for (const [before, after, lines] of [
    ['a', 'a\n', ['same a', 'added ']],
    ['a\n', 'a', ['same a', 'removed ']],
    ['a\n', 'b\n', ['removed a', 'added b']],
    ['a\r\n', 'a\n', ['removed a\r', 'added a']],
    ['  a', '\ta', ['removed   a', 'added \ta']],
    ['', 'a\n', ['added a']],
    ['a', '', ['removed a']],
    ['\n', '\n\n', ['same ', 'added ']],
  ] as const)
    it(`show every difference between ${JSON.stringify(before)} and ${JSON.stringify(after)}`, () => {
      const input = { command: 'str_replace', path: '/a', old_str: before, new_str: after };
      const [edit] = pendingIn([anAction('FileEditorAction', input)], waiting, true);
      assert.deepEqual(
        edit!.diff.map(({ kind, text }) => `${kind} ${text}`),
        lines,
      );
    });

  it('say that a file is moved, or replaced as a whole', () => {
    const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
    const [moved, written, two] = pendingIn(
      [
        anAction('ApplyPatchAction', {
          patch: patch('*** Update File: a.ts', '*** Move to: b.ts', '@@', '-one', '+two'),
        }),
        anAction('WriteFileAction', { file_path: 'c.ts', content: 'all\n' }),
        anAction('ApplyPatchAction', { patch: patch('*** Delete File: d.ts', '*** Add File: e.ts', '+new') }),
      ],
      waiting,
      true,
    );
    assert.deepEqual([moved?.path, moved?.movedTo, moved?.overwrites], ['a.ts', 'b.ts', undefined]);
    assert.deepEqual([written?.path, written?.movedTo, written?.overwrites], ['c.ts', undefined, true]);
    assert.deepEqual([two?.path, two?.movedTo], ['', undefined]);
    assert.deepEqual(
      two!.diff.map(({ text }) => text),
      ['d.ts (deleted)', 'e.ts (new)', 'new'],
    );
  });

  it('name no file like what is said about files', () => {
    const patch = ['*** Begin Patch', '*** Update File: a → b', '@@', '+x', '*** Delete File: c (new)'];
    const [asked] = pendingIn(
      [anAction('ApplyPatchAction', { patch: [...patch, '*** End Patch'].join('\n') })],
      waiting,
      true,
    );
    assert.deepEqual(
      asked!.diff.flatMap(({ kind, text }) => (kind === 'file' ? [text] : [])),
      ['a ‹U+2192› b', 'c ‹U+0028›new) (deleted)'],
    );
  });

  it('have both sides for the editor’s diff, with everything that the card has', () => {
    const sides = (kind: string, input: Record<string, unknown>) => {
      const file = plannedEdit(anAction(kind, input) as ActionEvent);
      return file && [file.path, file.before, file.after];
    };
    const text = 'a\r\n  b\n\n';
    assert.deepEqual(sides('FileEditorAction', { command: 'create', path: '/a', file_text: text }), [
      ...['/a', '', text],
    ]);
    assert.deepEqual(
      sides('FileEditorAction', { command: 'str_replace', path: '/a', old_str: text, new_str: 'b' }),
      ['/a', text, 'b'],
    );
    const patch = [
      '*** Begin Patch',
      ...['*** Update File: a.ts', '*** Move to: b.ts', '@@ class A', ' same', '-one', '+two'],
      ...['*** Add File: c.ts', '+new'],
      '*** End Patch',
    ].join('\n');
    assert.deepEqual(sides('ApplyPatchAction', { patch }), [
      'b.ts',
      'a.ts → b.ts\n⋯ class A\nsame\none\nc.ts (new)',
      'a.ts → b.ts\n⋯ class A\nsame\ntwo\nc.ts (new)\nnew',
    ]);
    assert.equal(sides('TerminalAction', { command: 'ls' }), undefined);
    assert.equal(sides('FileEditorAction', { command: 'view', path: '/a' }), undefined);
  });

  it('show everything that will be done, however long', () => {
    const long = `echo ${'x'.repeat(100_000)}`;
    const file = Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join('\n');
    const events = [
      aCommand(long),
      anAction('TerminalAction', { command: 'y', is_input: true, reset: false }),
      anAction('FileEditorAction', { command: 'create', path: '/a', file_text: file }),
      anAction('FileEditorAction', { command: 'insert', path: '/a', new_str: 'x', insert_line: 7 }),
      anAction('BrandNewAction', { danger: ['all', 'of', 'it'] }),
    ];
    const [command, input, create, insert, other] = pendingIn(events, waiting, true);
    assert.equal(command?.text, long);
    assert.match(input!.text, /^is_input: true$/m);
    assert.deepEqual([create?.path, create?.diff.length], ['/a', 5_000]);
    assert.ok(create!.diff.every(({ kind }) => kind === 'added'));
    assert.match(insert!.text, /^insert_line: 7$/m);
    assert.match(other!.text, /^danger:\n {2}- all\n {2}- of\n {2}- it$/);
  });
});
