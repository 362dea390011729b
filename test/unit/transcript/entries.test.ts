import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { AgentEvent } from '../../../src/api/events/event';
import { byTime, eventSchema } from '../../../src/api/events/schema';
import { parseToPage } from '../../../src/shared/conversationMessages';
import {
  type Entry,
  entrySchema,
  type Execution,
  executionSchema,
  type StepEntry,
} from '../../../src/shared/transcript';
import { compact, compactAction } from '../../../src/features/transcript/model/compact';
import { createEntryMaker } from '../../../src/features/transcript/model/entries';
import { Outcomes, outcomesIn } from '../../../src/features/transcript/model/outcomes';
import { pendingActions } from '../../../src/features/live/model/pending';
import { everyCase } from '../../support/everyCase';
import { aCommand, aMessage, anAction, anEvent, aRejection, aReport, aResult } from './events';

function make(events: readonly AgentEvent[], execution: Execution = 'idle') {
  const entries = createEntryMaker()(events, execution);
  for (const entry of entries) entrySchema.parse(entry);
  return entries;
}

function stepOf(events: readonly AgentEvent[], execution?: Execution): StepEntry {
  const [entry, ...others] = make(events, execution);
  assert.ok(entry?.kind === 'step' && others.length === 0);
  return entry;
}

