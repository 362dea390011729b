import assert from 'node:assert/strict';
import { WhenIdle } from '../../../../src/core/kit/whenIdle';

describe('what waits for the user to stop typing', () => {
  let done = 0;
  let resolve: () => void;
  let waiting: WhenIdle;
  beforeEach(() => {
    done = 0;
    resolve = () => undefined;
    waiting = new WhenIdle(() => {
      done += 1;
      resolve();
    });
  });

  it('is done once, after the last of several changes', async () => {
    const ended = new Promise<void>((end) => (resolve = end));
    for (let change = 0; change < 3; change += 1) waiting.wait();
    assert.equal(done, 0);
    await ended;
    waiting.now();
    assert.equal(done, 1);
  });

  it('is done at once on request, and then no more', () => {
    waiting.now();
    assert.equal(done, 0);
    waiting.wait();
    waiting.now();
    waiting.now();
    assert.equal(done, 1);
    assert.equal(waiting.cancel(), false);
  });

  it('is not done after it was canceled', () => {
    waiting.wait();
    assert.equal(waiting.cancel(), true);
    waiting.now();
    assert.equal(done, 0);
  });
});
