import { parseConversationUrl } from '../../../src/api/agent/address';
import { createAgentClient, readAgentServer } from '../../../src/api/agent/client';
import type { AgentEvent } from '../../../src/api/events/event';
import { createLimiter } from '../../../src/api/http/limiter';
import { flatClient } from '../../support/builders/client';
import { createOpenSocket } from '../../../src/editor/networkFetch';
import { LiveConversation } from '../../../src/features/live/model/liveConversation';
import type { AgentConversation } from '../../service/agent/conversation';
import { stream } from '../../service/agent/script';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../../service/service';
import { anAction, aResult } from '../../unit/transcript/events';
import { aLongCommand, anEditNowAndThen, heldBy } from '../../unit/transcript/heldHeap';
import { World } from '../../unit/live/world';
import { atMost, figure, never, pairFigures, type Figure, type Pair } from '../support/figures';
import type { Section } from '../support/section';
import { transcriptPage } from './transcriptPage';
import { conversationPorts } from '../../support/builders/ports';

const id = '0123456789abcdef0123456789abcdef';
const events = 5_000;
const held = 10_000;

export const transcript: Section = {
  title: `a conversation of ${events} events at a local service, and its page in plain Chromium`,
  measure: async (runs = 7) => {
    const service = await startService({ profile: 'observed', agents: '1.58.0' });
    const agent = longConversation(service);
    const figures = [...(await opening(service, runs)), ...(await eventByEvent(service, agent, runs))];
    await service.close();
    return [
      ...figures,
      await byPolling(),
      ...(await requestsAMinute()),
      ...(await heapFor(runs)),
      ...(await transcriptPage(runs)),
    ];
  },
};

function longConversation(service: ReferenceService): AgentConversation {
  service.state.sandboxes.set('box', makeSandbox({ id: 'box' }));
  service.state.conversations.set(id, makeConversation({ id, sandbox_id: 'box', execution_status: 'idle' }));
  const agent = service.agentOf(id);
  if (!agent) throw new Error('The service simulates no agents.');
  agent.replay('Count', stream(events / 2));
  return agent;
}

/** The client and network options of a window. */
async function reach({ url, sessionKey }: ReferenceService) {
  const options = { limiter: createLimiter(), openSocket: await createOpenSocket({}, undefined) };
  return { options, client: flatClient({ baseUrl: url, sessionKey, limiter: options.limiter }) };
}

async function open(service: ReferenceService): Promise<LiveConversation> {
  const { options, client } = await reach(service);
  const readSecrets = () => Promise.resolve([service.sessionKey]);
  return new LiveConversation(id, conversationPorts(client, options, { readSecrets }));
}

/** Resolves once the model meets the condition. */
function until(model: LiveConversation, fits: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!fits()) return;
      following.dispose();
      resolve();
    };
    const following = model.onDidChange(check);
    check();
  });
}

async function opening(service: ReferenceService, runs: number): Promise<Figure[]> {
  const pairs: Pair[] = [];
  for (let run = -1; run < runs; run += 1) {
    const { options, client } = await reach(service);
    const began = performance.now();
    const record = await client.getConversation(id);
    const address = parseConversationUrl(record?.conversation_url ?? '');
    if (!record || !address) throw new Error('The conversation has no address.');
    const { release: version } = await readAgentServer(address, options);
    const agent = createAgentClient(address, record.session_api_key ?? '', version, options);
    await agent.getConversation();
    await agent.searchEvents({ newestFirst: true });
    const beside = performance.now() - began;
    const model = await open(service);
    const clicked = performance.now();
    model.keepCurrent();
    await until(model, () => model.entries.length > 0);
    if (run >= 0) pairs.push({ ours: performance.now() - clicked, beside });
    model.dispose();
  }
  return pairFigures('click to first entries', 'its round trips alone', 'ms', pairs, {
    difference: atMost(250),
  });
}

