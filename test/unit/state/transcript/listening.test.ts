import assert from 'node:assert/strict';
import type { LiveConversation } from '../../../../src/state/transcript/liveConversation';
import { stream } from '../../../service/agent/script';
import { World, type WorldOptions } from './world';

const messages = (model: LiveConversation) =>
  model.entries.flatMap((entry) => (entry.kind === 'message' ? [entry.text.text] : []));

const sockets = ({ asked }: World) => asked.filter(({ what }) => what.startsWith('SOCKET')).length;

/** A world whose conversation is open, and long enough for a socket to be up. */
async function follow(options: WorldOptions = {}) {
  const world = new World(options);
  const model = world.open();
  const holder = model.keepCurrent();
  await world.advance(2_000);
  return { world, model, holder };
}

describe('the socket of a conversation', () => {
  it('shows an event within 150 ms, without a request', async () => {
    const { world, model } = await follow();
    world.asked.length = 0;
    world.conversation.log.message('agent', 'By socket');
    await world.advance(100);
    assert.deepEqual(messages(model), ['By socket']);
    assert.deepEqual(world.asked, []);
  });

  it('leaves at most 2 requests a minute, whether the agent works or rests', async () => {
    const { world, model } = await follow({ script: stream(5_000), modelMs: 200 });
    await world.finish(model.send('Go'));
    for (const state of ['running', 'finished']) {
      if (state === 'finished') {
        world.conversation.script.length = 0;
        await world.advance(20_000);
      }
      assert.equal(model.head.execution, state);
      await world.advance(10_000);
      const from = world.clock.now();
      for (let minute = 0; minute < 10; minute += 1) await world.advance(60_000);
      const count = world.asked.filter(({ at }) => at >= from).length;
      assert.ok(count <= 20, `${count} requests in 10 minutes while ${state}`);
      assert.equal(sockets(world), 1);
    }
  });

  it('tells everything once and in order, although frames arrive out of order', async () => {
    const { world, model } = await follow({ script: [...stream(30), { finish: 'Done.' }] });
    await world.finish(model.send('Go'));
    await world.advance(10_000);
    const times = model.entries.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted());
    assert.equal(model.entries.filter(({ kind }) => kind === 'step').length, 31);
    assert.equal(model.head.execution, 'finished');
  });

  it('is never connected before 1.17, where that freezes the sandbox', async () => {
    for (const release of ['1.7.1', '1.15.0'] as const) {
      const { world, model } = await follow({ release, script: stream(20), modelMs: 3_000 });
      await world.finish(model.send('Go'));
      await world.advance(60_000);
      assert.deepEqual([sockets(world), world.server.freezes], [0, 0]);
    }
  });

  it('would freeze the sandbox before 1.17', async () => {
    const world = new World({ release: '1.15.0', script: stream(1), modelMs: 3_000 });
    world.conversation.message('Go', true);
    await world.advance(100);
    const wire = { send: () => undefined, close: () => undefined };
    void world.server.connect(`/sockets/events/${world.conversation.id}`, 'canary-sandbox-key-11', wire);
    await world.advance(100);
    assert.equal(world.server.freezes, 1);
  });

  it('sends no message', async () => {
    const { world, model } = await follow();
    await world.finish(model.send('Hello'));
    assert.ok(world.asked.some(({ what }) => what.startsWith('POST ') && what.endsWith('/events')));
  });

  it('keeps the secrets of “full_state” out', async () => {
    const { model } = await follow();
    assert.doesNotMatch(JSON.stringify([model.events, model.head, model.entries]), /canary/);
  });

  it('gives way to polling when it breaks, and is back later', async () => {
    const { world, model } = await follow();
    world.server.sockets.drop(1011);
    await world.advance(200);
    world.conversation.log.message('agent', 'By polling');
    await world.advance(18_500);
    assert.deepEqual(messages(model), ['By polling']);
    await world.advance(20_000);
    assert.deepEqual([sockets(world), world.server.sockets.size], [2, 1]);
  });

  it('is opened less and less often at a server that is full', async () => {
    const world = new World();
    world.server.sockets.closesWith = 1013;
    world.open().keepCurrent();
    for (let minute = 0; minute < 20; minute += 1) await world.advance(60_000);
    assert.ok(sockets(world) >= 4 && sockets(world) <= 10, `${sockets(world)} sockets in 20 minutes`);
  });

  for (const code of [4001, 4004]) {
    it(`isn’t opened again after code ${code}`, async () => {
      const world = new World();
      world.server.sockets.closesWith = code;
      const model = world.open();
      model.keepCurrent();
      for (let minute = 0; minute < 10; minute += 1) await world.advance(60_000);
      assert.equal(sockets(world), 1);
      world.conversation.log.message('agent', 'By polling');
      await world.advance(20_000);
      assert.deepEqual(messages(model), ['By polling']);
    });
  }

  it('stays trusted when a frame is later than the answer to a request', async () => {
    const { world, model } = await follow({ script: stream(5_000), modelMs: 1 });
    await world.finish(model.send('Go'));
    for (let look = 0; look < 50; look += 1) {
      model.reconnect();
      await world.advance(10);
    }
    await world.advance(5_000);
    assert.deepEqual([sockets(world), world.server.sockets.size], [1, 1]);
  });

  it('isn’t trusted once a reading finds what it didn’t tell', async () => {
    const { world, model } = await follow();
    world.server.sockets.isMute = true;
    world.conversation.log.message('agent', 'Swallowed');
    await world.advance(110_000);
    assert.deepEqual(messages(model), ['Swallowed']);
    world.server.sockets.isMute = false;
    world.conversation.log.message('agent', 'By polling');
    await world.advance(19_000);
    assert.deepEqual(messages(model), ['Swallowed', 'By polling']);
  });

  it('lives only while somebody sees the conversation', async () => {
    const { world, holder, model } = await follow();
    holder.dispose();
    await world.advance(1_000);
    assert.equal(world.server.sockets.size, 0);
    const before = world.asked.length;
    await world.advance(600_000);
    assert.equal(world.asked.length, before);
    model.keepCurrent();
    await world.advance(1_000);
    assert.equal(world.server.sockets.size, 1);
    model.dispose();
    await world.advance(1_000);
    assert.equal(world.server.sockets.size, 0);
  });
});
