import assert from 'node:assert/strict';
import { failureOf } from '../unit/api/support/client';
import { realClient, realSuite } from './support/suite';

realSuite('agent server by itself', ['agentServer'], () => {
  it('isn’t taken for a service with settings to save', async () => {
    assert.equal((await failureOf(realClient().getSettings())).reason, 'agentServer');
  });

  it('tells a wrong key', async () => {
    const { reason, status } = await failureOf(realClient({ sessionKey: 'wrong' }).getSettings());
    assert.deepEqual([reason, status], ['unauthorized', 401]);
  });

  it('has no sandboxes', async () => {
    assert.equal((await failureOf(realClient().searchSandboxes())).reason, 'notFound');
  });
});
