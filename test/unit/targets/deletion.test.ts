import assert from 'node:assert/strict';
import {
  conversationsIn,
  deleteAllAsPlanned,
  deleteAsPlanned,
  isSafe,
  planDeletion,
  planDeletions,
} from '../../../src/features/targets/model/deletion';
import { ownMemory } from '../../../src/api/service/generation';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../../service/service';
import { anError, type FlatClient } from '../../support/builders/client';
import { failureOf, testClient } from '../api/support/client';

describe('deleting a conversation', () => {
  let service: ReferenceService;
  let client: FlatClient;
  afterEach(() => service.close());

  async function start(profile: 'observed' | 'current' | 'documented') {
    service = await startService({ profile });
    client = testClient(service.url, { sessionKey: service.sessionKey }).client;
    await client.getSettings().catch(() => undefined);
    for (const id of ['shared', 'own']) service.state.sandboxes.set(id, makeSandbox({ id }));
  }

  const add = (sandbox_id: string, more: Parameters<typeof makeConversation>[0] = {}) => {
    const record = makeConversation({ sandbox_id, ...more });
    service.state.conversations.set(record.id, record);
    return record;
  };
  const plan = (id: string) => planDeletion(client, { id });
  /** The client with methods of a test’s own. */
  const besides = (methods: Partial<FlatClient>) =>
    Object.assign(Object.create(client) as FlatClient, methods);
  const never = () => {
    throw new Error('nothing is deleted');
  };
  const left = () => [[...service.state.conversations.keys()], [...service.state.sandboxes.keys()]];

  it('deletes a conversation that is alone with its sandbox, in each generation', async () => {
    for (const profile of ['observed', 'current'] as const) {
      await start(profile);
      const stays = add('shared');
      const { id } = add('own');
      const planned = await plan(id);
      assert.deepEqual([planned.isAlone, planned.sparesOthers], [true, profile === 'current']);
      assert.equal(await deleteAsPlanned(client, planned), 'deleted');
      assert.deepEqual(left(), [[stays.id], ['shared']]);
      await service.close();
    }
    await start('observed');
  });

  it('deletes several after one read, with what is deleted along, and reports each', async () => {
    for (const profile of ['observed', 'current'] as const) {
      await start(profile);
      const stays = add('shared');
      const ids: { id: string }[] = [];
      for (const name of ['one', 'two', 'three']) {
        service.state.sandboxes.set(name, makeSandbox({ id: name }));
        ids.push({ id: add(name).id });
      }
      const before = service.requests.length;
      const plans = await planDeletions(client, ids);
      const read = service.requests.slice(before).filter(({ path }) => path.includes('conversations'));
      assert.ok(read.length <= 2, `${read.length} requests`);
      assert.ok(plans.every(isSafe));
      const done: string[] = [];
      const tell = (plan: (typeof plans)[number]) => done.push(plan.conversation.id);
      assert.deepEqual(await deleteAllAsPlanned(client, plans, tell), []);
      assert.deepEqual(
        done,
        ids.map(({ id }) => id),
      );
      assert.deepEqual(left()[0], [stays.id]);
      await service.close();
    }
    await start('observed');
  });

  it('plans no deletion of its own for one that is deleted with another', async () => {
    await start('current');
    const parent = add('own');
    const child = add('own', { parent_conversation_id: parent.id });
    const plans = await planDeletions(client, [child, parent]);
    assert.deepEqual(
      plans.map(({ conversation, below }) => [conversation.id, below.map(({ id }) => id)]),
      [[parent.id, [child.id]]],
    );
  });

  it('deletes none of several if anything else would be deleted now', async () => {
    await start('observed');
    const first = add('own');
    const second = add('shared');
    const plans = await planDeletions(client, [first, second]);
    add('shared');
    const kept = (some: typeof plans) => some.map((plan) => ({ plan }));
    assert.deepEqual(await deleteAllAsPlanned(client, plans, never), kept(plans));
    assert.equal(left()[0]?.length, 3);
    const now = await planDeletions(client, [first, second]);
    assert.deepEqual(now.map(isSafe), [true, false]);
    assert.deepEqual(await deleteAllAsPlanned(client, now, never), kept(now));
  });

  it('deletes none of several once an agent has started another one below', async () => {
    await start('current');
    const [first, second] = [add('own'), add('shared')];
    const plans = await planDeletions(client, [first, second]);
    add('own', { parent_conversation_id: first.id });
    assert.ok((await planDeletions(client, [first, second])).every(isSafe));
    assert.deepEqual(
      await deleteAllAsPlanned(client, plans, never),
      plans.map((plan) => ({ plan })),
    );
    assert.equal(left()[0]?.length, 3);
  });

  it('deletes the others if one can’t be deleted, or would take something else along by now', async () => {
    await start('observed');
    const ids = ['own', 'two', 'three', 'four'].map((name) => {
      service.state.sandboxes.set(name, makeSandbox({ id: name }));
      return add(name);
    });
    const plans = await planDeletions(client, ids);
    const refused = anError('serverError', 500);
    const deleteConversation: FlatClient['deleteConversation'] = (id, ...rest) => {
      if (id !== plans[0]?.conversation.id) return client.deleteConversation(id, ...rest);
      add('three');
      return Promise.reject(refused);
    };
    const done: unknown[] = [];
    const rest = await deleteAllAsPlanned(besides({ deleteConversation }), plans, (plan) =>
      done.push(plan.conversation.id),
    );
    assert.deepEqual(done, [ids[1]?.id, ids[3]?.id]);
    assert.deepEqual(
      rest.map(({ plan, error }) => [plan.conversation.id, error]),
      [
        [ids[0]?.id, refused],
        [ids[2]?.id, undefined],
      ],
    );
  });

  it('tries no other one once the service gives no answer', async () => {
    await start('current');
    service.state.sandboxes.set('two', makeSandbox({ id: 'two' }));
    const plans = await planDeletions(client, [add('own'), add('two')]);
    const silence = anError('refused');
    let asked = 0;
    const deleteConversation = () => Promise.reject(((asked += 1), silence));
    const rest = await deleteAllAsPlanned(besides({ deleteConversation }), plans, never);
    assert.deepEqual([asked, rest.map(({ error }) => error)], [1, [silence, silence]]);
  });

  it('stops between several when canceled', async () => {
    await start('current');
    service.state.sandboxes.set('two', makeSandbox({ id: 'two' }));
    const plans = await planDeletions(client, [add('own'), add('two')]);
    const canceled = new AbortController();
    await assert.rejects(deleteAllAsPlanned(client, plans, () => canceled.abort(), canceled.signal));
    assert.equal(left()[0]?.length, 1);
  });

  it('deletes the sandbox itself if the service leaves it, like release 1.6', async () => {
    await start('observed');
    service.behaviour.keepsSandbox = true;
    const stays = add('shared');
    const { id } = add('own');
    assert.equal(await deleteAsPlanned(client, await plan(id)), 'deleted');
    assert.deepEqual(left(), [[stays.id], ['shared']]);
  });

  it('finds all conversations that lose their sandbox, also those that no view has loaded', async () => {
    await start('observed');
    for (let count = 0; count < 120; count += 1) add('shared');
    const lost = add('own', { created_at: '2020-01-01T00:00:00Z', updated_at: '2020-01-01T00:00:00Z' });
    const ids = async (...sandboxes: string[]) =>
      (await conversationsIn(client, sandboxes)).items.map(({ id }) => id);
    assert.deepEqual(await ids('own'), [lost.id]);
    assert.equal((await ids('own', 'shared')).length, 121);
    assert.deepEqual(await ids('elsewhere'), []);
  });

  it('deletes nothing while the service has conversations that can’t be read', async () => {
    for (const profile of ['observed', 'current'] as const)
      for (const id of [7, '', undefined, { of: 'another kind' }, ['a']]) {
        await start(profile);
        const { id: own } = add('own');
        const readable = await plan(own);
        assert.equal(readable.isComplete, true);
        const odd = { ...makeConversation({ sandbox_id: 'own' }), id };
        service.state.conversations.set('odd', odd as never);
        const planned = await plan(own);
        assert.deepEqual([planned.isComplete, planned.isAlone], [false, false], JSON.stringify(id));
        for (const each of [planned, readable])
          assert.equal(await deleteAsPlanned(client, each), 'changed', JSON.stringify(id));
        assert.equal((await conversationsIn(client, ['own'])).complete, false);
        assert.ok(service.state.conversations.has(own));
        await service.close();
      }
    await start('observed');
  });

  it('deletes nothing while nobody can read where a conversation belongs', async () => {
    for (const member of ['sandbox_id', 'parent_conversation_id'])
      for (const value of [7, ['own'], { id: 'own' }, true]) {
        await start('observed');
        const { id } = add('own');
        const readable = await plan(id);
        const odd = { ...makeConversation({ sandbox_id: 'shared' }), [member]: value };
        service.state.conversations.set(odd.id, odd);
        const planned = await plan(id);
        const what = `${member} ${JSON.stringify(value)}`;
        assert.deepEqual([planned.isComplete, planned.isAlone], [false, false], what);
        for (const each of [planned, readable])
          assert.equal(await deleteAsPlanned(client, each), 'changed', what);
        assert.equal((await conversationsIn(client, ['own'])).complete, false, what);
        Object.assign(odd, { [member]: null });
        assert.equal((await plan(id)).isComplete, true, what);
        await service.close();
      }
    await start('observed');
  });

  it('keeps a sandbox that got another conversation in the meantime, and says so', async () => {
    await start('observed');
    service.behaviour.keepsSandbox = true;
    const { id } = add('own');
    let newer = '';
    const overtaken = {
      ...client,
      deleteConversation: async (...call: Parameters<FlatClient['deleteConversation']>) => {
        await client.deleteConversation(...call);
        newer = add('own').id;
      },
    };
    assert.equal(await deleteAsPlanned(overtaken, await plan(id)), 'sandboxMayStay');
    assert.deepEqual(left(), [[newer], ['shared', 'own']]);
  });

  it('tells that the sandbox may stay if its deletion fails', async () => {
    await start('observed');
    service.behaviour.keepsSandbox = true;
    const deleteSandbox = () => Promise.reject(anError('serverError', 500));
    const failing = { sandboxes: { ...client.sandboxes!, deleteSandbox } };
    const { id } = add('own');
    assert.equal(await deleteAsPlanned({ ...client, ...failing }, await plan(id)), 'sandboxMayStay');
  });

  it('passes on a defect of the deletion of a sandbox', async () => {
    await start('observed');
    const { id } = add('own');
    const defect = new TypeError('a defect');
    const deleteSandbox = () => Promise.reject(defect);
    const broken = { ...client, sandboxes: { ...client.sandboxes!, deleteSandbox } };
    await assert.rejects(deleteAsPlanned(broken, await plan(id)), defect);
  });

  it('deletes no sandbox with others in it on the legacy path', async () => {
    await start('observed');
    const [one, other] = [add('shared'), add('shared')];
    const planned = await plan(one.id);
    assert.deepEqual(
      [planned.isAlone, planned.sparesOthers, planned.beside.map(({ id }) => id)],
      [false, false, [other.id]],
    );
    await assert.rejects(deleteAsPlanned(client, planned), { reason: 'notFound' });
    assert.equal(service.state.conversations.size, 2);
    assert.ok(service.state.sandboxes.has('shared'));
  });

  it('would lose the sandbox of others on the legacy path', async () => {
    await start('observed');
    const [one, other] = [add('shared'), add('shared')];
    await client.deleteConversation(one.id, true);
    assert.deepEqual(left(), [[other.id], ['own']]);
  });

  it('spares others in the sandbox in the current generation', async () => {
    await start('current');
    const [one, other] = [add('shared'), add('shared')];
    assert.equal(await deleteAsPlanned(client, await plan(one.id)), 'deleted');
    assert.deepEqual(left(), [[other.id], ['shared', 'own']]);
  });

  it('spares others in the sandbox of a service that was updated to the current generation since', async () => {
    await start('current');
    const generations = ownMemory();
    generations.set(service.url, 'first');
    client = testClient(service.url, { sessionKey: service.sessionKey, generations }).client;
    const one = add('shared');
    add('shared');
    assert.equal(client.sparesOthers, undefined);
    assert.equal((await plan(one.id)).sparesOthers, true);
  });

  it('asks whether the service was updated only where that matters', async () => {
    await start('observed');
    const [one, other, alone] = [add('shared'), add('shared'), add('own')];
    const asked = async (...ids: string[]) => {
      const before = service.requests.length;
      await planDeletions(
        client,
        ids.map((id) => ({ id })),
      );
      return service.requests.slice(before).some(({ path }) => path.includes('settings'));
    };
    assert.deepEqual(
      [await asked(alone.id), await asked(alone.id, one.id), await asked(one.id, other.id)],
      [false, true, true],
    );
    await service.close();
    await start('current');
    const [two] = [add('shared'), add('shared')];
    assert.equal(await asked(two.id), false);
  });

  it('says nothing about others in the sandbox if it can’t ask whether the service was updated', async () => {
    await start('observed');
    const [one] = [add('shared'), add('shared')];
    service.fail({ method: 'GET', path: '/api/settings', effect: { kind: 'answer', status: 401, body: {} } });
    assert.equal((await failureOf(plan(one.id))).reason, 'unauthorized');
  });

  it('takes along what its agent started, and knows that before', async () => {
    await start('current');
    const parent = add('shared');
    const child = add('shared', { parent_conversation_id: parent.id });
    const grandchild = add('shared', { parent_conversation_id: child.id });
    const planned = await plan(parent.id);
    assert.deepEqual(
      [planned.below.map(({ id }) => id).sort(), planned.beside],
      [[child.id, grandchild.id].sort(), []],
    );
    await deleteAsPlanned(client, planned);
    assert.deepEqual(left(), [[], ['own']]);
  });

  it('does nothing if other conversations appeared in between', async () => {
    await start('observed');
    const one = add('own');
    const planned = await plan(one.id);
    add('own');
    assert.equal(await deleteAsPlanned(client, planned), 'changed');
    assert.equal(service.state.conversations.size, 2);
  });

  it('isn’t sure to be alone without knowing its sandbox, or all conversations', async () => {
    await start('observed');
    const { id } = add('own');
    const unknown = { ...client, listConversations: () => Promise.resolve({ items: [], nextPageId: null }) };
    assert.equal((await planDeletion(unknown, { id })).isAlone, false);
    const endless = {
      ...client,
      listConversations: () => Promise.resolve({ items: [{ id, sandbox_id: 'own' }], nextPageId: 'next' }),
    };
    assert.equal((await planDeletion(endless, { id })).isAlone, false);
  });

  it('isn’t sure of anything from a list that lacks the conversation itself', async () => {
    await start('current');
    const { id } = add('own');
    const child = add('own', { parent_conversation_id: id });
    const planned = await plan(id);
    service.state.conversations.delete(child.id);
    for (const items of [[], [child], [{ ...child, parent_conversation_id: null }]]) {
      const partial = { ...client, listConversations: () => Promise.resolve({ items, nextPageId: null }) };
      const { isComplete, isAlone } = await planDeletion(partial, { id, sandbox_id: 'own' });
      assert.deepEqual([isComplete, isAlone], [false, false]);
      assert.equal(await deleteAsPlanned(partial, planned), 'changed');
    }
    assert.ok(service.state.conversations.has(id));
    assert.equal((await plan(id)).isComplete, true);
  });

  it('checks whether it’s gone if the answer was lost', async () => {
    await start('current');
    const { id } = add('own');
    const planned = await plan(id);
    const lose = (kind: 'resetBeforeAnswer' | 'performThenReset') =>
      service.fail({ method: 'DELETE', path: `/api/v1/app-conversations/${id}`, effect: { kind }, times: 1 });
    lose('resetBeforeAnswer');
    await assert.rejects(deleteAsPlanned(client, planned), { outcomeUnknown: true });
    lose('performThenReset');
    assert.equal(await deleteAsPlanned(client, planned), 'deleted');
  });

  it('is refused by a service without either path', async () => {
    await start('documented');
    const { id } = add('own');
    const { status } = await failureOf(deleteAsPlanned(client, await plan(id)));
    assert.ok(status === 404 || status === 405);
  });

  it('does nothing if another conversation replaced one that would be deleted along', async () => {
    await start('current');
    for (const more of [{ parent_conversation_id: 'parent' }, {}]) {
      const one = add('own', { id: 'parent' });
      const previous = add('own', more);
      const planned = await plan(one.id);
      service.state.conversations.delete(previous.id);
      add('own', more);
      assert.equal(await deleteAsPlanned(client, planned), 'changed');
      service.state.conversations.clear();
    }
  });

  it('deletes as planned in whatever order the service lists the others', async () => {
    await start('current');
    const parent = add('own');
    for (let count = 0; count < 2; count += 1) {
      add('own');
      add('own', { parent_conversation_id: parent.id });
    }
    const planned = await plan(parent.id);
    const listConversations: FlatClient['listConversations'] = async (...query) => {
      const { items, ...page } = await client.listConversations(...query);
      return { ...page, items: items.toReversed() };
    };
    assert.equal(await deleteAsPlanned(besides({ listConversations }), planned), 'deleted');
  });

  it('takes nothing along and keeps no sandbox on an agent server', async () => {
    await start('observed');
    const conversation = { id: 'c-1' };
    const agentServer = { ...client, sandboxes: undefined };
    assert.deepEqual(await planDeletion(agentServer, conversation), {
      conversation,
      below: [],
      beside: [],
      sandboxId: undefined,
      isComplete: true,
      isAlone: true,
      sparesOthers: true,
      hasNoSandbox: true,
    });
    assert.equal((await planDeletion(client, conversation)).hasNoSandbox, false);
  });

  for (const error of [new TypeError('a defect'), anError('forbidden', 403)]) {
    it(`passes on ${error.message}, after which nothing was deleted`, async () => {
      await start('current');
      const { id } = add('own');
      const broken = {
        ...client,
        deleteConversation: () => Promise.reject(error),
        getConversation: () => assert.fail('the outcome is known'),
      };
      await assert.rejects(deleteAsPlanned(broken, await plan(id)), error);
    });
  }
});
