import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { Emitter } from '../../../src/core/basics/emitter';
import { followLists, type Listed } from '../../../src/features/live/model/listed';
import type { ScriptStep } from '../../service/agent/script';
import { World, type WorldOptions } from './world';

describe('following the lists of a window', () => {
  const one: Conversation = { id: 'c', sandbox_id: 'box', sandbox_status: 'RUNNING' };

  /** Lists, and what they tell of a conversation each time a test changes them. */
  function lists() {
    const changed = new Emitter<undefined>();
    const records = new Map([['c', one]]);
    const statuses = new Map<string, string | null>([['box', 'RUNNING']]);
    const times: Record<'conversations' | 'sandboxes', { readAt: number | undefined }> = {
      conversations: { readAt: 1 },
      sandboxes: { readAt: 2 },
    };
    const told: Listed[] = [];
    const following = followLists(
      {
        conversations: { get: (id) => records.get(id), state: times.conversations },
        sandboxes: {
          get: (id) => (statuses.has(id) ? { status: statuses.get(id) ?? null } : undefined),
          state: times.sandboxes,
        },
        onDidChange: (listener) => changed.event(listener),
      },
      'c',
      (listed) => told.push(listed),
    );
    const change = (work: () => unknown) => {
      work();
      changed.fire(undefined);
      return told.splice(0);
    };
    return { records, statuses, times, following, change };
  }

  it('reports nothing that they said before or say again', () => {
    const { statuses, change, records } = lists();
    assert.deepEqual(
      change(() => undefined),
      [],
    );
    assert.deepEqual(
      change(() => records.set('other', one)),
      [],
    );
    assert.deepEqual(
      change(() => statuses.set('other', 'PAUSED')),
      [],
    );
  });

  it('tells each by the time of its own list', () => {
    const { records, statuses, change } = lists();
    const record = { ...one, sandbox_status: 'PAUSED' };
    assert.deepEqual(
      change(() => records.set('c', record)),
      [{ record, status: 'PAUSED', readAt: 1 }],
    );
    assert.deepEqual(
      change(() => statuses.set('box', 'PAUSED')),
      [{ record: undefined, status: 'PAUSED', readAt: 2 }],
    );
    assert.deepEqual(
      change(() => statuses.set('box', null)),
      [{ record: undefined, status: null, readAt: 2 }],
    );
  });

  it('takes what has no time for older than anything', () => {
    const { records, statuses, times, change } = lists();
    times.conversations.readAt = times.sandboxes.readAt = undefined;
    const told = change(() => {
      records.set('c', { ...one });
      statuses.set('box', 'PAUSED');
    });
    assert.deepEqual(
      told.map(({ readAt }) => readAt),
      [-Infinity, -Infinity],
    );
  });

  it('reports what is new, and nothing about what is gone', () => {
    const { records, statuses, change } = lists();
    assert.deepEqual(
      change(() => statuses.delete('box')),
      [],
    );
    assert.deepEqual(
      change(() => records.delete('c')),
      [],
    );
    statuses.set('box', 'PAUSED');
    assert.deepEqual(
      change(() => records.set('c', one)).map(({ status }) => status),
      ['RUNNING', 'PAUSED'],
    );
  });

  it('ends', () => {
    const { records, following, change } = lists();
    following.dispose();
    assert.deepEqual(
      change(() => records.set('c', { ...one })),
      [],
    );
  });
});

/** A world whose conversation is open, and listed. */
async function follow(options: WorldOptions = {}) {
  const world = new World(options);
  world.lists.readConversations();
  world.lists.readSandboxes();
  const model = world.open();
  const holder = model.keepCurrent();
  await world.advance(10_000);
  world.asked.length = 0;
  return { world, model, holder };
}

