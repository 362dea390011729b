import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { replaceSecret } from '../../../src/features/secrets/model/replaceSecret';
import { startService, type ReferenceService } from '../../service/service';
import { failureOf, testClient } from '../api/support/client';

describe('replacing a custom secret', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ profile: 'current' });
  });
  beforeEach(() => {
    service.reset({});
    service.state.secrets.set('TOKEN', { value: 'old', description: 'For npm' });
  });
  after(() => service.close());

  const secret = { name: 'TOKEN', value: 'new', description: 'For npm' };
  const stored = () => service.state.secrets.get('TOKEN');
  const asked = () => service.requests.map(({ method }) => method);
  let deletions = 0;
  const replace = async () => {
    deletions = 0;
    const { client } = testClient(service.url, { sessionKey: service.sessionKey, known: 'current' });
    await replaceSecret(client, secret, () => (deletions += 1));
  };
  const refuse = (status: number, body: unknown, when = () => true) =>
    service.fail({ method: 'POST', when, effect: { kind: 'answer', status, body } });

  it('is one request where the service can', async () => {
    await replace();
    assert.deepEqual([stored()?.value, deletions, asked()], ['new', 0, ['POST']]);
  });

  it('hazard: 1.8 refuses a custom secret that is there: deletes it and adds it again', async () => {
    service.behaviour.release = '1.8';
    await replace();
    assert.deepEqual(stored(), { value: 'new', description: 'For npm' });
    assert.deepEqual([deletions, asked()], [1, ['POST', 'DELETE', 'POST']]);
  });

  it('never deletes it after another refusal or failure', async () => {
    const answers: [status: number, body: unknown][] = [
      [400, { detail: 'The value is too long' }],
      [409, { detail: 'Secret TOKEN already exists' }],
      [422, { detail: 'Wrong' }],
      [500, { detail: 'Secret TOKEN already exists' }],
    ];
    for (const [status, body] of answers) {
      refuse(status, body);
      assert.equal((await failureOf(replace())).status, status);
    }
    assert.ok(!asked().includes('DELETE'));
    assert.equal(stored()?.value, 'old');
  });

  it('never deletes it after a refusal without a message', async () => {
    const refusal = new ApiError('invalid', 'POST', '/api/v1/secrets', { status: 400 });
    const client = {
      saveSecret: () => Promise.reject(refusal),
      deleteSecret: () => assert.fail('deleted'),
    };
    assert.equal(await failureOf(replaceSecret(client, secret, () => assert.fail('deleted'))), refusal);
  });

  it('tells that the old value is gone if the new one isn’t stored, and can be called again', async () => {
    service.behaviour.release = '1.8';
    refuse(503, {}, () => !service.state.secrets.has('TOKEN'));
    assert.equal((await failureOf(replace())).status, 503);
    assert.deepEqual([stored(), deletions], [undefined, 1]);
    await replace();
    assert.deepEqual([stored()?.value, deletions], ['new', 0]);
  });

  it('continues if it isn’t known whether the new value was stored', async () => {
    service.behaviour.release = '1.8';
    service.fail({
      method: 'POST',
      when: () => !service.state.secrets.has('TOKEN'),
      effect: { kind: 'performThenReset' },
    });
    assert.equal((await failureOf(replace())).outcomeUnknown, true);
    await replace();
    assert.equal(stored()?.value, 'new');
  });
});
