import assert from 'node:assert/strict';
import type { AgentClient } from '../../../src/api/agent/client';
import type { SocketListener } from '../../../src/api/agent/socket';
import { Listening } from '../../../src/features/live/model/listening';
import type { LiveConversation } from '../../../src/features/live/model/liveConversation';
import { stream } from '../../service/agent/script';
import { manualClock } from '../../service/clock';
import { aMessage, anEvent } from '../transcript/events';
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

describe('listening to an agent server', () => {
  /** A socket as the agent server sees it. */
  interface End extends SocketListener {
    stopped: boolean;
    isClosing?: boolean;
  }
  const server = (sockets = true) => {
    const ends: End[] = [];
    const listen = (listener: SocketListener) => {
      const end: End = { ...listener, stopped: false };
      ends.push(end);
      return Object.assign(() => void (end.stopped = true), { isClosing: () => end.isClosing === true });
    };
    return { ends, agent: { features: { sockets }, listen } as unknown as AgentClient };
  };
  function start() {
    const clock = manualClock();
    const told = { heard: [] as string[], changes: 0, turns: 0 };
    const listening = new Listening(
      { now: () => clock.now(), after: (ms, callback) => clock.after(ms, callback) },
      {
        heard: ({ id }) => told.heard.push(id),
        change: () => (told.changes += 1),
        turn: () => (told.turns += 1),
      },
    );
    return { clock, told, listening, ...server() };
  }
  /** One whose socket tells everything since a reading. */
  function startUp() {
    const started = start();
    const { listening, agent, ends } = started;
    listening.follow(agent);
    ends[0]?.opened();
    listening.compare(listening.open, []);
    return started;
  }
  /** Whether a socket is opened after so many milliseconds, and not before. */
  async function opensAfter({ clock, listening, agent, ends }: ReturnType<typeof start>, ms: number) {
    const before = ends.length;
    await clock.advance(ms - 1);
    listening.follow(agent);
    const early = ends.length;
    await clock.advance(1);
    listening.follow(agent);
    return early === before && ends.length === before + 1;
  }

  it('connects once, where there is a server that can tell', () => {
    const { listening, agent, ends } = start();
    const old = server(false);
    listening.follow(undefined);
    listening.follow(old.agent);
    assert.deepEqual([old.ends.length, listening.open, listening.isUp], [0, undefined, false]);
    listening.follow(agent);
    listening.follow(agent);
    assert.equal(ends.length, 1);
  });

  it('counts after a read that began after the socket opened has ended', () => {
    const { listening, agent, ends, told } = start();
    listening.follow(agent);
    assert.equal(listening.open, undefined);
    listening.compare(listening.open, []);
    assert.deepEqual([listening.isUp, told.turns], [false, 0]);
    ends[0]?.opened();
    assert.deepEqual([listening.isUp, told.turns], [false, 1]);
    assert.ok(listening.open);
    listening.compare(undefined, []);
    assert.equal(listening.isUp, false);
    listening.compare(listening.open, []);
    assert.equal(listening.isUp, true);
  });

  it('follows from one server to another, and to none', () => {
    const { listening, ends } = startUp();
    const before = listening.open;
    const other = server();
    listening.follow(other.agent);
    assert.deepEqual([ends[0]?.stopped, other.ends.length, listening.isUp], [true, 1, false]);
    other.ends[0]?.opened();
    listening.compare(before, []);
    assert.equal(listening.isUp, false);
    listening.follow(undefined);
    assert.deepEqual([other.ends[0]?.stopped, listening.open], [true, undefined]);
    listening.stop();
  });

  it('takes a socket that doesn’t open within 20 seconds for broken, and one that opened for good', async () => {
    const { clock, listening, agent, ends, told } = start();
    listening.follow(agent);
    await clock.advance(20_000);
    listening.follow(agent);
    assert.deepEqual([ends[0]?.stopped, told.turns], [false, 0]);
    await clock.advance(1);
    listening.follow(agent);
    assert.deepEqual([ends[0]?.stopped, ends.length, told.turns], [true, 1, 1]);
    await clock.advance(10_000);
    listening.follow(agent);
    ends[1]?.opened();
    await clock.advance(1_000_000);
    listening.follow(agent);
    assert.deepEqual([ends[1]?.stopped, ends.length], [false, 2]);
  });

  it('connects to another server immediately, however long the previous one’s socket took to open', async () => {
    const { clock, listening, agent, ends, told } = start();
    listening.follow(agent);
    await clock.advance(20_001);
    const next = server();
    listening.follow(next.agent);
    assert.deepEqual([ends[0]?.stopped, next.ends.length, told.turns], [true, 1, 0]);
  });

  it('connects again after 10 seconds, then after twice as long each time, up to 5 minutes', async () => {
    const started = start();
    const { listening, agent, ends, told } = started;
    listening.follow(agent);
    for (const wait of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
      ends.at(-1)?.ended('lost');
      assert.ok(await opensAfter(started, wait), `${wait}`);
    }
    assert.equal(told.turns, 7);
  });

  it('restarts with the shortest wait after a socket has worked for more than a minute', async () => {
    for (const [ms, wait] of [
      [60_000, 20_000],
      [60_001, 10_000],
    ] as const) {
      const started = start();
      const { clock, listening, agent, ends } = started;
      listening.follow(agent);
      ends[0]?.ended('lost');
      assert.ok(await opensAfter(started, 10_000));
      ends[1]?.opened();
      await clock.advance(ms);
      listening.compare(listening.open, []);
      ends[1]?.ended('lost');
      assert.ok(await opensAfter(started, wait), `${wait}`);
    }
  });

  it('never connects again to a server that refused it, and does to another', async () => {
    const { clock, listening, agent, ends } = start();
    listening.follow(agent);
    ends[0]?.ended('refused');
    await clock.advance(1_000_000);
    listening.follow(agent);
    assert.equal(ends.length, 1);
    const other = server();
    listening.follow(other.agent);
    assert.equal(other.ends.length, 1);
  });

  it('gives up a socket that hasn’t sent within 2 seconds what a read returned', async () => {
    const { clock, listening, ends, told } = startUp();
    listening.compare(listening.open, [aMessage('Swallowed')]);
    await clock.advance(1_999);
    assert.deepEqual([ends[0]?.stopped, listening.isUp, told.turns], [false, true, 1]);
    await clock.advance(1);
    assert.deepEqual([ends[0]?.stopped, listening.isUp, told.turns], [true, false, 2]);
  });

  it('gives up a socket within 2 seconds once its server only says that it closes', async () => {
    const started = startUp();
    const { clock, told, listening, ends } = started;
    await clock.advance(60_000);
    assert.equal(listening.isUp, true);
    const { turns } = told;
    ends[0]!.isClosing = true;
    await clock.advance(2_000);
    assert.deepEqual([listening.isUp, ends[0]?.stopped, told.turns], [false, true, turns + 1]);
    assert.ok(await opensAfter(started, 10_000));
  });

  it('keeps a socket that sends in time, or that had nothing to send', async () => {
    const { clock, listening, ends, agent } = start();
    listening.follow(agent);
    ends[0]?.opened();
    listening.compare(listening.open, [aMessage('Before it was up')]);
    const late = aMessage('Late');
    listening.compare(listening.open, [late, anEvent({ kind: 'hidden' })]);
    await clock.advance(1_000);
    ends[0]?.heard(late);
    await clock.advance(10_000);
    assert.deepEqual([ends[0]?.stopped, listening.isUp], [false, true]);
  });

  it('reads what is missing in a socket’s count, once it can’t just be late, and keeps the socket', async () => {
    const { clock, listening, ends, told } = startUp();
    for (const place of [4, 5, 7]) ends[0]?.counted?.(place);
    await clock.advance(1_999);
    assert.deepEqual([listening.isUp, told.turns], [true, 1]);
    await clock.advance(1);
    assert.deepEqual([listening.isUp, told.turns, ends[0]?.stopped], [false, 2, false]);
    listening.compare(listening.open, [aMessage('Lost')]);
    for (const place of [8, 9]) ends[0]?.counted?.(place);
    await clock.advance(10_000);
    assert.deepEqual([listening.isUp, told.turns, ends[0]?.stopped], [true, 2, false]);
  });

  it('counts any number of events after one that was lost', async () => {
    const { clock, listening, ends, told } = startUp();
    for (let place = 0; place < 300_000; place += 1) if (place !== 1) ends[0]?.counted?.(place);
    await clock.advance(2_000);
    assert.deepEqual([listening.isUp, told.turns], [false, 2]);
    ends[0]?.counted?.(300_000);
    listening.compare(listening.open, []);
    await clock.advance(10_000);
    assert.deepEqual([listening.isUp, told.turns], [true, 2]);
  });

  it('waits for events that come out of order, and doesn’t mind those that come twice', async () => {
    const { clock, listening, ends, told } = startUp();
    for (const place of [-1, 2, 0, 0, 4, 3]) ends[0]?.counted?.(place);
    await clock.advance(1_000);
    ends[0]?.counted?.(1);
    await clock.advance(10_000);
    assert.deepEqual([listening.isUp, told.turns], [true, 1]);
  });

  it('isn’t misled by what an earlier socket didn’t send', async () => {
    const { clock, listening, agent, ends } = startUp();
    listening.compare(listening.open, [aMessage('Swallowed')]);
    listening.stop();
    listening.follow(agent);
    ends[1]?.opened();
    listening.compare(listening.open, []);
    await clock.advance(10_000);
    assert.deepEqual([ends[0]?.stopped, ends[1]?.stopped, listening.isUp], [true, false, true]);
  });

  it('isn’t taken for one that works because an earlier socket did', async () => {
    const started = startUp();
    const { clock, listening, ends } = started;
    const earlier = listening.open;
    await clock.advance(60_001);
    ends[0]?.ended('lost');
    assert.ok(await opensAfter(started, 10_000));
    listening.compare(earlier, []);
    ends[1]?.ended('lost');
    assert.ok(await opensAfter(started, 20_000));
  });

  it('reports a burst of events as one change, 30 ms after the first', async () => {
    const { clock, told, ends } = startUp();
    const [one, two, three] = [aMessage('1'), aMessage('2'), aMessage('3')];
    ends[0]?.heard(one);
    await clock.advance(29);
    ends[0]?.heard(two);
    assert.deepEqual([told.heard, told.changes], [[one.id, two.id], 0]);
    await clock.advance(1);
    assert.equal(told.changes, 1);
    await clock.advance(1_000);
    assert.equal(told.changes, 1);
    ends[0]?.heard(three);
    await clock.advance(30);
    assert.deepEqual([told.heard.length, told.changes], [3, 2]);
  });

  it('reports nothing that isn’t shown', async () => {
    const { clock, told, ends } = startUp();
    ends[0]?.heard(anEvent({ kind: 'hidden' }));
    await clock.advance(1_000);
    assert.deepEqual([told.heard, told.changes], [[], 0]);
  });

  it('reports no change after it’s stopped, and changes again once it continues', async () => {
    const { clock, listening, agent, told, ends } = startUp();
    ends[0]?.heard(aMessage('1'));
    listening.stop();
    await clock.advance(1_000);
    assert.deepEqual([told.changes, listening.isUp, ends[0]?.stopped], [0, false, true]);
    listening.follow(agent);
    ends[1]?.heard(aMessage('2'));
    await clock.advance(30);
    assert.equal(told.changes, 1);
  });
});

