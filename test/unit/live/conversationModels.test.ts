import assert from 'node:assert/strict';
import { createLimiter } from '../../../src/api/http/limiter';
import type { FlatClient } from '../../support/builders/client';
import type { Connection } from '../../../src/shared/connection';
import { Emitter } from '../../../src/core/basics/emitter';
import { Refusal } from '../../../src/core/basics/refusal';
import { allRead } from '../../../src/features/live/model/onceRead';
import { LiveModels } from '../../../src/features/live/model/conversationModels';
import { conversationPorts } from '../../support/builders/ports';
import { hastyClock } from '../api/support/client';
import { aClient } from '../../support/builders/client';
import { settled } from '../../support/settled';
import { aMessage } from '../transcript/events';

const id = '0123456789abcdef0123456789abcdef';

const never = new AbortController().signal;

/** A service that has no events of a conversation. */
function client(baseUrl: string, change: Partial<FlatClient> = {}): FlatClient {
  return aClient({
    baseUrl,
    getConversation: () => Promise.resolve(null),
    searchEvents: () => Promise.resolve({ items: [], nextPageId: null }),
    ...change,
  });
}

describe('the conversations of the connected service', () => {
  const changed = new Emitter<undefined>();
  let connected: FlatClient | undefined;
  let models: LiveModels;
  let changes: string[];
  let forgotten: number;
  /** Services that this computer has a key for, and those that were asked for. */
  let known: Map<string, FlatClient>;
  let reached: string[];
  const connect = (to: FlatClient | undefined) => {
    connected = to;
    changed.fire(undefined);
  };
  beforeEach(() => {
    [connected, changes, forgotten, reached] = [undefined, [], 0, []];
    known = new Map();
    const session = {
      get current() {
        return connected ? { client: connected, connection: {} } : { kind: 'none' };
      },
      onDidChange: (listener: () => void) => changed.event(listener),
    };
    const clock = hastyClock();
    const options = { clock, limiter: createLimiter(clock) };
    models = new LiveModels({
      session: session as never,
      portsOf: (service) => () => conversationPorts(service.client, options),
      origins: {
        forgetRefusals: () => {
          forgotten += 1;
          return Promise.resolve();
        },
      },
      reach: (baseUrl) => {
        reached.push(baseUrl);
        const found = known.get(baseUrl);
        return Promise.resolve(found && { client: found, connection: {} as Connection });
      },
    });
    models.onDidChange(() => changes.push(String(models.service)));
  });
  afterEach(() => models.dispose());

  it('are none without a connection', async () => {
    assert.deepEqual([models.service, models.model(id)], [undefined, undefined]);
    assert.equal(await models.transcript({ id }, 'markdown', never), '');
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

  it('keep what was read only of those that were looked at last, or are looked at now', async () => {
    const asked: string[] = [];
    const searchEvents: FlatClient['searchEvents'] = (of) => {
      asked.push(of);
      return Promise.resolve({ items: [aMessage('Hi')], nextPageId: null });
    };
    connect(client('https://one.example', { searchEvents }));
    const all = Array.from({ length: 30 }, (_, at) => models.model(`${at}`)!);
    const held = all[0]!.keepCurrent();
    for (const model of all) {
      models.model(model.id);
      await allRead(model, never);
    }
    const withEvents = () => all.filter(({ events }) => events.length > 0).map((one) => Number(one.id));
    assert.deepEqual(withEvents(), [0, ...Array.from({ length: 12 }, (_, at) => 18 + at)]);
    const [, forgotten] = all;
    assert.deepEqual([forgotten?.readings, forgotten?.head.readAt, forgotten?.entries], [0, null, []]);
    asked.length = 0;
    assert.equal(models.model('1'), forgotten);
    await allRead(forgotten!, never);
    assert.deepEqual([asked, forgotten?.entries.length], [['1'], 1]);
    held.dispose();
    models.model('2');
    assert.deepEqual(withEvents(), [1, ...Array.from({ length: 10 }, (_, at) => 20 + at)]);
  });

  it('aren’t taken for read if that ends after they were let go', async () => {
    let answer: (() => void) | undefined;
    const service = client('https://one.example');
    service.getConversation = () => new Promise((resolve) => (answer = () => resolve(null)));
    connect(service);
    const model = models.model(id)!;
    const first = model.keepCurrent();
    await settled();
    answer?.();
    await settled();
    assert.equal(model.readings, 1);
    model.lookAgain();
    await settled();
    first.dispose();
    model.forget();
    answer?.();
    await settled();
    assert.deepEqual([model.readings, model.head.readAt], [0, null]);
  });

  it('are exported in either form', async () => {
    connect(client('https://one.example'));
    assert.equal(await models.transcript({ id }, 'markdown', never), '# Conversation\n');
    const json = JSON.parse(await models.transcript({ id }, 'json', never)) as object;
    assert.deepEqual(json, { title: '', leftOut: [], events: [] });
  });

  it('are refused if they can’t be read, or not all of them', async () => {
    const down = () => Promise.reject(new Error('It’s down.'));
    const page = { items: [aMessage('Hi')], nextPageId: '2' };
    for (const change of [
      { getConversation: down },
      { searchEvents: (_id: string, { pageId } = {}) => (pageId ? down() : Promise.resolve(page)) },
    ] satisfies Partial<FlatClient>[]) {
      connect(client('https://one.example', change));
      const reading = models.transcript({ id }, 'markdown', never);
      await assert.rejects(
        reading,
        (error) => error instanceof Refusal && error.message.includes('It’s down'),
      );
    }
  });

  it('aren’t exported in part when the user cancels', async () => {
    const cancel = new AbortController();
    const searchEvents: FlatClient['searchEvents'] = (_id, { pageId } = {}) => {
      if (pageId) cancel.abort();
      return Promise.resolve({ items: [aMessage('Hi')], nextPageId: '2' });
    };
    connect(client('https://one.example', { searchEvents }));
    await assert.rejects(models.transcript({ id }, 'markdown', cancel.signal), { name: 'AbortError' });
  });

  it('are read again after an earlier reading failed', async () => {
    const service = client('https://one.example');
    service.getConversation = () => Promise.reject(new Error('It’s down.'));
    connect(service);
    await assert.rejects(models.transcript({ id }, 'markdown', never), Refusal);
    service.getConversation = () => Promise.resolve(null);
    assert.equal(await models.transcript({ id }, 'markdown', never), '# Conversation\n');
  });

  it('say that they are out of date if only an earlier reading succeeded', async () => {
    const service = client('https://one.example');
    connect(service);
    await models.transcript({ id }, 'markdown', never);
    service.getConversation = () => Promise.reject(new Error('It’s down.'));
    assert.match(await models.transcript({ id }, 'markdown', never), /^> Out of date: .*It’s down/m);
  });

  it('end with the window, and follow no connection any longer', () => {
    connect(client('https://one.example'));
    const model = models.model(id);
    models.dispose();
    assert.deepEqual([model?.signal.aborted, models.service], [true, undefined]);
    connect(client('https://two.example'));
    assert.deepEqual([models.service, changes.length], [undefined, 1]);
  });

  describe('of a service that is held', () => {
    const [one, two] = ['https://one.example', 'https://two.example'];
    const keyed = (baseUrl: string, key: AbortController) => client(baseUrl, { ended: key.signal });

    it('stay when the window switches, and when it comes back with the same key', () => {
      const key = new AbortController();
      connect(keyed(one, key));
      const held = models.hold(one);
      const model = models.model(id);
      assert.ok(model);
      connect(client(two));
      assert.equal(models.model(id, one), model);
      assert.notEqual(models.model(id), model);
      assert.equal(model.signal.aborted, false);
      connect(keyed(one, key));
      assert.equal(models.model(id), model);
      connect(client(two));
      held.dispose();
      held.dispose();
      assert.deepEqual([model.signal.aborted, models.model(id, one)], [true, undefined]);
      assert.deepEqual(reached, []);
    });

    it('stay while anybody holds them', () => {
      connect(client(one));
      const [first, second] = [models.hold(one), models.hold(one)];
      const model = models.model(id);
      connect(undefined);
      first.dispose();
      assert.equal(models.model(id, one), model);
      second.dispose();
      assert.equal(model?.signal.aborted, true);
    });

    it('come once the service is reached, without being connected', async () => {
      known.set(one, client(one));
      connect(client(two));
      models.hold(one);
      models.hold(one);
      assert.equal(models.model(id, one), undefined);
      await new Promise<void>((resolve) => models.onDidChange(resolve));
      assert.deepEqual([models.model(id, one)?.id, models.service, reached], [id, two, [one]]);
    });

    it('are there once their holder says so, even if it isn’t the first', async () => {
      known.set(one, client(one));
      const holders = [models.hold(one), models.hold(one)];
      await holders[1]?.reached;
      assert.equal(models.model(id, one)?.id, id);
      await models.hold(two).reached;
      assert.deepEqual([models.model(id, two), reached], [undefined, [one, two]]);
    });

    it('are exported from their own service if the connected one has the same id', async () => {
      const says = (baseUrl: string, text: string) =>
        client(baseUrl, {
          searchEvents: () => Promise.resolve({ items: [aMessage(text)], nextPageId: null }),
        });
      known.set(one, says(one, 'From one'));
      connect(says(two, 'From two'));
      await models.hold(one).reached;
      const text = await models.transcript({ id, service: one }, 'markdown', never);
      assert.deepEqual([text.includes('From one'), text.includes('From two')], [true, false]);
      assert.match(await models.transcript({ id }, 'markdown', never), /From two/);
    });

    it('end with their key, and come back with another one', async () => {
      const key = new AbortController();
      known.set(one, keyed(one, key));
      models.hold(one);
      await new Promise<void>((resolve) => models.onDidChange(resolve));
      const model = models.model(id, one);
      known.set(one, client(one));
      const back = new Promise<void>((resolve) =>
        models.onDidChange(() => models.model(id, one) && resolve()),
      );
      key.abort();
      assert.deepEqual([model?.signal.aborted, models.model(id, one)], [true, undefined]);
      await back;
      assert.notEqual(models.model(id, one), model);
    });

    it('end without a key, and are looked for again when the window connects', async () => {
      const key = new AbortController();
      connect(keyed(one, key));
      models.hold(one);
      connect(client(two));
      key.abort();
      assert.equal(models.model(id, one), undefined);
      connect(keyed(one, new AbortController()));
      assert.equal(models.model(id, one)?.signal.aborted, false);
      await Promise.resolve();
      assert.deepEqual(reached, [one]);
    });

    it('end with the connection that the window leaves because it was removed', async () => {
      const key = new AbortController();
      connect(keyed(one, key));
      models.hold(one);
      const model = models.model(id);
      key.abort();
      connect(undefined);
      assert.deepEqual([model?.signal.aborted, models.model(id, one)], [true, undefined]);
      await settled();
      known.set(one, client(one));
      connect(client(two));
      await settled();
      assert.equal(models.model(id, one)?.signal.aborted, false);
    });

    it('tell the lists nothing: those are of the connected service', async () => {
      const told: string[] = [];
      models.onDidTell((model) => told.push(model.id));
      known.set(one, client(one));
      connect(client(two));
      models.hold(one);
      await new Promise<void>((resolve) => models.onDidChange(resolve));
      const model = models.model(id, one);
      const changed = new Promise<void>((resolve) => model?.onDidChange(resolve));
      const current = model?.keepCurrent();
      await changed;
      current?.dispose();
      assert.deepEqual(told, []);
    });
  });
});
