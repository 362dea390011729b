import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
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
