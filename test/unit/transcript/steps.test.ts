import assert from 'node:assert/strict';
import type { AgentEvent, Result } from '../../../src/api/events/event';
import type { Execution, StepEntry } from '../../../src/shared/transcript';
import { compactAction, createEntryMaker } from '../../../src/features/transcript';
import { aCommand, aMessage, anAction, anEvent, aRejection, aReport, aResult } from './events';

function stepOf(events: readonly AgentEvent[], execution: Execution = 'idle'): StepEntry {
  const entry = createEntryMaker(compactAction)(events, execution).find(({ kind }) => kind === 'step');
  assert.ok(entry?.kind === 'step');
  return entry;
}

const at = (second: number) => `2026-03-01T00:00:${String(second).padStart(2, '0')}`;

describe('a step of an agent', () => {
  const command = { ...aCommand('make'), timestamp: at(1) };
  const later = <E extends AgentEvent>(second: number, event: E): E => ({ ...event, timestamp: at(second) });

  it('is done without an exit code, and where nothing could answer it', () => {
    assert.equal(stepOf([command, aResult(command, { exitCode: null })]).state, 'done');
    for (const [kind, input] of [
      ['ThinkAction', { thought: 'Hm.' }],
      ['FinishAction', { message: 'Done.' }],
    ] as const)
      assert.equal(stepOf([anAction(kind, input)]).state, 'done', kind);
  });

  it('waited until somebody decided, but for no hook', () => {
    const no = aRejection(command, 'No');
    assert.equal(stepOf([command, later(5, no)]).waited, 4_000);
    const byHook = stepOf([command, later(5, { ...no, byHook: true } as AgentEvent)]);
    assert.deepEqual([byHook.isBlocked, 'waited' in byHook], [true, false]);
    const statuses = [
      later(2, anEvent({ kind: 'status', status: 'waiting_for_confirmation' })),
      later(8, anEvent({ kind: 'status', status: 'running' })),
    ];
    const done = later(10, aResult(command));
    const approved = stepOf([command, ...statuses, done]);
    assert.deepEqual([approved.waited, approved.took], [7_000, 2_000]);
    assert.equal(stepOf([command, ...statuses.slice(0, 1), done]).waited, null);
    assert.equal('waited' in stepOf([command, done]), false);
  });

  it('says what can be done about an error of its tool', () => {
    const action = anAction('X', {}, { callId: 'c' });
    const error = { kind: 'toolError', callId: 'c', tool: 'x', error: 'No' } as const;
    assert.equal(stepOf([action, anEvent({ ...error, remedy: 'settings' })]).remedy, 'settings');
    assert.equal('remedy' in stepOf([action, anEvent(error)]), false);
  });

  it('counts its pictures, and says that its arguments were shortened', () => {
    assert.equal(stepOf([command, aResult(command, { images: 2 })]).images, 2);
    assert.equal('images' in stepOf([command, aResult(command)]), false);
    const long = aCommand('x'.repeat(9_000));
    assert.deepEqual([stepOf([long]).isCut, 'isCut' in stepOf([command])], [true, false]);
  });

  it('has the plan that came of it', () => {
    const tasks = [{ title: 'Two', notes: '', status: 'done' as const }];
    const plan = anAction('TaskTrackerAction', { task_list: [{ title: 'One', status: 'todo' }] });
    const titles = ({ detail }: StepEntry) =>
      detail.step === 'plan' && detail.tasks.map(({ title }) => title);
    assert.deepEqual(
      [titles(stepOf([plan])), titles(stepOf([plan, aResult(plan, { tasks })]))],
      [['One'], ['Two']],
    );
  });

  it('shows how a long edit came out, or how it was planned', () => {
    const long = 'x\n'.repeat(9_000);
    const replace = { command: 'str_replace', path: '/a', old_str: 'old', new_str: long };
    const shown = (input: Record<string, unknown>, result?: Partial<Result>) => {
      const action = anAction('FileEditorAction', input);
      const { detail } = stepOf([action, ...(result ? [aResult(action, { path: '/a', ...result })] : [])]);
      assert.ok(detail.step === 'edit');
      return [detail.added, detail.isNew, detail.hasContents];
    };
    assert.deepEqual(shown(replace), [9_000, false, false]);
    assert.deepEqual(shown(replace, {}), [9_000, false, false]);
    assert.deepEqual(shown(replace, { before: '', after: 'y' }), [1, false, true]);
    // The file’s earlier contents aren’t told, but it was there.
    assert.deepEqual(shown(replace, { before: null, after: 'y' }), [1, false, true]);
    // Nothing is left of a long patch but what was counted.
    const lines = Array.from({ length: 2_000 }, (_, index) => `+${index}`).join('\n');
    const patch = `*** Begin Patch\n*** Add File: n.ts\n${lines}\n*** End Patch`;
    const patching = anAction('ApplyPatchAction', { patch });
    const { detail } = stepOf([patching, aResult(patching)]);
    assert.ok(detail.step === 'edit');
    assert.deepEqual([detail.path, detail.added, detail.isNew], ['n.ts', 2_000, true]);
    const create = { command: 'create', path: '/a', file_text: long };
    assert.deepEqual(shown(create, { before: null, after: 'y' }), [1, true, true]);
  });
});

describe('a step of an agent that runs its tools itself', () => {
  const text = (said: string) => ({ content: [{ type: 'content', content: { type: 'text', text: said } }] });

  it('has its output, its time, and its problem once it has ended', () => {
    const started = {
      ...aReport('c', 'pending', { title: 'Look', tool_kind: 'fetch', ...text('so far') }),
      timestamp: at(1),
    };
    const ended = (status: string, more: object = {}) => ({
      ...aReport('c', status, { title: 'Look', ...text('all'), ...more }),
      timestamp: at(3),
    });
    const shown = (...events: AgentEvent[]) => {
      const { state, took, problem, detail } = stepOf([...events, aMessage('Hi')], 'running');
      assert.ok(detail.step === 'other');
      return [state, took, problem.text, detail.output?.text, detail.tool];
    };
    assert.deepEqual(shown(started), ['running', null, '', undefined, 'fetch']);
    assert.deepEqual(shown(started, ended('completed')), ['done', 2_000, '', 'all', 'fetch']);
    assert.deepEqual(shown(started, ended('failed')), ['failed', 2_000, 'all', 'all', 'fetch']);
    // What somebody canceled went wrong in no way that its output tells.
    assert.deepEqual(shown(started, ended('cancelled')), ['failed', 2_000, '', 'all', 'fetch']);
  });

  it('runs while the agent does, and ends its current call after a pause', () => {
    const states = (['running', 'paused', 'idle'] as const).map(
      (execution) => stepOf([aReport('c', 'pending')], execution).state,
    );
    assert.deepEqual(states, ['running', 'running', 'unanswered']);
  });

  it('has a title as its tool, or as its summary', () => {
    const shown = (tool_kind: string, more: object = {}) => {
      const { detail, summary } = stepOf([aReport('c', 'completed', { title: 'Look', tool_kind, ...more })]);
      return [summary, 'tool' in detail && detail.tool];
    };
    assert.deepEqual(shown(''), ['', 'Look']);
    assert.deepEqual(shown('fetch'), ['', 'fetch']);
    assert.deepEqual(shown('execute', { raw_input: { command: 'ls' } }), ['Look', false]);
  });
});
