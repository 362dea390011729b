import assert from 'node:assert/strict';
import type { AgentClient } from '../../../src/api/agent/client';
import type { AgentEvent } from '../../../src/api/events/event';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { Execution } from '../../../src/shared/transcript';
import { Refusal } from '../../../src/core/basics/refusal';
import { Following } from '../../../src/features/live/model/following';
import type { Listed } from '../../../src/features/live/model/listed';
import type { TranscriptPorts } from '../../../src/features/live/model/ports';
import { manualClock } from '../../service/clock';
import { settled } from '../../support/settled';
import { aClient } from '../../support/builders/client';
import { aMessage } from '../transcript/events';

const working = 1_950;
const resting = 18_000;
const apart = 27_000;
const listening = 105_000;

const running: Conversation = {
  id: 'c',
  title: 'One',
  sandbox_status: 'RUNNING',
  conversation_url: 'https://box.example/api/conversations/c',
  session_api_key: 'key',
};
const without = (sandbox_status: string): Conversation => ({ id: 'c', title: 'One', sandbox_status });

type Place = 'record' | 'version' | 'status' | 'live' | 'stored';

const failure = (reason: ErrorReason) => new ApiError(reason, 'GET', '/x');

/** A conversation that is followed; what is asked for is answered as a test says, and counted. */
class Scene {
  readonly clock = manualClock();
  readonly life = new AbortController();
  record: Conversation | null = running;
  execution: Execution = 'idle';
  events: AgentEvent[] = [aMessage('Live')];
  storedEvents: AgentEvent[] = [];
  /** Names a next page of the agent server’s events. */
  more: string | null = null;
  blocks = false;
  sockets = false;
  asked: Record<Place, number> = { record: 0, version: 0, status: 0, live: 0, stored: 0 };
  failures: Partial<Record<Place, Error>> = {};
  /** What waits for `release`. */
  held: Place | undefined;
  /** Called with the lists’ words; undefined while they aren’t followed. */
  lists: ((listed: Listed) => void) | undefined;
  /** Limits and problems that were shown, each once in a row. */
  readonly shown: string[] = [];
  secretsRead = 0;
  /** Milliseconds by which the system clock was set back. */
  setBack = 0;
  listens = 0;
  opened: () => void = () => undefined;
  release: () => Promise<void> = () => Promise.resolve();
  readonly agents: AgentClient[] = [];
  readonly client = aClient({
    baseUrl: 'https://service.example',
    getConversation: () => this.answer('record', () => this.record),
    searchEvents: () =>
      this.answer('stored', () => ({ items: this.storedEvents.toReversed(), nextPageId: null })),
  });
  readonly following = new Following('c', this.ports(), this.life.signal, {
    events: () => undefined,
    sought: () => '',
    replaced: () => undefined,
    change: () => {
      const { limit, problem } = this.following;
      const words = `${limit} ${problem}`;
      if (this.shown.at(-1) !== words) this.shown.push(words);
    },
  });

  /** Follows until the first reading ended. */
  async start(change: Partial<Scene> = {}): Promise<this> {
    Object.assign(this, change);
    this.following.start();
    await this.clock.advance(0);
    this.forget();
    return this;
  }

  forget(): void {
    this.asked = { record: 0, version: 0, status: 0, live: 0, stored: 0 };
    this.shown.length = 0;
  }

  /** Whether the next look comes after so many milliseconds, and not before. */
  async looksAfter(ms: number): Promise<boolean> {
    const looks = () => Object.values(this.asked).reduce((sum, count) => sum + count);
    const before = looks();
    await this.clock.advance(ms - 1);
    const early = looks();
    await this.clock.advance(1);
    return early === before && looks() > before;
  }

  list(status: string, { readAt = this.clock.now(), record }: Partial<Listed> = {}): void {
    this.lists?.({ record, status, readAt });
  }

