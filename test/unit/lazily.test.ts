import assert from 'node:assert/strict';
import { lazily } from '../../src/lazily';

describe('what is made lazily', () => {
  it('is made once, also if it’s asked for twice at a time', async () => {
    let count = 0;
    const make = lazily(() => Promise.resolve((count += 1)));
    assert.deepEqual(await Promise.all([make(), make()]), [1, 1]);
    assert.equal(await make(), 1);
  });

  it('is made again after it couldn’t be made', async () => {
    let count = 0;
    const make = lazily(() => {
      count += 1;
      return count === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve(count);
    });
    const [one, two] = await Promise.allSettled([make(), make()]);
    assert.deepEqual([one.status, two.status, count], ['rejected', 'rejected', 1]);
    assert.equal(await make(), 2);
    assert.equal(await make(), 2);
  });
});
