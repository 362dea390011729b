import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import type { StepEntry } from '../../../src/shared/transcript';
import { callsIn, compact, createEntryMaker } from '../../../src/features/transcript';
import { aMessage, aReport } from './events';

/** A report as it’s held. */
const report = (...told: Parameters<typeof aReport>): AgentEvent => compact(aReport(...told));

const text = (said: string) => ({ type: 'content', content: { type: 'text', text: said } });
const picture = { type: 'content', content: { type: 'image', data: 'AQID' } };

function stepOf(...events: AgentEvent[]): StepEntry {
  const [entry, ...others] = createEntryMaker()(events, 'running');
  assert.ok(entry?.kind === 'step' && others.length === 0);
  return entry;
}

describe('the reports of a tool call', () => {
  it('belong together by their ids, until the call has ended', () => {
    const [a1, b1, a2, b2] = [
      report('a', 'pending'),
      report('b', 'completed'),
      report('a', 'completed'),
      report('b', 'completed'),
    ];
    const [a3, none, other, a4] = [
      report('a', 'pending'),
      report('', 'completed'),
      report('', 'completed'),
      report('a', 'failed'),
    ];
    assert.deepEqual(callsIn([a1, aMessage('Hi'), b1, a2, b2, a3, none, other, a4]), [
      [a1, a2],
      [b1, b2],
      [a3, a4],
      [none],
      [other],
    ]);
  });

  it('say what later ones don’t', () => {
    const first = report('c', 'pending', { title: 'Look', tool_kind: 'fetch', raw_input: { url: 'u' } });
    const other = { title: 'Look again', tool_kind: 'execute', raw_input: { command: 'ls' } };
    const shown = ({ detail, summary }: StepEntry) => [
      summary,
      'input' in detail ? detail.input : 'command' in detail && detail.command,
    ];
    const ended = report('c', 'completed');
    assert.deepEqual(shown(stepOf(first, ended)), ['', 'url: u']);
    assert.deepEqual(shown(stepOf(first, report('c', 'completed', other), ended)), ['Look again', 'ls']);
  });

  it('say what became of files that are too large to be held', () => {
    const large = 'x\n'.repeat(1_000_000);
    const edited = (...files: { old_text?: string | null; new_text?: string | null }[]) => {
      const content = files.map((file, index) => ({ type: 'diff', path: `/${index}`, ...file }));
      const { detail } = stepOf(report('c', 'completed', { tool_kind: 'edit', content }));
      assert.ok(detail.step === 'edit');
      return detail;
    };
    const made = edited({ old_text: null, new_text: large });
    const changed = edited({ old_text: large, new_text: `${large}y` });
    assert.deepEqual(
      [made, changed].map(({ isNew, isDeleted = false, hasContents }) => [isNew, isDeleted, hasContents]),
      [
        [true, false, false],
        [false, false, false],
      ],
    );
  });

  it('have the last output', () => {
    const said = (...contents: object[][]) => {
      const reports = contents.map((content) => report('c', 'in_progress', { content }));
      const step = stepOf(...reports, report('c', 'completed'));
      assert.ok(step.detail.step === 'other');
      return [step.detail.output, step.images];
    };
    assert.deepEqual(said([text('One')]), [{ text: 'One', length: 3 }, undefined]);
    assert.deepEqual(said([text('One')], [text('Two!')]), [{ text: 'Two!', length: 4 }, undefined]);
    assert.deepEqual(said([picture]), [{ text: '', length: 0 }, 1]);
    assert.deepEqual(said([text('One')], [picture]), [{ text: '', length: 0 }, 1]);
    assert.deepEqual(said([picture], [text('One')]), [{ text: 'One', length: 3 }, undefined]);
  });

  it('keep an edit that was counted before its arguments were shortened, until it’s told how it came out', () => {
    const written = { tool_kind: 'edit', raw_input: { file_path: '/a', content: 'x\n'.repeat(9_000) } };
    const told = (content: string) => ({ type: 'diff', path: '/a', old_text: null, new_text: content });
    const edited = (...later: AgentEvent[]) => {
      const { detail, isCut } = stepOf(report('c', 'pending', written), ...later);
      assert.ok(detail.step === 'edit');
      return [detail.added, detail.hasContents, isCut];
    };
    assert.deepEqual(edited(report('c', 'completed')), [9_000, false, true]);
    assert.deepEqual(edited(report('c', 'completed', { content: [told('x\n')] })), [1, true, true]);
    const large = report('c', 'in_progress', { content: [told('y\n'.repeat(150_000))] });
    assert.deepEqual(edited(large, report('c', 'completed')), [150_000, false, true]);
    assert.deepEqual(edited(large, report('c', 'completed', { content: [told('x\n')] })), [1, true, true]);
    const short = report('c', 'in_progress', { content: [told('x\n')] });
    assert.deepEqual(edited(short, report('c', 'completed')), [1, true, true]);
  });

  it('take the time from the first to the last, which says what went wrong', () => {
    const at = (second: number, status: string, said: object = {}) => ({
      ...report('c', status, said),
      timestamp: `2026-01-01T00:00:0${second}.000000`,
    });
    const [begun, more] = [at(1, 'pending'), at(3, 'in_progress', { content: [text('Halfway')] })];
    const failed = at(8, 'failed', { is_error: true, content: [text('No space left')] });
    const { took, problem, state } = stepOf(begun, more, failed);
    assert.deepEqual([took, problem.text, state], [7_000, 'No space left', 'failed']);
    assert.equal(stepOf(begun, more).took, null);
  });

  it('lack something if any of them was long, and are whole otherwise', () => {
    const long = { raw_input: { text: 'x'.repeat(5_000) } };
    assert.equal(stepOf(report('c', 'pending'), report('c', 'completed', long)).isCut, true);
    assert.equal(stepOf(report('c', 'completed', { content: [text('Done')] })).isCut, undefined);
  });
});