  private async answer<T>(place: Place, answer: () => T): Promise<T> {
    this.asked[place] += 1;
    if (this.held === place) {
      this.held = undefined;
      await new Promise<void>((resolve) => {
        this.release = async () => {
          resolve();
          await settled();
          await settled();
        };
      });
    }
    const error = this.failures[place];
    if (error) throw error;
    return answer();
  }

  private ports(): TranscriptPorts {
    return {
      client: this.client,
      readServer: () => this.answer('version', () => ({ release: '1.58.0', capabilities: [] })),
      createAgentClient: () => this.createAgent(),
      createWorkspace: () => 'workspace',
      acceptOrigin: () => Promise.resolve(true),
      readSecrets: () => {
        this.secretsRead += 1;
        return Promise.resolve([]);
      },
      onDidChangeSecrets: () => ({ dispose: () => undefined }),
      startedAs: () => undefined,
      onDidList: (listener: (listed: Listed) => void) => {
        this.lists = listener;
        return { dispose: () => (this.lists = undefined) };
      },
      describe: String,
      after: (ms: number, callback: () => void) => this.clock.after(ms, callback),
      now: () => this.clock.now(),
      date: () => this.clock.now() - this.setBack,
    } as unknown as TranscriptPorts;
  }

  private createAgent(): AgentClient {
    const agent = {
      features: { blocksWhileRunning: this.blocks, sockets: this.sockets },
      getConversation: () =>
        this.answer('status', () => ({
          execution: this.execution,
          policy: 'always',
          usage: null,
          workingDir: '/w',
        })),
      searchEvents: () => this.answer('live', () => ({ items: this.events, nextPageId: this.more })),
      listen: ({ opened }: { opened: () => void }) => {
        this.listens += 1;
        this.opened = opened;
        return () => undefined;
      },
    } as unknown as AgentClient;
    this.agents.push(agent);
    return agent;
  }
}

const begin = (change: Partial<Scene> = {}) => new Scene().start(change);

