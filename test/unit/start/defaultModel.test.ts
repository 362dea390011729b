import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import type { ServiceSettings } from '../../../src/api/service/schemas/settings';
import { DefaultModel, modelWords } from '../../../src/features/start/model/defaultModel';
import { aClient, anError } from '../../support/builders/client';

const neverSaved = new ApiError('notFound', 'GET', '/api/settings', {
  status: 404,
  serverText: 'Settings not found',
});

describe('the default model of a service', () => {
  it('is read once, when first needed', async () => {
    let requests = 0;
    const getSettings = () => {
      requests += 1;
      return Promise.resolve({ llm_model: 'acme/large' });
    };
    const model = new DefaultModel(aClient({ getSettings }));
    assert.equal(requests, 0);
    assert.equal(model.name, undefined);
    await Promise.all([model.read(), model.read()]);
    await model.read();
    assert.equal(model.name, 'acme/large');
    assert.equal(requests, 1);
  });

  it('stays unknown if the service doesn’t say', async () => {
    for (const getSettings of [
      () => Promise.resolve({ llm_model: null }),
      () => Promise.resolve({}),
      () => Promise.reject(anError('notFound', 404)),
    ]) {
      const model = new DefaultModel(aClient({ getSettings }));
      await model.read();
      assert.equal(model.name, undefined);
    }
  });

  it('is said to be missing where none is set, with the way to one', async () => {
    for (const getSettings of [
      () => Promise.resolve({ llm_model: null }),
      () => Promise.resolve({ llm_model: ' ' }),
      () => Promise.reject(neverSaved),
    ]) {
      const model = new DefaultModel(aClient({ getSettings }));
      assert.equal(modelWords(undefined, model), 'Service default');
      await model.read();
      assert.equal(modelWords(undefined, model), 'No model set – Set Up Model');
      assert.equal(modelWords('acme/large', model), 'acme/large');
    }
    const unknown = new DefaultModel(aClient({ getSettings: () => Promise.resolve({}) }));
    await unknown.read();
    assert.equal(modelWords(undefined, unknown), 'Service default');
  });
});

describe('a model of a conversation’s own', () => {
  const stored = { llm_model: 'anthropic/large', llm_api_key_set: true };
  const warning = 'The API key in the settings is for anthropic. It will be sent to openai.';
  const warningFor = async (settings: Partial<ServiceSettings>, model: string | undefined) => {
    const service = new DefaultModel(aClient({ getSettings: () => Promise.resolve(settings) }));
    assert.equal(service.keyWarning(model), undefined);
    await service.read();
    return service.keyWarning(model);
  };

  it('says whose key it would get', async () => {
    for (const [settings, model] of [
      [stored, 'openai/gpt-5'],
      [stored, 'gpt-5'],
      [{ ...stored, llm_base_url: '' }, 'openai/gpt-5'],
      // What says nothing of its key may have one.
      [{ llm_model: 'claude-large' }, 'openai/gpt-5'],
    ] as const)
      assert.equal(await warningFor(settings, model), warning, JSON.stringify([settings, model]));
  });

  it('says so where nobody knows whose key that is', async () => {
    const unsure = 'The API key in the settings is for anthropic. It will be sent to deepseek-chat.';
    assert.equal(await warningFor(stored, 'deepseek-chat'), unsure);
    const unknown = 'The API key in the settings will be sent to openai.';
    assert.equal(await warningFor({ ...stored, llm_model: null }, 'openai/gpt-5'), unknown);
  });

  it('says what attempts can cost, where the settings limit that', async () => {
    const costOf = async (settings: Partial<ServiceSettings>) => {
      const service = new DefaultModel(aClient({ getSettings: () => Promise.resolve(settings) }));
      assert.equal(service.costOf(3), undefined);
      await service.read();
      return service.costOf(3);
    };
    const words = 'Can cost up to $22.50: the settings limit each task to $7.50.';
    assert.equal(await costOf({ max_budget_per_task: 7.5 }), words);
    assert.equal(await costOf({ max_budget_per_task: null }), undefined);
    assert.equal(await costOf({}), undefined);
  });

  it('gets its own provider’s key, or none, or goes where all others do', async () => {
    for (const [settings, model] of [
      [stored, undefined],
      [stored, 'anthropic/small'],
      [stored, 'claude-small'],
      [{ ...stored, llm_api_key_set: false }, 'openai/gpt-5'],
      [{ ...stored, llm_base_url: 'https://models.example/v1' }, 'openai/gpt-5'],
    ] as const)
      assert.equal(await warningFor(settings, model), undefined, JSON.stringify([settings, model]));
  });
});