describe('the socket of a conversation', () => {
  it('shows an event within 150 ms, without a request', async () => {
    const { world, model } = await follow();
    world.asked.length = 0;
    world.conversation.log.message('agent', 'By socket');
    await world.advance(100);
    assert.deepEqual(messages(model), ['By socket']);
    assert.deepEqual(world.asked, []);
  });

  it('shows an event that got lost on the way within 3 seconds, if the server counts', async () => {
    for (const [release, shown] of [
      ['1.49.1', ['Lost', 'Next']],
      ['1.58.0', ['Lost', 'Next']],
    ] as const) {
      const { world, model } = await follow({ release });
      world.server.sockets.loses = 1;
      world.conversation.log.message('agent', 'Lost');
      world.conversation.log.message('agent', 'Next');
      await world.advance(3_000);
      assert.deepEqual([messages(model), sockets(world)], [shown, 1]);
    }
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

  it('reports everything once and in order, although frames arrive out of order', async () => {
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

  it('isn’t trusted once a read finds what it didn’t send', async () => {
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

describe('a socket of a server whose clock is set back', () => {
  for (const setBackMs of [10, 40_000, 3_600_000, 7 * 3_600_000])
    it(`tells at once what the agent does (${setBackMs} ms)`, async () => {
      const ask = { act: [{ command: 'ls', risk: 'HIGH' as const }] };
      const { world, model } = await follow({ script: [{ say: 'One.' }, ask, { say: 'Two.' }] });
      await world.finish(model.send('Go'));
      await world.advance(200_000);
      world.conversation.log.skewMs = -setBackMs;
      world.conversation.message('Look around', true);
      await world.advance(5_000);
      assert.deepEqual(
        [model.head.execution, model.head.pending.map(({ text }) => text), model.head.proof],
        ['waiting_for_confirmation', ['ls'], 'whole'],
      );
      world.conversation.accept();
      await world.advance(5_000);
      assert.deepEqual([model.head.execution, model.head.pending], ['finished', []]);
      const from = world.asked.length;
      await world.advance(600_000);
      assert.ok(world.asked.length - from < 80, `${world.asked.length - from} requests`);
    });
});