describe('following a conversation', () => {
  it('begins with nothing known, and shows what it reads', async () => {
    const scene = new Scene();
    const { following } = scene;
    assert.deepEqual(
      [following.limit, following.problem, following.readAt, following.record],
      ['none', '', null, undefined],
    );
    await scene.start();
    assert.deepEqual([following.limit, following.problem], ['none', '']);
    assert.deepEqual([following.readAt, following.record], [scene.clock.now(), running]);
    assert.deepEqual(following.reader.events, scene.events);
    assert.deepEqual([following.agent, following.workspace], [scene.agents[0], 'workspace']);
  });

  it('looks every 18 seconds while the agent rests, and each fourth time at the record', async () => {
    const scene = await begin();
    for (const record of [0, 0, 1, 1, 1, 1, 2]) {
      assert.ok(await scene.looksAfter(resting));
      assert.equal(scene.asked.record, record);
    }
    assert.deepEqual([scene.asked.status, scene.asked.live], [7, 7]);
  });

  it('looks every 2 seconds while it works, each fourth time at its state, and never at the record', async () => {
    const scene = await begin({ execution: 'running' });
    for (const status of [0, 0, 1, 1, 1, 1, 2]) {
      assert.ok(await scene.looksAfter(working));
      assert.equal(scene.asked.status, status);
    }
    assert.deepEqual([scene.asked.record, scene.asked.live], [0, 7]);
  });

  it('looks every 27 seconds at the record and the store while there is no agent server', async () => {
    const scene = await begin({ record: without('PAUSED') });
    assert.equal(scene.following.limit, 'asleep');
    for (let look = 1; look < 4; look += 1) {
      assert.ok(await scene.looksAfter(apart));
      assert.deepEqual([scene.asked.record, scene.asked.stored, scene.asked.status], [look, look, 0]);
    }
  });

  it('reads everything every 105 seconds while a socket sends', async () => {
    const scene = await begin({ sockets: true });
    scene.opened();
    await settled();
    await scene.clock.advance(0);
    scene.forget();
    for (let look = 1; look < 4; look += 1) {
      assert.ok(await scene.looksAfter(listening));
      assert.deepEqual([scene.asked.record, scene.asked.status, scene.asked.live], [look, look, look]);
    }
  });

  it('looks often for six seconds when something is about to change', async () => {
    const scene = await begin();
    scene.following.lookSoon();
    await scene.clock.advance(0);
    for (let look = 0; look < 2; look += 1) assert.ok(await scene.looksAfter(working));
    scene.held = 'live';
    assert.ok(await scene.looksAfter(working));
    await scene.clock.advance(149);
    await scene.release();
    assert.ok(await scene.looksAfter(working));
    assert.ok(await scene.looksAfter(resting));
    scene.following.lookSoon();
    scene.held = 'live';
    await scene.clock.advance(6_000);
    await scene.release();
    assert.ok(await scene.looksAfter(resting));
  });

  it('looks often no longer than that, whatever the clock of the computer shows', async () => {
    const scene = await begin();
    scene.following.lookSoon();
    scene.setBack = 3_600_000;
    await settled();
    await scene.clock.advance(6_000);
    scene.forget();
    await scene.clock.advance(resting * 10);
    assert.equal(scene.asked.live, 10);
  });

  it('requests nothing after it’s stopped, and reads the secrets again when it continues', async () => {
    const scene = await begin();
    assert.equal(scene.secretsRead, 1);
    scene.following.stop();
    await scene.clock.advance(1_000_000);
    assert.deepEqual(scene.asked, { record: 0, version: 0, status: 0, live: 0, stored: 0 });
    await scene.start();
    assert.equal(scene.secretsRead, 2);
    await scene.clock.advance(resting);
    assert.equal(scene.secretsRead, 2);
  });

  it('connects no socket once the conversation was closed', async () => {
    const scene = await begin({ sockets: true, held: 'live' });
    scene.life.abort();
    await scene.release();
    assert.equal(scene.listens, 0);
    assert.equal((await begin({ sockets: true })).listens, 1);
  });

  it('connects no socket for a read that nobody waits for anymore', async () => {
    const scene = await begin({ sockets: true, held: 'live' });
    scene.following.stop();
    await scene.release();
    assert.equal(scene.listens, 0);
    await scene.start();
    assert.equal(scene.listens, 1);
  });
});

