import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import {
  addAgent,
  addProfile,
  addProvider,
  addSecret,
  MaybeAdded,
  providerTaken,
  type Tries,
} from '../../../src/features/managing/model/adding';
import { startService, type ReferenceService } from '../../service/service';
import { failureOf, testClient } from '../api/support/client';

describe('adding what a service keeps by name', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ profile: 'current' });
  });
  beforeEach(() => service.reset({ seed: 'lifelike' }));
  after(() => service.close());

  const client = () => testClient(service.url, { sessionKey: service.sessionKey, known: 'current' }).client;
  const first = () => ({ mayHaveStored: false });
  const changes = () => service.requests.filter(({ method }) => method !== 'GET').length;

  it('adds a secret, and replaces none that somebody else has added in the meantime', async () => {
    await addSecret(client(), { name: 'TOKEN', value: 'one', description: '' }, first());
    assert.equal(service.state.secrets.get('TOKEN')?.value, 'one');
    await assert.rejects(
      addSecret(client(), { name: 'TOKEN', value: 'two', description: '' }, first()),
      Refusal,
    );
    assert.deepEqual([service.state.secrets.get('TOKEN')?.value, changes()], ['one', 1]);
  });

  it('replaces no secret behind a thousand others', async () => {
    for (let count = 0; count < 1_050; count += 1)
      service.state.secrets.set(`S${count}`, { value: 'one', description: '' });
    service.state.secrets.set('Z', { value: 'one', description: '' });
    const adding = addSecret(client(), { name: 'Z', value: 'two', description: '' }, first());
    await assert.rejects(adding, Refusal);
    assert.deepEqual([service.state.secrets.get('Z')?.value, changes()], ['one', 0]);
  });

  it('adds a profile, and replaces none that somebody else has added in the meantime', async () => {
    const before = (await client().listProfiles()).profiles.map(({ name }) => name);
    await addProfile(client(), 'work', first());
    await assert.rejects(addProfile(client(), 'work', first()), Refusal);
    assert.deepEqual(
      [(await client().listProfiles()).profiles.map(({ name }) => name), changes()],
      [[...before, 'work'], 1],
    );
  });

  it('says that a change may have gone through if its answer was lost and what was to be added is there', async () => {
    const secret = { name: 'TOKEN', value: 'one', description: '' };
    const adds = {
      secret: (tries: Tries) => addSecret(client(), secret, tries),
      profile: (tries: Tries) => addProfile(client(), 'work', tries),
    };
    for (const add of Object.values(adds)) {
      const tries = first();
      service.fail({ method: 'POST', effect: { kind: 'performThenReset' } });
      assert.equal((await failureOf(add(tries))).outcomeUnknown, true);
      await assert.rejects(add(tries), (error) => {
        assert.ok(error instanceof MaybeAdded);
        assert.equal(error.message, `The change may have gone through. There’s already one with this name.`);
        return true;
      });
    }
    assert.equal(changes(), 2);
  });

  it('adds what an earlier try didn’t store', async () => {
    const tries = first();
    const secret = { name: 'TOKEN', value: 'one', description: '' };
    service.fail({ method: 'POST', effect: { kind: 'answer', status: 503, body: {} } });
    await failureOf(addSecret(client(), secret, tries));
    await addSecret(client(), secret, tries);
    assert.equal(service.state.secrets.get('TOKEN')?.value, 'one');
  });

  it('says no such thing of a name that was taken after a refusal', async () => {
    const tries = first();
    const secret = { name: 'TOKEN', value: 'one', description: '' };
    service.fail({ method: 'POST', effect: { kind: 'answer', status: 400, body: {} } });
    await failureOf(addSecret(client(), secret, tries));
    service.state.secrets.set('TOKEN', { value: 'two', description: '' });
    await assert.rejects(
      addSecret(client(), secret, tries),
      (error) => error instanceof Refusal && !(error instanceof MaybeAdded),
    );
  });
});

describe('adding what an agent server keeps by name', () => {
  const provider = (display_name: string) => ({ id: display_name, display_name, provider: 'custom' });

  /** A server with an agent profile and a provider connection, both called “work”. */
  function server(agents: string[], providers: string[] | undefined) {
    return {
      listAgentProfiles: () =>
        Promise.resolve({
          profiles: agents.map((name) => ({ id: name, name })),
          active_agent_profile_id: null,
        }),
      addAgentProfile: (name: string) => Promise.resolve(void agents.push(name)),
      listProviders: () => Promise.resolve(providers?.map(provider)),
      addProvider: ({ name }: { name: string }) => Promise.resolve(void providers?.push(name)),
    } as unknown as Parameters<typeof addAgent>[0] & Parameters<typeof addProvider>[0];
  }
  const connection = (name: string) => ({ name }) as Parameters<typeof addProvider>[1];

  it('adds an agent profile or a provider connection, but no second one of a name', async () => {
    const [agents, providers] = [['work'], ['work']];
    const at = server(agents, providers);
    await addAgent(at, 'home', {}, { mayHaveStored: false });
    await addProvider(at, connection('home'), { mayHaveStored: false });
    await assert.rejects(addAgent(at, 'work', {}, { mayHaveStored: false }), Refusal);
    await assert.rejects(addProvider(at, connection('work'), { mayHaveStored: false }), Refusal);
    assert.deepEqual(
      [agents, providers],
      [
        ['work', 'home'],
        ['work', 'home'],
      ],
    );
    assert.equal(providerTaken('work', [provider('work')]), 'There’s already one with this name.');
    assert.equal(providerTaken('other', [provider('work')]), undefined);
  });

  it('says that one may have been added if an answer was lost and it’s there', async () => {
    const lost = new ApiError('reset', 'POST', '/', { outcomeUnknown: true });
    const [agents, providers]: [string[], string[]] = [[], []];
    const at = server(agents, providers);
    const store = {
      ...at,
      addAgentProfile: () => Promise.reject(lost),
      addProvider: () => Promise.reject(lost),
    };
    const tries = { agent: { mayHaveStored: false }, provider: { mayHaveStored: false } };
    await assert.rejects(addAgent(store, 'work', {}, tries.agent), lost);
    await assert.rejects(addProvider(store, connection('work'), tries.provider), lost);
    agents.push('work');
    providers.push('work');
    await assert.rejects(addAgent(at, 'work', {}, tries.agent), MaybeAdded);
    await assert.rejects(addProvider(at, connection('work'), tries.provider), MaybeAdded);
  });
});