describe('what the window’s lists say of a conversation', () => {
  const lists = ['readConversations', 'readSandboxes'] as const;
  for (const list of lists) {
    it(`shows without a request that its sandbox was paused (${list})`, async () => {
      const { world, model } = await follow();
      world.pauseSandbox();
      assert.equal(model.head.limit, 'none');
      world.lists[list]();
      assert.deepEqual([model.head.limit, model.head.sendEffect], ['asleep', 'resumes']);
      await world.advance(100);
      assert.deepEqual(world.asked, []);
    });

    it(`has it read at once when its sandbox runs again (${list})`, async () => {
      const { world, model } = await follow();
      world.pauseSandbox();
      world.lists[list]();
      world.conversation.log.message('agent', 'Awake');
      world.wake();
      world.lists[list]();
      await world.advance(200);
      assert.deepEqual([model.head.limit, model.entries.length], ['none', 1]);
    });
  }

  it('shows immediately that its sandbox is gone', async () => {
    const { world, model } = await follow();
    world.record = { sandbox_status: 'MISSING', conversation_url: null, session_api_key: null };
    world.lists.readConversations();
    assert.deepEqual([model.head.limit, model.head.sendEffect], ['gone', 'impossible']);
  });

  for (const release of ['1.7.1', '1.58.0'] as const) {
    it(`is no problem for a request that the sandbox took along (${release})`, async () => {
      const work: ScriptStep = { act: [{ command: 'make', risk: 'LOW', ms: 600_000 }] };
      const { world, model } = await follow({ release, script: [work] });
      await world.finish(model.send('Build it'));
      await world.advance(3_000);
      const problems = new Set<string>();
      model.onDidChange(() => problems.add(model.head.problem));
      world.onRequest = (method) => {
        world.onRequest = () => undefined;
        assert.equal(method, 'GET');
        world.pauseSandbox();
      };
      while (!world.server.isFrozen) await world.advance(1_000);
      world.lists.readSandboxes();
      assert.equal(model.head.limit, 'asleep');
      for (let step = 0; step < 150; step += 1) {
        await world.advance(1_000);
        assert.equal(model.head.limit, 'asleep');
      }
      assert.deepEqual([...problems], ['']);
    });
  }

  it('is gone once the sandbox answers after all', async () => {
    const { world, model } = await follow({ release: '1.7.1' });
    const seen = new Set<string>();
    const recordsRead = () => world.asked.filter(({ what }) => what === 'service record').length;
    model.onDidChange(() => seen.add(`${recordsRead()} ${model.head.limit} ${model.head.problem}`));
    world.onRequest = () => world.pauseSandbox();
    while (!world.server.isFrozen) await world.advance(1_000);
    seen.clear();
    world.asked.length = 0;
    world.lists.readSandboxes();
    world.onRequest = () => undefined;
    world.wake();
    await world.advance(1_000);
    assert.deepEqual([...seen], ['0 asleep ', '1 asleep ', '1 none ']);
  });

  it('has no effect if the conversation itself was read later', async () => {
    const { world, model } = await follow();
    world.pauseSandbox();
    const [paused, readAt] = [world.readRecord(), world.clock.now()];
    world.lists.readSandboxes();
    await world.advance(1_000);
    await world.finish(model.resume());
    world.lists.readConversations(paused, readAt);
    assert.equal(model.head.limit, 'none');
  });

  it('renames it', async () => {
    const { world, model } = await follow();
    world.record = { title: 'Fix the slugs of products' };
    world.lists.readConversations();
    assert.deepEqual([model.head.title, world.asked], ['Fix the slugs of products', []]);
  });

  it('is heard while nobody looks, without a request, until the end', async () => {
    const { world, model, holder } = await follow();
    holder.dispose();
    const limits: string[] = [];
    model.onDidChange(() => limits.push(model.head.limit));
    world.pauseSandbox();
    world.lists.readSandboxes();
    world.wake();
    world.lists.readSandboxes();
    await world.advance(100_000);
    assert.deepEqual([limits[0], world.asked], ['asleep', []]);
    limits.splice(0);
    model.dispose();
    world.lists.readConversations();
    assert.deepEqual(limits, []);
  });
});