describe('where the agent server isn’t there', () => {
  it('forgets what the agent does, and its files', async () => {
    const scene = await begin({ execution: 'idle' });
    assert.equal(scene.following.status.current.execution, 'idle');
    scene.record = without('PAUSED');
    await scene.clock.advance(3 * resting);
    const { agent, workspace, status, limit, problem } = scene.following;
    assert.deepEqual([agent, workspace, status.current.execution], [undefined, undefined, 'unknown']);
    assert.deepEqual([limit, problem], ['asleep', '']);
  });

  it('reads what is stored, and refuses to read what is new', async () => {
    const scene = await begin({ record: without('STARTING'), storedEvents: [aMessage('Stored')] });
    assert.equal(scene.following.limit, 'stored');
    assert.deepEqual(scene.following.reader.events, scene.storedEvents);
    await assert.rejects(scene.following.readEvents(), Refusal);
  });

  it('says so while a service has no stored events, without a flicker', async () => {
    for (const reason of ['notFound', 'methodNotAllowed', 'notService'] as const) {
      const scene = await begin({ record: without('RUNNING'), failures: { stored: failure(reason) } });
      assert.deepEqual([scene.following.limit, scene.following.problem], ['noEvents', '']);
      await scene.clock.advance(3 * apart);
      assert.deepEqual([scene.asked.stored, scene.shown], [3, ['noEvents ']]);
    }
  });

  it('shows why what is stored can’t be read', async () => {
    for (const limit of ['stored', 'asleep']) {
      const record = without(limit === 'asleep' ? 'PAUSED' : 'RUNNING');
      const scene = await begin({ record, failures: { stored: failure('serverError') } });
      assert.equal(scene.following.limit, limit);
      assert.match(scene.following.problem, /serverError/);
      assert.equal(scene.following.readAt, null);
      scene.failures = {};
      await scene.clock.advance(apart);
      assert.equal(scene.following.problem, '');
    }
  });

  it('asks no sooner than the server says, unless the user tries again', async () => {
    const busy = new ApiError('serverError', 'GET', '/', { status: 503, retryAfterMs: 300_000 });
    const scene = await begin({ failures: { record: busy } });
    await scene.clock.advance(apart * 10);
    assert.equal(scene.asked.record, 0);
    scene.following.retry();
    await settled();
    assert.equal(scene.asked.record, 1);
    scene.failures = {};
    await scene.clock.advance(300_000);
    assert.equal(scene.following.problem, '');
  });

  it('shows that the service doesn’t answer, and asks it once each time', async () => {
    const scene = await begin({ failures: { record: failure('timeout') } });
    assert.match(scene.following.problem, /timeout/);
    assert.ok(await scene.looksAfter(apart));
    assert.equal(scene.asked.record, 1);
  });

  it('is said until the agent server has answered', async () => {
    const scene = await begin({ record: without('PAUSED') });
    Object.assign(scene, { record: running, held: 'status' });
    await scene.clock.advance(apart);
    assert.equal(scene.following.limit, 'asleep');
    await scene.release();
    assert.deepEqual([scene.following.limit, scene.shown], ['none', ['asleep ', 'none ']]);
  });

  it('is said although an earlier request is answered late', async () => {
    const scene = await begin();
    scene.held = 'status';
    const reading = scene.following.readStatus(scene.agents[0]!);
    scene.list('PAUSED');
    await scene.release();
    assert.equal((await reading).execution, 'idle');
    assert.deepEqual(
      [scene.following.limit, scene.following.status.current.execution],
      ['asleep', 'unknown'],
    );
  });

  it('is tried again immediately if the user asks for it', async () => {
    const scene = await begin({ failures: { version: failure('timeout') } });
    assert.equal(scene.following.limit, 'unreachable');
    scene.failures = {};
    scene.following.lookSoon();
    await scene.clock.advance(0);
    assert.equal(scene.following.limit, 'unreachable');
    scene.following.retry();
    await scene.clock.advance(0);
    assert.equal(scene.following.limit, 'none');
  });
});

