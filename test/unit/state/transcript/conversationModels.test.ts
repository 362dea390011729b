import assert from 'node:assert/strict';
import { createLimiter } from '../../../../src/api/http/limiter';
import type { ApiClient } from '../../../../src/api/service/client';
import { Emitter } from '../../../../src/state/basics/emitter';
import { LiveModels } from '../../../../src/state/transcript/conversationModels';
import { conversationPorts } from '../../../support/builders/ports';
import { hastyClock } from '../../api/support/client';

const id = '0123456789abcdef0123456789abcdef';

function client(baseUrl: string): ApiClient {
  return { baseUrl } as ApiClient;
}

describe('the conversations of the connected service', () => {
  const changed = new Emitter<undefined>();
  let connected: ApiClient | undefined;
  let models: LiveModels;
  let changes: string[];
  let forgotten: number;
  const connect = (to: ApiClient | undefined) => {
    connected = to;
    changed.fire(undefined);
  };
  beforeEach(() => {
    [connected, changes, forgotten] = [undefined, [], 0];
    const session = {
      get current() {
        return connected ? { client: connected, connection: {} } : { kind: 'none' };
      },
      onDidChange: (listener: () => void) => changed.event(listener),
    };
    const clock = hastyClock();
    const options = { clock, limiter: createLimiter(clock) };
    models = new LiveModels(session as never, (service) => () => conversationPorts(service.client, options), {
      forgetRefusals: () => {
        forgotten += 1;
        return Promise.resolve();
      },
    });
    models.onDidChange(() => changes.push(String(models.service)));
  });
  afterEach(() => models.dispose());

  it('are none without a connection', async () => {
    assert.deepEqual([models.service, models.model(id)], [undefined, undefined]);
    assert.equal(await models.transcript({ id }, 'markdown'), '');
    await models.reconnect(id);
    assert.equal(forgotten, 1);
  });

  it('have one model each while the same service is connected', () => {
    const one = client('https://one.example');
    connect(one);
    const model = models.model(id);
    connect(one);
    assert.equal(models.model(id), model);
    assert.deepEqual([model?.id, changes], [id, ['https://one.example']]);
  });

  it('end with the connection', () => {
    connect(client('https://one.example'));
    const first = models.model(id);
    connect(client('https://one.example'));
    const second = models.model(id);
    assert.notEqual(first, second);
    assert.deepEqual([first?.signal.aborted, second?.signal.aborted], [true, false]);
    connect(undefined);
    assert.deepEqual(
      [second?.signal.aborted, models.model(id), models.service],
      [true, undefined, undefined],
    );
    assert.deepEqual(changes, ['https://one.example', 'https://one.example', 'undefined']);
  });

  it('are exported in either form', async () => {
    connect(client('https://one.example'));
    assert.equal(await models.transcript({ id }, 'markdown'), '# Conversation\n');
    const json = JSON.parse(await models.transcript({ id }, 'json')) as object;
    assert.deepEqual(json, { title: '', leftOut: [], events: [] });
  });

  it('end with the window, and follow no connection any longer', () => {
    connect(client('https://one.example'));
    const model = models.model(id);
    models.dispose();
    assert.deepEqual([model?.signal.aborted, models.service], [true, undefined]);
    connect(client('https://two.example'));
    assert.deepEqual([models.service, changes.length], [undefined, 1]);
  });
});
