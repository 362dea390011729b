import assert from 'node:assert/strict';
import { useService } from './support';

describe('reference service: rate limit', () => {
  const running = useService({ profile: 'observed', clock: 'manual', rateLimit: true });

  const get = () => running.caller.get('/api/v1/sandboxes/search');
  /** Sends the given number of requests at once and waits until they reach the service. */
  const burst = async (count: number) => {
    let left = count;
    const arrived = running.service.waitForRequest(() => --left === 0, { phase: 'arrived' });
    const answers = Array.from({ length: count }, get);
    await arrived;
    return answers;
  };

  it('delays requests above 10 per second and refuses requests above 20', async () => {
    const answers = await burst(23);
    // Only requests that aren’t delayed can end while time stands still.
    const ended = () => running.service.requests.filter(({ outcome }) => outcome === 'answered');
    await running.service.waitForRequest(() => ended().length === 13, { after: 0 });
    assert.deepEqual(
      ended()
        .map(({ status }) => status)
        .toSorted(),
      [...Array<number>(10).fill(200), 429, 429, 429],
    );
    await running.service.advance(1000);
    const all = await Promise.all(answers);
    assert.equal(all.find(({ status }) => status === 429)?.headers.get('retry-after'), '1');
    assert.equal(all.filter(({ status }) => status === 200).length, 20);
  });

  it('counts refused requests, and forgets requests after a second', async () => {
    const first = await burst(25);
    await running.service.advance(999);
    const still = await burst(1);
    assert.equal((await still[0])?.status, 429);
    await running.service.advance(1);
    await Promise.all(first);
    // Only the request just refused is less than a second old.
    assert.equal((await get()).status, 200);
  });

  it('ignores the control paths and can be turned off', async () => {
    for (let count = 0; count < 25; count++) await fetch(`${running.service.url}/__control/violations`);
    assert.equal((await get()).status, 200);
    running.service.behaviour.rateLimit = false;
    const answers = await Promise.all(Array.from({ length: 25 }, get));
    assert.ok(answers.every(({ status }) => status === 200));
  });
});
