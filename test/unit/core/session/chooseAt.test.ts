import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../src/api/service/client';
import { chooseAt, latestOf } from '../../../../src/core/session/chooseAt';
import type { Session } from '../../../../src/core/session/session';
import { aClient } from '../../../support/builders/client';

const connected = (baseUrl: string): Session & { client: ApiClient } => ({
  kind: 'ready',
  connection: { name: 'Team', baseUrl, origin: baseUrl },
  client: aClient({ baseUrl }),
});
const one = 'https://one.example.com';

describe('selecting from a service', () => {
  it('returns the selection with the client of its service', async () => {
    const current = connected(one);
    assert.deepEqual(await chooseAt({ current }, () => Promise.resolve('c-1')), {
      client: current.client,
      chosen: 'c-1',
    });
  });

  it('returns no selection if the window connects to another service first', async () => {
    for (const next of [connected('https://two.example.com'), { kind: 'none' } as const]) {
      const session = { current: connected(one) as Session };
      const choose = () => {
        session.current = next;
        return Promise.resolve('c-1');
      };
      assert.equal(await chooseAt(session, choose), 'switched');
    }
  });

  it('returns the new client if only the session is new', async () => {
    const session = { current: connected(one) };
    const next = connected(one);
    const answer = await chooseAt(session, () => {
      session.current = next;
      return Promise.resolve('c-1');
    });
    assert.ok(typeof answer === 'object');
    assert.equal(answer.client, next.client);
  });

  it('returns undefined without a selection or a service', async () => {
    assert.equal(await chooseAt({ current: connected(one) }, () => Promise.resolve(undefined)), undefined);
    assert.equal(
      await chooseAt({ current: { kind: 'none' } }, () => assert.fail('nothing to choose from')),
      undefined,
    );
  });

  it('continues with the new client of the service after its key was replaced, and stays there after a switch', () => {
    const { client } = connected(one);
    const next = connected(one);
    assert.equal(latestOf({ current: next }, client), next.client);
    for (const current of [connected('https://two.example.com'), { kind: 'none' } as const])
      assert.equal(latestOf({ current }, client), client);
  });
});
