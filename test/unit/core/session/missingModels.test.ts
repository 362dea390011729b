import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/http/errors';
import type { ApiClient } from '../../../../src/api/service/client';
import type { ServiceSettings } from '../../../../src/api/service/schemas/settings';
import { MissingModels } from '../../../../src/core/session/missingModels';

describe('services without a model', () => {
  let answer: () => Promise<Partial<ServiceSettings>>;
  let models: MissingModels;
  let client: ApiClient;
  let changes: number;
  const baseUrl = 'http://localhost:3000';
  const read = () => client.getSettings().catch((error: unknown) => error);
  const named = (llm_model?: string | null) => () => Promise.resolve({ llm_model });
  const failed = (serverText: string, status: number) => () =>
    Promise.reject(new ApiError('notFound', 'GET', '/api/settings', { status, serverText }));

  beforeEach(() => {
    models = new MissingModels();
    changes = 0;
    models.onDidChange(() => (changes += 1));
    client = models.noting({ baseUrl, getSettings: () => answer() } as unknown as ApiClient);
  });

  it('are none until settings were read', () => {
    assert.equal(models.has(baseUrl), false);
  });

  for (const [what, without] of [
    ['no settings', failed('Settings not found', 404)],
    ['settings with null', named(null)],
    ['settings with an empty name', named(' ')],
  ] as const)
    it(`are those with ${what}, until a model is saved there`, async () => {
      answer = without;
      await read();
      await read();
      assert.equal(models.has(baseUrl), true);
      assert.equal(models.has('http://localhost:3001'), false);
      assert.equal(changes, 1);
      answer = named('openai/gpt-5');
      assert.deepEqual(await read(), { llm_model: 'openai/gpt-5' });
      assert.equal(models.has(baseUrl), false);
      assert.equal(changes, 2);
    });

  for (const [what, untold] of [
    ['whose settings don’t mention it', named(undefined)],
    ['that can’t be asked', failed('Not Found', 404)],
  ] as const)
    it(`aren’t those ${what}`, async () => {
      answer = untold;
      await read();
      assert.equal(models.has(baseUrl), false);
      assert.equal(changes, 0);
    });
});