describe('entries of a transcript', () => {
  it('are messages, with their senders', () => {
    const entries = make([
      aMessage('Hi'),
      aMessage('Hello', 'agent'),
      aMessage('Boot', 'environment'),
      aMessage('Run', 'hook'),
    ]);
    assert.deepEqual(
      entries.map((entry) => entry.kind === 'message' && [entry.from, entry.text]),
      [
        ['user', { text: 'Hi', length: 2 }],
        ['agent', { text: 'Hello', length: 5 }],
        ['environment', { text: 'Boot', length: 4 }],
        ['environment', { text: 'Run', length: 3 }],
      ],
    );
  });

  it('pair an action with its result', () => {
    const action = aCommand('npm test');
    const step = stepOf(
      [action, aMessage('', 'agent'), aResult(action, { text: 'ok', exitCode: 0 })].filter(
        (e) => e.kind !== 'message',
      ),
    );
    assert.deepEqual([step.id, step.state, step.took], [action.id, 'done', 0]);
    assert.deepEqual(step.detail, {
      step: 'terminal',
      command: 'npm test',
      output: { text: 'ok', length: 2 },
      exitCode: 0,
    });
  });

  const states: [execution: Execution, state: StepEntry['state']][] = [
    ['running', 'running'],
    ['paused', 'running'],
    ['waiting_for_confirmation', 'pending'],
    ['finished', 'unanswered'],
    ['unknown', 'unanswered'],
    ['idle', 'unanswered'],
    ['error', 'unanswered'],
  ];
  for (const [execution, state] of states) {
    it(`call an action without a result ${state} while the agent is ${execution}`, () => {
      assert.equal(stepOf([aCommand('ls')], execution).state, state);
    });
  }

  it('say why a step failed or was rejected', () => {
    const action = aCommand('ls');
    const failed = stepOf([action, aResult(action, { exitCode: 2 })]);
    assert.deepEqual([failed.state, failed.problem.text], ['failed', '']);
    const wrong = stepOf([action, aResult(action, { isError: true, text: 'No such file' })]);
    assert.deepEqual([wrong.state, wrong.problem.text], ['failed', 'No such file']);
    const rejected = stepOf([action, aRejection(action, 'Don’t')]);
    assert.deepEqual([rejected.state, rejected.problem.text], ['rejected', 'Don’t']);
  });

  it('show a call that wasn’t valid with its error', () => {
    const call = anEvent({
      kind: 'action',
      thought: '',
      action: null,
      tool: 'terminal',
      callId: 'c1',
      call: '{"x":1}',
      risk: 'UNKNOWN',
      summary: '',
    });
    const error = anEvent({ kind: 'toolError', callId: 'c1', tool: 'terminal', error: 'Field required' });
    const step = stepOf([call, error]);
    assert.deepEqual([step.state, step.problem.text], ['failed', 'Field required']);
    assert.deepEqual(step.detail, { step: 'other', tool: 'terminal', input: '{"x":1}', output: null });
  });

  it('pair a call with an error of the same moment', () => {
    const call = anAction('MCPToolAction', {}, { callId: 'c9', tool: 't' });
    const { timestamp } = call;
    for (const id of ['0', 'z']) {
      const failed = anEvent({ kind: 'toolError', callId: 'c9', tool: 't', error: 'No' }, { timestamp, id });
      assert.equal(stepOf([call, failed]).problem.text, 'No');
      assert.equal(createEntryMaker()([call, failed], 'idle').length, 1);
    }
  });

  it('show an error of a tool by itself while its action isn’t here', () => {
    const make = createEntryMaker();
    const action = anAction('TerminalAction', { command: 'make' }, { callId: 'c1' });
    const wrong = (callId: string) => anEvent({ kind: 'toolError', callId, tool: 'terminal', error: 'boom' });
    const [own, other, none] = [wrong('c1'), wrong('c2'), wrong('')];
    const shown = (events: readonly AgentEvent[]) =>
      make(events, 'idle').map((entry) =>
        entry.kind === 'error' ? [entry.id, entry.title, entry.text.text] : entry.kind,
      );
    const alone = [other, none].map(({ id }) => [id, 'terminal', 'boom']);
    assert.deepEqual(shown([own, other, none]), [[own.id, 'terminal', 'boom'], ...alone]);
    assert.deepEqual(shown([action, own, other, none]), ['step', ...alone]);
    // Some models use the ID of a call again.
    const again = anAction('TerminalAction', { command: 'make' }, { callId: 'c2' });
    const whole = ['step', ...alone, 'step'];
    assert.deepEqual(shown([action, own, other, none, again]), whole);
    assert.deepEqual(createEntryMaker()([action, own, other, none, again], 'idle').length, whole.length);
  });

  it('keep their first outcome if another one arrives later', () => {
    const make = createEntryMaker();
    const action = anAction('TerminalAction', { command: 'make' }, { callId: 'c1' });
    const error = anEvent({ kind: 'toolError', callId: 'c1', tool: 'terminal', error: 'boom' });
    const events = [action, error, aResult(action)];
    const states = events.map((_, index) => {
      const [step] = make(events.slice(0, index + 1), 'idle');
      assert.ok(step?.kind === 'step');
      return step.state;
    });
    assert.deepEqual(states.slice(1), ['failed', 'failed']);
  });

  it('show an edit by the whole file before and after', () => {
    const action = anAction('FileEditorAction', {
      command: 'str_replace',
      path: '/a',
      old_str: 'b',
      new_str: 'B',
    });
    const step = stepOf([action, aResult(action, { path: '/a', before: 'a\nb\n', after: 'a\nB\n' })]);
    assert.deepEqual(step.detail, {
      step: 'edit',
      path: '/a',
      isNew: false,
      added: 1,
      removed: 1,
      diff: [
        { kind: 'same', text: 'a' },
        { kind: 'removed', text: 'b' },
        { kind: 'added', text: 'B' },
      ],
      hasContents: true,
    });
  });

  it('show an edit that hasn’t happened by its arguments', () => {
    const { detail } = stepOf([
      anAction('FileEditorAction', { command: 'create', path: '/n', file_text: 'x\ny' }),
    ]);
    assert.ok(detail.step === 'edit');
    assert.deepEqual([detail.isNew, detail.added, detail.removed, detail.hasContents], [true, 2, 0, false]);
  });

  it('show an edit of a file that was there as no new file', () => {
    const create = anAction('FileEditorAction', { command: 'create', path: '/n', file_text: 'x' });
    const replace = anAction('FileEditorAction', { command: 'insert', path: '/n', new_str: 'x' });
    const isNew = (action: AgentEvent, before: string | null) => {
      const { detail } = stepOf([action, aResult(action, { path: '/m', before, after: 'x' })]);
      assert.ok(detail.step === 'edit');
      return [detail.path, detail.isNew, detail.added, detail.removed];
    };
    assert.deepEqual(isNew(create, null), ['/m', true, 1, 0]);
    assert.deepEqual(isNew(create, 'old'), ['/m', false, 1, 1]);
    assert.deepEqual(isNew(replace, null), ['/m', false, 1, 0]);
  });

  it('say how long a step took, and nothing of one that hasn’t ended', () => {
    const action = { ...aCommand('make'), timestamp: '2026-01-01T00:00:00.000000' };
    const took = (timestamp: string) => stepOf([action, { ...aResult(action), timestamp }]).took;
    assert.equal(took('2026-01-01T00:00:01.500000'), 1_500);
    assert.equal(took('2025-12-31T23:59:59.000000'), 0);
    const { took: unknown, problem } = stepOf([action], 'running');
    assert.deepEqual([unknown, problem.text], [null, '']);
  });

  const kinds: [kind: string, input: Record<string, unknown>, detail: object][] = [
    [
      'FileEditorAction',
      { command: 'str_replace', path: '/a', old_str: 'b', new_str: 'B', file_text: 'no' },
      {
        step: 'edit',
        path: '/a',
        isNew: false,
        added: 1,
        removed: 1,
        diff: [
          { kind: 'removed', text: 'b' },
          { kind: 'added', text: 'B' },
        ],
        hasContents: false,
      },
    ],
    ['TaskTrackerAction', { task_list: 'x' }, { step: 'plan', tasks: [] }],
    ['BrowserTypeAction', { data: 1 }, { step: 'browser', tool: 'tool', input: 'data: 1', output: null }],
    ['MCPToolAction', { n: 7 }, { step: 'mcp', tool: 'tool', input: 'n: 7', output: null }],
    ['FileEditorAction', { command: 'view', path: '/a' }, { step: 'read', path: '/a', output: null }],
    [
      'TaskTrackerAction',
      {
        task_list: [
          { title: 'One', notes: 'Soon', status: 'done' },
          { title: 7, notes: 7, status: 7 },
        ],
      },
      {
        step: 'plan',
        tasks: [
          { title: 'One', notes: 'Soon', status: 'done' },
          { title: '', notes: '', status: 'todo' },
        ],
      },
    ],
    ['ThinkAction', { thought: 'Hm.' }, { step: 'think', text: 'Hm.' }],
    ['FinishAction', { message: 'Done.' }, { step: 'finish', text: 'Done.' }],
    ['MCPToolAction', { data: { n: 7 } }, { step: 'mcp', tool: 'tool', input: 'n: 7', output: null }],
    [
      'BrowserNavigateAction',
      { url: 'u' },
      {
        step: 'browser',
        tool: 'tool',
        input: 'url: u',
        output: null,
        about: { what: 'open', subject: 'u' },
      },
    ],
    ['GrepAction', { q: 1 }, { step: 'other', tool: 'tool', input: 'q: 1', output: null }],
    ['TerminalAction', { command: 7 }, { step: 'terminal', command: '', output: null, exitCode: null }],
    [
      'ExecuteBashAction',
      { command: 'ls' },
      { step: 'terminal', command: 'ls', output: null, exitCode: null },
    ],
  ];
  for (const [kind, input, detail] of kinds) {
    it(`show ${kind} ${JSON.stringify(input)} as ${JSON.stringify(detail)}`, () => {
      assert.deepEqual(stepOf([anAction(kind, input)]).detail, detail);
    });
  }

  it('are errors and separators, and nothing for bookkeeping', () => {
    const entries = make([
      anEvent({ kind: 'failure', code: 'AuthenticationError', detail: 'Incorrect key' }),
      anEvent({ kind: 'paused' }),
      anEvent({ kind: 'interrupted' }),
      anEvent({ kind: 'condensation', summary: 'So far' }),
      anEvent({ kind: 'other', name: 'HookExecutionEvent' }),
      anEvent({ kind: 'hidden' }),
      anEvent({ kind: 'status', status: 'idle' }),
      aResult(aCommand('not read yet')),
    ]);
    assert.deepEqual(
      entries.map((entry) =>
        entry.kind === 'error'
          ? [entry.title, entry.text.text]
          : entry.kind === 'separator' && [entry.what, entry.text],
      ),
      [
        ['AuthenticationError', 'Incorrect key'],
        ['paused', ''],
        ['interrupted', ''],
        ['condensed', 'So far'],
        ['other', 'HookExecutionEvent'],
      ],
    );
  });

  it('say how long an error is that they have without its middle', () => {
    const long = 'x'.repeat(50_000);
    const call = anAction('TerminalAction', { command: 'ls' }, { callId: 'c1' });
    const edit = anAction('FileEditorAction', { command: 'create', path: '/a' });
    const failure = anEvent({ kind: 'failure', code: 'E', detail: long });
    const toolError = anEvent({ kind: 'toolError', callId: 'c1', tool: 't', error: long });
    const failed = aResult(edit, { isError: true, text: long });
    const texts = make([failure, call, toolError, edit, failed].map(compact)).map((entry) => {
      if (entry.kind === 'error') return entry.text;
      assert.ok(entry.kind === 'step');
      return entry.problem;
    });
    assert.deepEqual(
      texts.map(({ length }) => length),
      [50_000, 50_000, 50_000],
    );
    for (const { text } of texts) assert.match(text, /^x+\n· · ·\nx+$/);
  });

  it('tell another model from the one that the agent has used from the start', () => {
    const uses = (name: string) => anEvent({ kind: 'model', name });
    const first = aCommand('ls');
    const told = (events: AgentEvent[]) =>
      make(events).flatMap((entry) => (entry.kind === 'separator' ? [`${entry.what} ${entry.text}`] : []));
    assert.deepEqual(told([uses('a'), first, uses('a'), uses('b'), uses('b')]), ['modelChanged b']);
    // What it has used before isn’t always told.
    assert.deepEqual(told([first, uses('b')]), ['modelChanged b']);
    assert.deepEqual(told([uses('a'), uses('b'), first]), ['modelChanged b']);
    assert.deepEqual(told([uses('a'), first]), []);
    assert.deepEqual(told([aMessage('Hi'), uses('a'), first]), []);
  });

  it('have a gap before an event that others are missing before', () => {
    const [one, other, last] = [aMessage('One'), aMessage('Other'), aMessage('Last')];
    const maker = createEntryMaker();
    const gaps = new Set([other.id, last.id]);
    const drawn = maker([one, other, last], 'idle', gaps);
    assert.deepEqual(
      drawn.map((entry) => (entry.kind === 'separator' ? entry.what : entry.kind)),
      ['message', 'gap', 'message', 'gap', 'message'],
    );
    assert.equal(new Set(drawn.map(({ id }) => id)).size, 5);
    for (const entry of drawn) entrySchema.parse(entry);
    assert.equal(drawn[1]?.kind === 'separator' && drawn[1].text, '');
    assert.equal(maker([one, other, last], 'idle', gaps)[1], drawn[1]);
  });

  it('have a gap that shows only later', () => {
    const [one, other] = [aMessage('One'), aMessage('Other')];
    const maker = createEntryMaker();
    assert.equal(maker([one, other], 'idle').length, 2);
    assert.equal(maker([one, other], 'idle', new Set([other.id])).length, 3);
    assert.equal(maker([one, other], 'idle').length, 2);
  });

  it('are those of another list that begins or ends with the same event', () => {
    const [one, two, three] = [aMessage('1'), aMessage('2'), aMessage('3')];
    const maker = createEntryMaker();
    for (const events of [[one, two], [three, two], [three, one], [three], [], [two]])
      assert.deepEqual(
        maker(events, 'idle').map(({ id }) => id),
        events.map(({ id }) => id),
      );
  });

  it('stay as they were drawn when more is drawn', () => {
    const maker = createEntryMaker();
    const action = aCommand('ls');
    const before = maker([action], 'running');
    const copy = structuredClone(before);
    const events = [action, aResult(action), aMessage('Newer')];
    maker(events, 'idle');
    assert.deepEqual(before, copy);
    maker([aMessage('Older'), ...events], 'idle');
    assert.deepEqual(before, copy);
  });

  it('find a model’s separator again when older events come', () => {
    const [uses, act] = [(name: string) => anEvent({ kind: 'model', name }), aCommand('ls')];
    for (const events of [
      [uses('a'), uses('b')],
      [uses('a'), act, uses('b'), aCommand('pwd'), uses('a')],
      [act, uses('b'), aCommand('pwd')],
      [uses('a'), aMessage('Hi'), uses('b')],
      [act, aMessage('Hi'), uses('b'), uses('c')],
      [aMessage('Hi'), aMessage('Hi'), uses('b'), uses('c')],
    ])
      for (let from = 0; from < events.length; from += 1)
        for (let to = from + 1; to <= events.length; to += 1) {
          const maker = createEntryMaker();
          maker(events.slice(from, to), 'running');
          maker(events.slice(0, to), 'running');
          assert.deepEqual(maker(events, 'idle'), createEntryMaker()(events, 'idle'));
        }
  });

  it('stay the same objects while nothing about them changes', () => {
    const maker = createEntryMaker();
    const action = aCommand('ls');
    const events = [aMessage('Hi'), action];
    const [message, running] = maker(events, 'running');
    assert.deepEqual(maker(events, 'running')[1], running);
    assert.equal(maker(events, 'running')[1], running);
    const [sameMessage, done] = maker([...events, aResult(action)], 'running');
    assert.equal(sameMessage, message);
    assert.notEqual(done, running);
    assert.equal(maker([...events, aResult(action)].slice(0, 2), 'idle')[0], message);
  });

  it('are the same however the events came, page by page or one by one', () => {
    const open: AgentEvent[] = [];
    const makers = {
      act: () => {
        const action = aCommand('ls');
        open.push(action);
        return action;
      },
      result: () => aResult(open.shift() ?? aCommand('ls')),
      message: () => aMessage('Hi'),
      a: () => anEvent({ kind: 'model', name: 'a' }),
      b: () => anEvent({ kind: 'model', name: 'b' }),
    };
    const kinds = fc.constantFrom('act', 'act', 'result', 'message', 'a', 'b');
    const parts = fc.tuple(
      fc.array(kinds, { maxLength: 40 }),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom<Execution>('running', 'idle')), {
        maxLength: 9,
      }),
    );
    fc.assert(
      fc.property(parts, ([some, middle, steps]) => {
        open.length = 0;
        const events = some.map((kind) => makers[kind]());
        const maker = createEntryMaker();
        let from = middle % (events.length + 1);
        let to = from;
        for (const [older, newer, execution] of [...steps, [40, 40, 'running'] as const]) {
          [from, to] = [Math.max(0, from - older), Math.min(events.length, to + newer)];
          const known = events.slice(from, to);
          assert.deepEqual(maker(known, execution), createEntryMaker()(known, execution));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('cost only what is new, however long the transcript', () => {
    let reads = 0;
    const counted = (events: AgentEvent[]) =>
      new Proxy(events, {
        get: (all, key): unknown => {
          reads += typeof key === 'string' && /^\d+$/.test(key) ? 1 : 0;
          return Reflect.get(all, key);
        },
      });
    // Begins with the result of a step before, with a call of which nothing is missing, and with an error of nobody’s.
    const before = aCommand('ls');
    const messages = Array.from({ length: 100_000 }, (_, index) => aMessage(String(index)));
    const error = anEvent({ kind: 'toolError', callId: '', tool: 'terminal', error: 'No' });
    const events = [aResult(before), aReport('c1', 'completed'), error, ...messages];
    const maker = createEntryMaker();
    assert.equal(maker(events, 'running').length, events.length - 1);
    const newer = [...events, aMessage('Newer')];
    assert.equal(maker(counted(newer), 'running').length, events.length);
    const older = [aMessage('Older'), before, { ...aCommand('ls'), callId: '' }, aReport('c2', 'completed')];
    assert.equal(maker(counted([...older, ...newer]), 'running').length, events.length + 4);
    assert.ok(reads < 30, `${reads} events were looked at`);
  });
});

describe('steps of what else happens', () => {
  let count = 0;
  const told = (event: object): AgentEvent => {
    count += 1;
    const timestamp = `2026-02-01T00:00:${String(count % 60).padStart(2, '0')}.${String(count).padStart(6, '0')}`;
    return eventSchema.parse({ id: `t${count}`, timestamp, source: 'agent', ...event });
  };
  beforeEach(() => (count = 0));
  const steps = (entries: readonly Entry[]) => entries.filter((entry) => entry.kind === 'step');
  const call = (id: string, status: string | null, more = {}) =>
    told({ kind: 'ACPToolCallEvent', tool_call_id: id, title: 'Edit a.ts', status, ...more });
  const hook = (action_id: string | null, more = {}) =>
    told({
      kind: 'HookExecutionEvent',
      source: 'hook',
      hook_event_type: 'PreToolUse',
      hook_command: './check',
      success: true,
      exit_code: 0,
      action_id,
      ...more,
    });

  it('are one for each call of an agent that runs its tools itself, however often it reports', () => {
    const diff = { type: 'diff', path: '/a.ts', old_text: 'one\ntwo', new_text: 'one\n2\nthree' };
    const events = [
      call('c1', 'pending', { tool_kind: 'edit' }),
      call('c2', 'pending', { tool_kind: 'execute', raw_input: { command: 'ls' } }),
      call('c1', 'in_progress', { tool_kind: 'edit', content: [diff] }),
      call('c2', 'failed', {
        is_error: true,
        content: [{ type: 'content', content: { type: 'text', text: 'No' } }],
      }),
      call('c1', 'completed', { tool_kind: 'edit', title: '' }),
    ];
    const maker = createEntryMaker();
    const [edit, command] = steps(
      events.reduce<readonly Entry[]>((_, __, index) => maker(events.slice(0, index + 1), 'running'), []),
    );
    assert.deepEqual(
      [edit?.id, edit?.state, command?.state, command?.problem.text],
      ['t1', 'done', 'failed', 'No'],
    );
    assert.ok(edit?.detail.step === 'edit' && command?.detail.step === 'terminal');
    assert.deepEqual([edit.detail.path, edit.detail.added, edit.detail.removed], ['/a.ts', 2, 1]);
    assert.equal(command.detail.command, 'ls');
    assert.deepEqual(createEntryMaker()(events, 'running'), maker(events, 'running'));
  });

  it('are open while such a call runs, and unanswered once the agent has stopped', () => {
    const events = [call('c1', 'in_progress'), call('c2', null)];
    for (const [execution, state] of [
      ['running', 'running'],
      ['finished', 'unanswered'],
      ['error', 'unanswered'],
    ] as const)
      assert.deepEqual(
        steps(make(events, execution)).map((step) => step.state),
        [state, state],
      );
  });

  it('stay the same objects once such a call has ended, and follow the agent until then', () => {
    const maker = createEntryMaker();
    const open = [call('c1', 'in_progress')];
    const [running] = steps(maker(open, 'running'));
    assert.equal(steps(maker(open, 'running'))[0], running);
    assert.deepEqual([running?.state, steps(maker(open, 'finished'))[0]?.state], ['running', 'unanswered']);
    const ended = [...open, call('c1', 'completed')];
    const [done] = steps(maker(ended, 'running'));
    assert.equal(steps(maker(ended, 'finished'))[0], done);
  });

  it('are others where an agent uses an id again', () => {
    const events = [call('c', 'pending'), call('c', 'completed'), call('c', 'pending'), call('c', 'failed')];
    assert.deepEqual(
      steps(make(events)).map((step) => [step.id, step.state]),
      [
        ['t1', 'done'],
        ['t3', 'failed'],
      ],
    );
  });

  it('are others where an agent gives its calls no ids', () => {
    const events = [
      call('', 'pending', { title: 'One' }),
      call('', 'completed', { title: 'One' }),
      call('', 'completed', { title: 'Two' }),
    ];
    assert.deepEqual(
      steps(make(events)).map(({ id, state, detail }) => [id, state, 'tool' in detail && detail.tool]),
      [
        ['t1', 'done', 'One'],
        ['t3', 'done', 'Two'],
      ],
    );
  });

  it('never wait for approval, whatever such a call says and the agent does', async () => {
    const odd = [
      null,
      7,
      {},
      [],
      '',
      'constructor',
      'toString',
      '__proto__',
      'waiting_for_confirmation',
      '\u202e',
    ];
    const members = ['title', 'status', 'tool_kind', 'raw_input', 'raw_output', 'content', 'is_error'];
    const cases = members.flatMap((name) => odd.map((value) => ({ [name]: value })));
    await everyCase(cases, JSON.stringify, (more) => {
      for (const execution of executionSchema.options) {
        const [step] = steps(make([call('c', 'pending', more)], execution));
        assert.ok(step?.state !== 'pending' && step?.risk === 'UNKNOWN');
      }
    });
  });

  it('are no longer than a card, however long the names in them are', async () => {
    const long = 'x'.repeat(1_000_000);
    const diff = { type: 'diff', path: long, new_text: 'x' };
    await everyCase(
      [
        call('a', 'completed', { title: long }),
        call('b', 'in_progress', { title: long, tool_kind: 'execute' }),
        call('c', 'completed', { tool_kind: long }),
        call('d', 'completed', { content: [diff] }),
        told({ kind: 'ActionEvent', tool_name: long, action: { kind: 'NewAction' } }),
        told({ kind: 'ActionEvent', tool_name: 't', summary: long, action: { kind: 'NewAction' } }),
        told({ kind: 'ActionEvent', action: { kind: 'FileEditorAction', command: 'create', path: long } }),
        told({ kind: 'ConversationErrorEvent', code: long, detail: 'No' }),
      ],
      (event) => JSON.stringify(event).slice(0, 120),
      (event) => {
        const [entry] = createEntryMaker(compactAction)([compact(event)], 'finished');
        assert.ok(JSON.stringify(entry).length < 10_000);
      },
    );
  });

  it('are the same whichever page is read first', () => {
    const action = aCommand('ls');
    const id = 'a1';
    const events = [
      call('c1', 'pending'),
      { ...action, id, timestamp: '2026-02-01T00:00:02' },
      hook(id),
      call('c1', 'in_progress', { content: [] }),
      hook('unknown', { success: false, exit_code: 1, stderr: 'Broken' }),
      told({ kind: 'SecurityAnalysisEvent', risks: { [id]: 'HIGH' } }),
      call('c1', 'completed'),
      hook(id, { hook_event_type: 'PostToolUse' }),
    ].toSorted(byTime);
    const expected = make(events);
    for (let from = 1; from < events.length; from += 1)
      for (let to = from; to < events.length; to += 1) {
        const maker = createEntryMaker();
        maker(events.slice(from, to), 'idle');
        maker(events.slice(from), 'idle');
        assert.deepEqual(maker(events, 'idle'), expected, `from ${from} to ${to}`);
      }
  });

  it('have the hooks that ran for them, and a line for each of the others', () => {
    const action = { ...aCommand('ls'), timestamp: '2026-01-31T00:00:00' };
    const entries = make([
      action,
      hook(action.id, { stdout: 'checked' }),
      hook(action.id, {
        hook_event_type: 'PostToolUse',
        success: false,
        exit_code: 1,
        stderr: 'Lint failed',
      }),
      hook(null, { hook_event_type: 'SessionStart' }),
      hook(null, { hook_event_type: 'UserPromptSubmit', success: false, blocked: true, reason: 'Too long' }),
    ]);
    const [step, line, blocked] = entries;
    assert.ok(step?.kind === 'step' && line?.kind === 'separator' && blocked?.kind === 'error');
    assert.deepEqual(step.hooks, [
      { on: 'PreToolUse', outcome: 'passed', text: 'checked' },
      { on: 'PostToolUse', outcome: 'failed', text: 'Lint failed' },
    ]);
    assert.deepEqual([line.what, line.text, entries.length], ['hook', 'SessionStart: ./check', 3]);
    assert.deepEqual([blocked.title, blocked.text.text], ['Blocked by a hook: UserPromptSubmit', 'Too long']);
  });

  it('say who rejected them', () => {
    const blocked = (rejection_source?: string) => {
      const action = told({ kind: 'ActionEvent', action: { kind: 'TerminalAction', command: 'ls' } });
      const events = [
        action,
        told({
          kind: 'UserRejectObservation',
          action_id: action.id,
          rejection_reason: 'No',
          rejection_source,
        }),
      ];
      return stepOf(events).isBlocked;
    };
    assert.deepEqual([blocked('hook'), blocked('user'), blocked()], [true, undefined, undefined]);
  });

  it('have the higher of the model’s and the analyzer’s risk, whenever it’s reported', () => {
    const action = { ...aCommand('ls'), timestamp: '2026-01-31T00:00:00' };
    const judged = (risk: string) => told({ kind: 'SecurityAnalysisEvent', risks: { [action.id]: risk } });
    for (const [risk, expected] of [
      ['HIGH', 'HIGH'],
      ['UNKNOWN', 'LOW'],
      ['MEDIUM', 'MEDIUM'],
      ['medium', 'MEDIUM'],
      ['CRITICAL', 'HIGH'],
      ['', 'LOW'],
    ] as const) {
      const event = judged(risk);
      assert.equal(stepOf([action, event]).risk, expected);
      const maker = createEntryMaker();
      maker([action, aResultAt(action)], 'idle');
      const [later] = maker([action, aResultAt(action), event], 'idle');
      assert.equal(later?.kind === 'step' && later.risk, expected);
      const outcomes = new Outcomes();
      outcomes.add(event);
      outcomes.add(action);
      assert.deepEqual(
        outcomes.unanswered(true).map((one) => one.risk),
        [expected],
      );
    }
  });
  const results = new WeakMap<AgentEvent, AgentEvent>();
  const aResultAt = (action: AgentEvent) => {
    const known = results.get(action) ?? { ...aResult(action), timestamp: '2026-01-31T00:00:01' };
    results.set(action, known);
    return known;
  };

  it('took the time since they were approved, or none is said', () => {
    const at = (seconds: number) => `2026-03-01T00:00:${String(seconds).padStart(2, '0')}`;
    const status = (value: string, seconds: number) =>
      told({ kind: 'ConversationStateUpdateEvent', key: 'execution_status', value, timestamp: at(seconds) });
    const action = { ...aCommand('make'), timestamp: at(1) };
    const done = { ...aResult(action), timestamp: at(50) };
    const took = (...statuses: AgentEvent[]) => {
      const entries = make([action, ...statuses, done].toSorted(byTime));
      return entries[0]?.kind === 'step' && entries[0].took;
    };
    const waits = status('waiting_for_confirmation', 2);
    assert.equal(took(), 49_000);
    // Before the action, or after its result, the agent waited for something else.
    assert.equal(took(status('waiting_for_confirmation', 0), status('running', 3)), 49_000);
    assert.equal(took(status('waiting_for_confirmation', 51), status('running', 52)), 49_000);
    assert.equal(took(status('waiting_for_confirmation', 1), status('running', 50)), 0);
    assert.equal(took(status('running', 3)), 49_000);
    assert.equal(took(waits, status('running', 40)), 10_000);
    assert.equal(took(waits, status('running', 20), status('paused', 25), status('running', 45)), 30_000);
    assert.equal(
      took(waits, status('running', 10), status('waiting_for_confirmation', 20), status('running', 44)),
      6_000,
    );
    assert.equal(took(waits), null);
    assert.equal(took(status('waiting_for_confirmation', 50)), null);
    assert.equal(took(waits, status('running', 55)), null);
  });

  it('have a time that exists, whatever their events say', () => {
    const impossible = [
      '2026-13-45T99:99:99',
      '2026-02-30T24:00:01',
      '2026-06-30T23:59:60',
      '2026-00-00T00:00:00',
    ];
    for (const timestamp of impossible) {
      const odd = { ...aMessage('odd'), timestamp };
      const [first, next] = [aMessage('one'), aMessage('two')];
      for (const events of [
        [odd],
        [odd, first],
        [first, odd, next],
        [odd, { ...aCommand('ls'), timestamp }],
      ]) {
        const entries = make(events);
        assert.equal(entries.length, events.length);
        assert.ok(entries.every(({ at }) => Number.isFinite(at)));
        const shown = parseToPage(
          JSON.parse(JSON.stringify({ type: 'entries', at: 0, removed: 0, added: entries, hasOlder: false })),
        );
        assert.ok(shown.ok);
      }
      assert.equal(make([first, odd, next])[1]?.at, make([first])[0]?.at);
    }
    const maker = createEntryMaker();
    const events = [aMessage('one'), { ...aMessage('odd'), timestamp: '2026-13-45T99:99:99' }];
    const [, before] = maker(events, 'idle');
    assert.equal(maker([...events, aMessage('two')], 'idle')[1], before);
  });

  it('are clipped, however long their arguments, and whole again in what people approve', () => {
    const long = 'x'.repeat(10_000_000);
    const lines = 'y\n'.repeat(200_000);
    const actions = [
      aCommand(long),
      anAction('FileEditorAction', { command: 'create', path: '/a', file_text: long }),
      anAction('FileEditorAction', { command: 'create', path: '/a', file_text: lines }),
      anAction('ApplyPatchAction', { patch: `*** Begin Patch\n*** Add File: a\n+${long}\n*** End Patch` }),
      anAction('MCPToolAction', {
        data: { deep: { text: long, list: Array.from({ length: 1_000 }, () => 'z'.repeat(1_000)) } },
      }),
      anAction('TaskAction', { prompt: long }),
    ];
    for (const action of actions) {
      const entries = createEntryMaker(compactAction)([action], 'waiting_for_confirmation');
      const size = JSON.stringify(entries).length;
      assert.ok(size < 30_000, `${action.kind === 'action' && action.action?.kind}: ${size}`);
      const [pending] = pendingActions(outcomesIn([action]).unanswered(true), 'waiting_for_confirmation');
      assert.ok(pending!.raw.length >= 400_000);
      assert.ok([pending!.text, ...pending!.diff.map(({ text }) => text)].join('\n').length >= 400_000);
    }
    const [, , edit] = actions.map((action) => createEntryMaker(compactAction)([action], 'idle')[0]);
    assert.ok(edit?.kind === 'step' && edit.detail.step === 'edit');
    assert.deepEqual([edit.isCut, edit.detail.added, edit.detail.diff.length], [true, 200_000, 61]);
  });
});
