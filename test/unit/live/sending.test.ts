import assert from 'node:assert/strict';
import type { Execution } from '../../../src/shared/transcript';
import { Refusal } from '../../../src/core/basics/refusal';
import { sendOnce } from '../../../src/features/live/model/sending';
import { aMessage } from '../transcript/events';
import { FakeDesk, requestError } from './fakeDesk';

const image = 'data:image/png;base64,AQID';

/** A desk whose agent is in these states, one after the other. */
const inStates = (...states: Execution[]) => Object.assign(new FakeDesk(), { states });

/** Likewise, waiting for approval of what is shown. */
function asking(...after: Execution[]): FakeDesk {
  const desk = inStates('waiting_for_confirmation', ...after);
  desk.waiting = ['a', 'b'];
  desk.pending = ['a', 'b'];
  return desk;
}

const shown = (desk: FakeDesk) => desk.outbox.shown.map(({ text, state }) => `${text}: ${state}`);

describe('sending a message', () => {
  it('starts an agent that rests, by a state read just before, while no other window changes it', async () => {
    const desk = inStates('finished', 'running');
    assert.deepEqual(await sendOnce(desk, 'Go', [image]), { kind: 'done' });
    const sent = `sendMessage Go ${image} true`;
    assert.deepEqual(desk.calls, ['alone c', 'reach', 'readEvents', 'readStatus', sent, 'readStatus']);
    assert.deepEqual([[...desk.signals], desk.looks], [[desk.signal], 1]);
  });

  it('sends pictures without text, and nothing without either', async () => {
    const desk = new FakeDesk();
    for (const empty of ['', ' \n']) {
      const outcome = await sendOnce(desk, empty, []);
      assert.ok(outcome.kind === 'refused' && outcome.problem !== '');
    }
    assert.deepEqual([desk.calls, desk.outbox.shown], [[], []]);
    assert.deepEqual(await sendOnce(desk, ' ', [image]), { kind: 'done' });
    assert.equal(desk.changes.length, 1);
  });

  it('joins an agent that works, and starts it only if it has come to rest since', async () => {
    for (const [after, changes] of [
      ['running', ['sendMessage Go false']],
      ['finished', ['sendMessage Go false']],
      ['idle', ['sendMessage Go false', 'run']],
    ] as const) {
      const desk = inStates('running', after);
      assert.deepEqual(await sendOnce(desk, 'Go', []), { kind: 'done' });
      assert.deepEqual([desk.changes, [...desk.signals]], [changes, [desk.signal]]);
    }
  });

  it('is refused by an agent that would do nothing, and kept', async () => {
    const desk = inStates('stuck');
    desk.features = { revivesStuck: false };
    const outcome = await sendOnce(desk, 'Go', []);
    assert.ok(outcome.kind === 'refused' && outcome.problem !== '');
    assert.deepEqual([desk.changes, shown(desk), desk.looks], [[], ['Go: failed'], 1]);
    assert.equal(desk.outbox.shown[0]?.problem, outcome.problem);
    const free = inStates('stuck', 'idle');
    assert.deepEqual(await sendOnce(free, 'Go', []), { kind: 'done' });
    assert.deepEqual(free.changes, ['sendMessage Go false', 'run']);
  });

  it('shows that the sandbox wakes first', async () => {
    const desk = inStates('idle', 'running');
    const states: string[][] = [];
    desk.onWaking = () => states.push(shown(desk));
    const read = desk.readStatus.bind(desk);
    desk.readStatus = () => {
      states.push(shown(desk));
      return read();
    };
    await sendOnce(desk, 'Go', []);
    assert.deepEqual(states, [['Go: resuming'], ['Go: sending'], ['Go: sending']]);
  });

  it('rejects what waits with the same words, if that was shown', async () => {
    for (const [after, changes] of [
      ['idle', ['reject No', 'sendMessage No true']],
      ['running', ['reject No', 'sendMessage No false']],
      ['stuck', ['reject No', 'sendMessage No false']],
    ] as const) {
      const desk = asking(after);
      assert.deepEqual(await sendOnce(desk, 'No', []), { kind: 'done' });
      assert.deepEqual([desk.changes, desk.answer, [...desk.signals]], [changes, ['a', 'b'], [desk.signal]]);
      const before = ['alone c', 'reach', 'readEvents', 'readStatus', 'readEvents', 'reject No'];
      assert.deepEqual(desk.calls.slice(0, 6), before);
    }
  });

  it('starts no agent that a rejection leaves stuck where a message won’t help, or asking for something else', async () => {
    for (const after of ['stuck', 'waiting_for_confirmation'] as const) {
      const desk = asking(after);
      desk.features = { revivesStuck: false };
      desk.onEvents = () => {
        if (desk.changes.length > 0) desk.waiting = ['c'];
      };
      await sendOnce(desk, 'No', []);
      assert.deepEqual(desk.changes, ['reject No', 'sendMessage No false']);
    }
  });

  it('isn’t sent, and is kept, where the server takes no rejection', async () => {
    const desk = asking();
    const outcome = await sendOnce(desk, 'No', []);
    assert.ok(outcome.kind === 'refused' && outcome.problem.includes('didn’t accept the rejection'));
    assert.deepEqual([desk.changes, desk.answer, shown(desk)], [['reject No'], [], ['No: failed']]);
  });

  it('rejects nothing that wasn’t shown when the user pressed Send', async () => {
    for (const [waiting, seen] of [
      [['a', 'b'], ['a']],
      [['a', 'b'], []],
      [[], []],
      [[], ['a']],
    ] as const) {
      const desk = asking();
      desk.waiting = [...waiting];
      desk.pending = [...seen];
      desk.onWaking = () => (desk.pending = waiting);
      await sendOnce(desk, 'No', []);
      assert.deepEqual([desk.changes, desk.answer], [['sendMessage No false'], []]);
    }
  });

  it('runs nothing that waits unanswered in a resting agent: rejects it first', async () => {
    for (const state of ['idle', 'error', 'finished'] as const) {
      const desk = Object.assign(inStates(state), { open: true });
      desk.onEvents = () => (desk.open = desk.changes.length === 0);
      assert.deepEqual(await sendOnce(desk, 'Go', []), { kind: 'done' });
      assert.deepEqual(desk.changes, ['reject Go', 'sendMessage Go true']);
      const deaf = Object.assign(inStates(state), { open: true });
      assert.equal((await sendOnce(deaf, 'Go', [])).kind, 'refused');
      assert.deepEqual([deaf.changes, shown(deaf)], [['reject Go'], ['Go: failed']]);
      const free = Object.assign(inStates(state), { open: true, policy: 'never' });
      await sendOnce(free, 'Go', []);
      assert.deepEqual(free.changes, ['sendMessage Go true']);
    }
    const paused = Object.assign(inStates('paused'), { open: true });
    await sendOnce(paused, 'Go', []);
    assert.deepEqual(paused.changes, ['sendMessage Go false']);
  });

  it('starts no paused agent whose step still ends', async () => {
    const desk = inStates('paused');
    desk.stepIsOver = false;
    assert.deepEqual(await sendOnce(desk, 'Go', []), { kind: 'done' });
    assert.deepEqual(desk.changes, ['sendMessage Go false']);
    const ended = inStates('paused');
    await sendOnce(ended, 'Go', []);
    assert.deepEqual(ended.changes, ['sendMessage Go true']);
    for (const policy of ['never', 'itself'] as const) {
      const free = Object.assign(inStates('paused'), { stepIsOver: false, policy });
      await sendOnce(free, 'Go', []);
      assert.deepEqual(free.changes, ['sendMessage Go true']);
    }
  });

  it('starts no agent that continues by itself after a message in the middle of a step', async () => {
    const desk = inStates('running', 'idle', 'running');
    assert.deepEqual(await sendOnce(desk, 'Go', []), { kind: 'done' });
    assert.deepEqual(desk.changes, ['sendMessage Go false']);
    const open = Object.assign(inStates('running', 'idle'), { open: true });
    await sendOnce(open, 'Go', []);
    assert.deepEqual(open.changes, ['sendMessage Go false']);
  });

  it('goes out although events can’t be read', async () => {
    const desk = inStates('idle', 'running');
    desk.failures.readEvents = requestError(false);
    assert.deepEqual(await sendOnce(desk, 'Go', []), { kind: 'done' });
    assert.deepEqual(desk.changes, ['sendMessage Go true']);
  });

  it('looks for what may have arrived after the server’s own time, where it knows no events of it', async () => {
    for (const updatedAt of ['2026-01-02T00:00:00Z', null]) {
      const desk = Object.assign(inStates('idle'), { updatedAt });
      desk.failures.readEvents = requestError(false);
      desk.failures.sendMessage = requestError(true);
      await sendOnce(desk, 'Go', []);
      assert.equal(desk.unsent[0]?.after, updatedAt ?? desk.events.at(-1)?.timestamp);
    }
  });

  it('isn’t sent where events are refused, not missing', async () => {
    const desk = inStates('idle');
    desk.failures.readEvents = new Refusal('The sandbox is gone.');
    const outcome = await sendOnce(desk, 'Go', []);
    assert.deepEqual(outcome, { kind: 'refused', problem: 'The sandbox is gone.' });
    assert.deepEqual([desk.changes, shown(desk)], [[], ['Go: failed']]);
  });

  it('rejects nothing that the user approved just before, while the old state still shows', async () => {
    const desk = asking('running');
    const { exclusively } = desk.ports;
    desk.ports.exclusively = (id, work) => {
      // Approving had its turn first.
      desk.answered(['a', 'b']);
      return exclusively(id, work);
    };
    assert.deepEqual(await sendOnce(desk, 'And then?', []), { kind: 'done' });
    assert.deepEqual(desk.changes, ['sendMessage And then? false']);
  });

  it('keeps the message when a rejection fails, which says that nothing was sent', async () => {
    for (const isUnknown of [true, false]) {
      const desk = asking();
      desk.failures.reject = requestError(isUnknown);
      const outcome = await sendOnce(desk, 'No', []);
      assert.equal(outcome.kind, 'refused');
      assert.match(outcome.problem, /^described: /);
      assert.deepEqual([desk.changes, desk.answer, shown(desk)], [['reject No'], [], ['No: failed']]);
      assert.equal(desk.unsent[0]?.mayHaveArrived, false);
    }
  });

  it('keeps a message that certainly didn’t arrive, to be sent again', async () => {
    const desk = new FakeDesk();
    desk.failures.sendMessage = requestError(false);
    const outcome = await sendOnce(desk, 'Go', []);
    assert.equal(outcome.kind, 'refused');
    assert.deepEqual([shown(desk), desk.unsent[0]?.mayHaveArrived], [['Go: failed'], false]);
    assert.deepEqual(desk.calls.at(-1), 'sendMessage Go true');
  });

  it('keeps a message that may have arrived apart until an event shows it', async () => {
    for (const eventsFail of [false, true]) {
      const desk = new FakeDesk();
      desk.failures.sendMessage = requestError(true);
      if (eventsFail) desk.failures.readEvents = requestError(false);
      const outcome = await sendOnce(desk, 'Go', []);
      assert.equal(outcome.kind, 'unknown');
      assert.match(outcome.problem, /^described: /);
      assert.deepEqual([shown(desk), desk.calls.at(-1)], [['Go: unknown'], 'readEvents']);
      assert.notEqual(desk.outbox.shown[0]?.problem, '');
      assert.deepEqual(
        [desk.unsent[0]?.mayHaveArrived, desk.unsent[0]?.after],
        [true, desk.events.at(-1)?.timestamp],
      );
    }
  });

  it('isn’t taken for an earlier message with the same words, also when nothing was read before', async () => {
    const desk = new FakeDesk();
    const earlier = aMessage('Go');
    desk.events = [];
    desk.failures.sendMessage = requestError(true);
    desk.onEvents = () => {
      desk.events = [earlier];
      desk.outbox.settle([earlier], false);
    };
    assert.equal((await sendOnce(desk, 'Go', [])).kind, 'unknown');
    assert.deepEqual([shown(desk), desk.unsent[0]?.after], [['Go: unknown'], earlier.timestamp]);
  });

  it('continues if the events show a message whose answer was lost', async () => {
    const desk = inStates('running', 'idle');
    desk.failures.sendMessage = requestError(true);
    desk.onEvents = () => desk.outbox.settle([aMessage('Go')], false);
    assert.deepEqual(await sendOnce(desk, 'Go', []), { kind: 'done' });
    assert.deepEqual([desk.changes, shown(desk)], [['sendMessage Go false', 'run'], []]);
  });

  it('runs an agent that stays idle once its server is done with the run before', async () => {
    const desk = inStates('running', 'idle').refuseRuns(2);
    assert.deepEqual(await sendOnce(desk, 'Go', []), { kind: 'done' });
    assert.deepEqual(desk.changes, ['sendMessage Go false', 'run', 'run', 'run']);
    const never = inStates('running', 'idle').refuseRuns(9);
    const outcome = await sendOnce(never, 'Go', []);
    assert.ok(outcome.kind === 'unknown' && outcome.problem.includes('still ends'));
    assert.equal(never.changes.length, 6);
    const other = inStates('running', 'idle', 'idle', 'running').refuseRuns(9);
    assert.deepEqual(await sendOnce(other, 'Go', []), { kind: 'done' });
    assert.deepEqual(other.changes, ['sendMessage Go false', 'run'], 'it runs by then');
  });

  it('never takes a message that arrived for refused because of what follows', async () => {
    for (const isUnknown of [true, false]) {
      const desk = inStates('running', 'idle');
      desk.failures.run = requestError(isUnknown);
      const outcome = await sendOnce(desk, 'Go', []);
      assert.equal(outcome.kind, 'unknown');
      assert.match(outcome.problem, /^described: /);
      assert.deepEqual([shown(desk), desk.unsent[0]?.mayHaveArrived], [['Go: sending'], true]);
    }
  });

  it('fails with a defect as it is, and leaves no message on its way for good', async () => {
    for (const [what, state] of [
      ['reach', 'failed'],
      ['sendMessage', 'unknown'],
      ['run', 'unknown'],
    ] as const) {
      const desk = inStates('running', 'idle');
      desk.failures[what] = new TypeError('defect');
      await assert.rejects(sendOnce(desk, 'Go', []), /defect/);
      assert.deepEqual([shown(desk), desk.looks], [[`Go: ${state}`], 1]);
      assert.notEqual(desk.outbox.shown[0]?.problem, '');
      assert.equal(desk.unsent[0]?.mayHaveArrived, state === 'unknown');
      assert.match(desk.calls.at(-1) ?? '', new RegExp(`^${what}`));
    }
  });
});
