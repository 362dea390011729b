import assert from 'node:assert/strict';
import { DefaultModel } from '../../../src/features/start/model/defaultModel';
import { aClient, anError } from '../../support/builders/client';

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
});