async function eventByEvent(
  service: ReferenceService,
  agent: AgentConversation,
  runs: number,
): Promise<Figure[]> {
  const model = await open(service);
  model.keepCurrent();
  await until(model, () => model.entries.length > 0);
  const opened = agent.log.all.length;
  const times: number[] = [];
  for (let run = -1; run < runs; run += 1) {
    const text = `Event ${opened + run}`;
    const began = performance.now();
    agent.log.message('agent', text);
    await until(model, () =>
      model.entries.some((entry) => entry.kind === 'message' && entry.text.text === text),
    );
    // The first event may arrive before the socket is up.
    if (run >= 0) times.push(performance.now() - began);
  }
  model.dispose();
  return [figure('event from the agent server to the panel, by socket', 'ms', times, never(150))];
}

/** On a simulated clock, with a server that answers at once. */
async function byPolling(): Promise<Figure> {
  const world = new World({ script: stream(20_000), modelMs: 400 });
  world.server.sockets.closesWith = 4001;
  const model = world.open();
  model.keepCurrent();
  await world.finish(model.send('Count'));
  await world.advance(30_000);
  const times: number[] = [];
  for (let event = 0; event < 40; event += 1) {
    world.conversation.log.message('agent', `Event ${event}`);
    const began = world.clock.now();
    const isShown = () =>
      model.entries.some((entry) => entry.kind === 'message' && entry.text.text === `Event ${event}`);
    while (!isShown()) await world.advance(50);
    times.push(world.clock.now() - began);
    await world.advance(730);
  }
  return figure('  by polling, once the server answers', 'ms', times, never(2_000));
}

/** Counted on a simulated clock. */
async function requestsAMinute(): Promise<Figure[]> {
  const minutes = 10;
  const count = async (world: World) => {
    const before = world.asked.length;
    for (let minute = 0; minute < minutes; minute += 1) await world.advance(60_000);
    return (world.asked.length - before) / minutes;
  };
  const follow = async (hasSocket: boolean, isWorking: boolean) => {
    const world = new World({ script: isWorking ? stream(20_000) : [], modelMs: 400 });
    if (!hasSocket) world.server.sockets.closesWith = 4001;
    const model = world.open();
    const holder = model.keepCurrent();
    if (isWorking) await world.finish(model.send('Count'));
    await world.advance(30_000);
    return { world, holder };
  };
  const socket = await count((await follow(true, true)).world);
  const working = await count((await follow(false, true)).world);
  const resting = await follow(false, false);
  const idle = await count(resting.world);
  resting.holder.dispose();
  await resting.world.advance(1_000);
  return [
    figure('requests a minute: the socket is up', '', [socket], never(2)),
    figure('  polling, the agent works', '', [working], never(40)),
    figure('  polling, the agent rests', '', [idle], never(8)),
    figure('  hidden', '', [await count(resting.world)], never(0)),
  ];
}

/** A fifth of the steps make a file of 300 kB, of short lines or of one long line. */
const aLargeFileNowAndThen = (index: number) => {
  if (index % 5 > 0) return aLongCommand(index);
  const line = index % 2 === 0 ? 'some code of no importance\n' : 'some code of no importance; ';
  const path = `/workspace/file${index}.ts`;
  const file_text = `${index} ${line.repeat(11_000)}`;
  const action = anAction('FileEditorAction', { command: 'create', path, file_text });
  return [action, aResult(action, { path, after: `${file_text} ` })];
};

async function heapFor(runs: number): Promise<Figure[]> {
  const measured = async (steps: (index: number) => AgentEvent[]) => {
    const sizes: number[] = [];
    for (let run = 0; run < Math.min(runs, 3); run += 1) sizes.push(await heldBy(held, steps));
    return sizes;
  };
  return [
    figure(
      `heap for ${held} events with their entries, half of them outputs of 10 kB`,
      'MB',
      await measured(aLongCommand),
      atMost(20),
    ),
    figure('  with 500 edits of files of 10 kB', 'MB', await measured(anEditNowAndThen), atMost(20)),
    figure('  with 1,000 new files of 300 kB', 'MB', await measured(aLargeFileNowAndThen), atMost(40)),
  ];
}