describe('a request to the agent server that fails', () => {
  for (const place of ['status', 'live'] as const) {
    it(`is a problem while the service says that its sandbox runs (${place})`, async () => {
      const scene = await begin();
      scene.failures[place] = failure('timeout');
      await scene.clock.advance(resting);
      assert.match(scene.following.problem, /timeout/);
      assert.equal(scene.following.agent, undefined);
      assert.equal(scene.asked.record, 1);
      scene.failures = {};
      await scene.clock.advance(2 * apart);
      assert.deepEqual([scene.following.problem, scene.following.limit], ['', 'none']);
    });
  }

  it('is none once the service says that its sandbox was paused or is gone', async () => {
    for (const [record, limit] of [
      [without('PAUSED'), 'asleep'],
      [null, 'gone'],
    ] as const) {
      const scene = await begin();
      Object.assign(scene, { record, failures: { live: failure('timeout') } });
      await scene.clock.advance(resting);
      assert.deepEqual([scene.following.limit, scene.following.problem], [limit, '']);
      assert.ok(!scene.shown.some((words) => words.includes('timeout')));
    }
  });

  it('is none once an agent server says that the conversation was deleted', async () => {
    const scene = await begin();
    Object.assign(scene.client, { sandboxes: undefined });
    Object.assign(scene, { record: null, failures: { live: failure('notFound') } });
    await scene.clock.advance(resting);
    assert.deepEqual([scene.following.limit, scene.following.problem], ['deleted', '']);
  });

  it('is a problem where the sandbox restarts', async () => {
    const scene = await begin();
    Object.assign(scene, { record: without('STARTING'), failures: { live: failure('timeout') } });
    await scene.clock.advance(resting);
    assert.match(scene.following.problem, /timeout/);
  });

  it('is a problem where the service doesn’t answer either, whatever the lists say', async () => {
    const scene = await begin();
    scene.held = 'live';
    await scene.clock.advance(resting);
    scene.list('PAUSED');
    assert.equal(scene.following.limit, 'asleep');
    scene.failures = { live: failure('timeout'), record: failure('serverError') };
    await scene.release();
    assert.match(scene.following.problem, /timeout/);
  });

  it('treats it as out of reach immediately', async () => {
    const scene = await begin();
    const [agent] = scene.agents;
    scene.failures.status = failure('unauthorized');
    await assert.rejects(scene.following.readStatus(agent!), ApiError);
    assert.equal(scene.following.limit, 'refused');
  });

  it('says nothing about reach where it was canceled, or is a defect', async () => {
    for (const error of [failure('canceled'), new TypeError('defect')]) {
      const scene = await begin();
      scene.failures.status = error;
      await assert.rejects(scene.following.readStatus(scene.agents[0]!), error);
      assert.equal(scene.following.limit, 'none');
    }
  });

  it('isn’t tried where the lists say in the meantime that its sandbox was paused, and the record is read at once', async () => {
    const scene = await begin();
    scene.held = 'status';
    await scene.clock.advance(resting);
    scene.list('PAUSED');
    await scene.release();
    await scene.clock.advance(0);
    assert.deepEqual([scene.asked.record, scene.following.limit], [1, 'none']);
    assert.deepEqual(scene.shown, ['asleep ', 'none ']);
  });

  it('says nothing about an agent server that isn’t in use anymore', async () => {
    const scene = await begin();
    scene.held = 'status';
    const reading = scene.following.readStatus(scene.agents[0]!);
    scene.list('PAUSED');
    scene.failures.status = failure('timeout');
    const failing = assert.rejects(reading, ApiError);
    await scene.release();
    await failing;
    assert.equal(scene.following.limit, 'asleep');
  });

  it('is none once the conversation was closed', async () => {
    const scene = await begin();
    scene.held = 'live';
    await scene.clock.advance(resting);
    scene.life.abort();
    scene.failures.live = failure('canceled');
    await scene.release();
    assert.deepEqual([scene.following.problem, scene.asked.record], ['', 0]);
  });

  it('shows when it was for older events', async () => {
    const scene = await begin();
    await scene.following.readOlder();
    assert.equal(scene.asked.live, 0);
    const longer = await begin({ more: '2' });
    longer.failures.live = failure('timeout');
    await assert.rejects(longer.following.readOlder(), Refusal);
    assert.match(longer.following.problem, /timeout/);
    assert.match(longer.shown.join(), /timeout/);
  });
});

