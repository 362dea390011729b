import assert from 'node:assert/strict';
import { onceRead } from '../../../../src/state/transcript/onceRead';
import { FakeModel } from '../../../support/conversation/fakeModel';
import { settled } from '../../../support/settled';

const never = new AbortController().signal;

describe('doing something with a conversation that was read', () => {
  /** Begins; `acted` tells whether it was done. */
  const begin = (model: FakeModel, signal = never) => {
    const state = { acted: false, done: Promise.resolve<unknown>(undefined) };
    state.done = onceRead(model, signal, () => {
      state.acted = true;
      return Promise.resolve('done');
    });
    return state;
  };

  it('waits for a reading if nobody keeps it current, however often it was read before', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: 1, problem: 'old' } });
    const state = begin(model);
    assert.equal(model.holders, 1);
    await settled();
    assert.equal(state.acted, false);
    model.set({ head: { readAt: 2, problem: '' } });
    assert.equal(await state.done, 'done');
    assert.equal(model.holders, 0);
  });

  it('acts at once if somebody keeps it current', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: 1 } });
    model.keepCurrent();
    assert.equal(await begin(model).done, 'done');
  });

  it('acts after a failed reading, too, and ends with its signal', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: null, problem: '' } });
    const state = begin(model);
    model.set({ head: { problem: 'It’s down.' } });
    assert.equal(await state.done, 'done');
    const life = new AbortController();
    const other = begin(new FakeModel(), life.signal);
    life.abort();
    assert.equal(await other.done, undefined);
    assert.equal(other.acted, false);
  });
});
