import assert from 'node:assert/strict';
import { createClient } from '../../../src/api/service/client';
import { ApiError } from '../../../src/api/http/errors';
import { allSandboxes } from '../../../src/features/sandboxes/model/allSandboxes';
import { startService } from '../../service/service';
import { profiles } from '../../support/profiles';
import { aClient } from '../../support/builders/client';
import { aSandbox } from '../../support/builders/records';

describe('all sandboxes', () => {
  for (const profile of profiles) {
    it(`reads every page, each sandbox once (${profile})`, async () => {
      const service = await startService({ profile, sandboxes: 250 });
      const client = createClient({ baseUrl: service.url, sessionKey: service.sessionKey, fetch });
      const { items: all } = await allSandboxes(client);
      assert.deepEqual(new Set(all.map(({ id }) => id)), new Set(service.state.sandboxes.keys()));
      assert.equal(all.length, 250);
      await service.close();
    });
  }

  it('stops when the page links form a loop', async () => {
    const asked: (string | undefined)[] = [];
    const pages: Record<string, [string, string]> = { '': ['a', '2'], '2': ['b', '3'], '3': ['c', '2'] };
    const client = aClient({
      searchSandboxes: ({ pageId } = {}) => {
        asked.push(pageId);
        const [id, nextPageId] = pages[pageId ?? ''] ?? ['', ''];
        return Promise.resolve({ items: [aSandbox({ id })], nextPageId });
      },
    });
    const { items: all } = await allSandboxes(client);
    assert.deepEqual(
      all.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(asked, [undefined, '2', '3']);
  });

  it('can be canceled', async () => {
    const service = await startService({ profile: 'observed', sandboxes: 3 });
    service.fail({ effect: { kind: 'stallBeforeHeaders' } });
    const client = createClient({ baseUrl: service.url, sessionKey: service.sessionKey, fetch });
    const controller = new AbortController();
    const arrived = service.waitForRequest(() => true, { phase: 'arrived' });
    const reading = allSandboxes(client, controller.signal);
    await arrived;
    controller.abort();
    await assert.rejects(reading, (error) => error instanceof ApiError && error.reason === 'canceled');
    await service.close();
  });
});