describe('an agent server whose reads wait for the end of a step', () => {
  const busy = { blocks: true, execution: 'running', held: 'live' } as const;

  it('is busy only while it’s asked for events and works', async () => {
    const scene = await begin(busy);
    assert.equal(scene.following.limit, 'busy');
    scene.execution = 'idle';
    await scene.following.readStatus(scene.agents[0]!);
    assert.equal(scene.following.limit, 'none');
    scene.execution = 'running';
    await scene.following.readStatus(scene.agents[0]!);
    assert.equal(scene.following.limit, 'busy');
    await scene.release();
    assert.equal(scene.following.limit, 'none');
    const other = await begin({ execution: 'running', held: 'live' });
    await other.following.readStatus(other.agents[0]!);
    assert.equal(other.following.limit, 'none');
  });

  it('gets one request for events at a time, while its state is still read', async () => {
    const scene = await begin(busy);
    await scene.clock.advance(8 * working);
    assert.deepEqual([scene.asked.live, scene.asked.status], [0, 2]);
    await scene.release();
    assert.deepEqual([scene.asked.live, scene.following.reader.events], [0, scene.events]);
    assert.ok(await scene.looksAfter(working));
    assert.equal(scene.asked.live, 1);
  });

  it('has the store read until there is something to show', async () => {
    const scene = new Scene();
    Object.assign(scene, { ...busy, storedEvents: [aMessage('Stored')] });
    scene.following.start();
    await scene.clock.advance(0);
    assert.deepEqual([scene.following.reader.events, scene.asked.stored], [scene.storedEvents, 1]);
    await scene.clock.advance(4 * working);
    assert.equal(scene.asked.stored, 1);
  });

  it('is the only source if the service has no stored events', async () => {
    const scene = await begin({ ...busy, failures: { stored: failure('notFound') } });
    assert.deepEqual([scene.following.limit, scene.following.problem], ['busy', '']);
    await scene.release();
    assert.equal(scene.following.limit, 'none');
  });

  it('shows that reading events failed in the end', async () => {
    const scene = await begin(busy);
    scene.failures.live = failure('timeout');
    await scene.release();
    assert.match(scene.following.problem, /timeout/);
  });

  it('is waited for, and the store left alone, where reads are answered at once', async () => {
    const scene = new Scene();
    Object.assign(scene, { execution: 'running', held: 'live' });
    scene.following.start();
    await scene.clock.advance(0);
    assert.deepEqual([scene.asked.stored, scene.following.readAt], [0, null]);
    await scene.release();
    assert.equal(scene.following.readAt, scene.clock.now());
  });
});

describe('what the lists say while a conversation is followed', () => {
  it('counts if it’s as new as the record that was last read, and not if it’s older', async () => {
    const scene = await begin();
    const readAt = scene.clock.now();
    scene.list('PAUSED', { readAt: readAt - 1 });
    assert.equal(scene.following.limit, 'none');
    scene.list('PAUSED', { readAt });
    assert.equal(scene.following.limit, 'asleep');
  });

  it('counts after the clock was set back, as nobody knows which is newer', async () => {
    const scene = await begin();
    scene.setBack = 3_600_000;
    scene.list('PAUSED', { readAt: scene.clock.now() - scene.setBack });
    assert.equal(scene.following.limit, 'asleep');
  });

  it('shows immediately that the sandbox is gone', async () => {
    const scene = await begin();
    scene.list('MISSING');
    assert.deepEqual([scene.following.limit, scene.following.agent], ['gone', undefined]);
  });

  it('has no effect on reach if the sandbox runs or starts', async () => {
    const scene = await begin();
    for (const status of ['RUNNING', 'STARTING', 'ERROR', '']) {
      scene.list(status);
      await scene.clock.advance(0);
      assert.deepEqual([scene.following.limit, scene.following.agent], ['none', scene.agents[0]]);
    }
    assert.equal(scene.asked.status, 0);
  });

  it('leaves why a sandbox can’t be reached, and has it looked at only once it runs', async () => {
    const scene = await begin({ failures: { version: failure('timeout') } });
    for (const status of ['PAUSED', 'MISSING', 'STARTING']) {
      scene.list(status);
      await scene.clock.advance(0);
      assert.deepEqual([scene.following.limit, scene.asked.record], ['unreachable', 0]);
    }
    scene.list('RUNNING');
    await scene.clock.advance(0);
    assert.equal(scene.asked.record, 1);
  });

  it('counts even before the first read', async () => {
    const scene = new Scene();
    scene.held = 'record';
    scene.following.start();
    scene.list('RUNNING');
    await scene.clock.advance(0);
    await scene.release();
    await scene.clock.advance(0);
    assert.equal(scene.asked.status, 2);
  });

  it('changes the title alone', async () => {
    const scene = await begin();
    scene.list('RUNNING', { record: { id: 'c', title: 'Two' } });
    assert.deepEqual(scene.following.record, { ...running, title: 'Two' });
  });
});
