import assert from 'node:assert/strict';
import { onceRead } from '../../../src/features/live/model/onceRead';
import { FakeModel } from '../../support/conversation/fakeModel';
import { settled } from '../../support/settled';

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
    model.set({ head: { title: 'Located' } });
    await settled();
    assert.equal(state.acted, false);
    model.set({ head: { readAt: 2, problem: '' } });
    assert.equal(await state.done, 'done');
    assert.equal(model.holders, 0);
  });

  it('acts immediately if something keeps it current', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: 1 } });
    model.keepCurrent();
    assert.equal(await begin(model).done, 'done');
  });

  it('acts even after a failed read, and ends with its signal', async () => {
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

  it('waits for the first read of one that is kept current, and acts immediately if it failed', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: null, problem: '' } });
    model.keepCurrent();
    const state = begin(model);
    await settled();
    assert.equal(state.acted, false);
    model.set({ head: { readAt: 1 } });
    assert.equal(await state.done, 'done');
    const failed = new FakeModel();
    failed.set({ head: { readAt: null, problem: 'It’s down.' } });
    failed.keepCurrent();
    assert.equal(await begin(failed).done, 'done');
  });

  it('keeps waiting while a change reports no read', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: null, problem: '' } });
    const state = begin(model);
    model.set({ head: { title: 'Other' } });
    await settled();
    assert.equal(state.acted, false);
    model.set({ head: { readAt: 1 } });
    assert.equal(await state.done, 'done');
  });

  it('does nothing for a signal that ended before', async () => {
    const model = new FakeModel();
    model.keepCurrent();
    const state = begin(model, AbortSignal.abort());
    assert.deepEqual([await state.done, state.acted, model.holders], [undefined, false, 1]);
  });

  it('doesn’t wait for a conversation that ends with its connection, before that or while it waits', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: null, problem: '' } });
    const state = begin(model);
    model.dispose();
    for (const { done } of [state, begin(model)]) assert.equal(await done, undefined);
    assert.deepEqual([state.acted, model.holders], [false, 0]);
  });

  it('keeps it current until it’s done, also where that fails', async () => {
    const model = new FakeModel();
    model.set({ head: { readAt: 1 } });
    model.keepCurrent();
    const failing = onceRead(model, never, () => {
      assert.equal(model.holders, 2);
      return Promise.reject(new Error('failed'));
    });
    await assert.rejects(failing, /failed/);
    assert.equal(model.holders, 1);
  });
});
