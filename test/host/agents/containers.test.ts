import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type ApiClient, createClient } from '../../../src/api/service/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';
import { changeContainers } from '../../../src/features/sandboxes/commands/changeContainers';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { aClient } from '../../support/builders/client';
import { windowWith } from '../../support/builders/window';
import { answering, declining } from '../answering';

interface Failed {
  reason: ErrorReason;
  status?: number;
}

const noContainer: Failed = { reason: 'methodNotAllowed', status: 405 };

describe('Pause Sandbox and Resume Sandbox on an agent server with containers', () => {
  let server: AgentServerByItself;
  let client: ApiClient;
  let window: Awaited<ReturnType<typeof windowWith>>;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.58.0', seed: true, runtime: 'docker' });
    for (const conversation of server.conversations.values()) conversation.container = 'available';
    client = createClient({ baseUrl: server.url, sessionKey: server.sessionKey });
    await checkConnection(client);
    await client.agents?.about();
    window = await windowWith(client, server.url, server.sessionKey);
    await window.model.refresh('conversations');
  });
  afterEach(async () => {
    window.dispose();
    await server.close();
  });

  const inState = (state: string) => {
    const found = window.model.conversations.state.items.find((one) => one.execution_status === state);
    assert.ok(found, state);
    return found;
  };
  const rowOf = ({ id }: { id: string }) => ({ ref: { kind: 'conversation', id } });
  const containerOf = ({ id }: { id: string }) => window.model.conversation(id)?.container;
  async function run(
    which: 'pause' | 'resume',
    args: unknown[],
    answers: Parameters<typeof answering>[0] = [],
  ): Promise<{ said: string[]; rows: string[][]; isForSandboxes: boolean }> {
    let isForSandboxes = false;
    const needs = {
      ...window,
      others: { find: () => undefined, refresh: () => Promise.resolve() },
      activeConversation: () => undefined,
    } as unknown as Parameters<typeof changeContainers>[0];
    const { said, rows, restore } = answering(answers);
    const { showErrorMessage } = vscode.window;
    const note = (message: string) => Promise.resolve(void said.push(message));
    Object.assign(vscode.window, { showErrorMessage: note });
    try {
      const sandboxes = () => Promise.resolve(void (isForSandboxes = true));
      await changeContainers(needs, which, sandboxes)(...args);
    } finally {
      Object.assign(vscode.window, { showErrorMessage });
      restore();
    }
    return { said, rows, isForSandboxes };
  }

  it('act on the container of the row, without a question if no agent works', async () => {
    const finished = inState('finished');
    assert.equal(containerOf(finished), 'running');
    assert.deepEqual(await run('pause', [rowOf(finished)]), { said: [], rows: [], isForSandboxes: false });
    assert.equal(containerOf(finished), 'paused');
    await run('resume', [rowOf(finished)]);
    assert.equal(containerOf(finished), 'running');
  });

  it('say which agent would stop, and stop none if that isn’t wanted', async () => {
    const working = inState('running');
    const { said } = await run('pause', [rowOf(working)], [declining]);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /^Pause “/);
    assert.equal(containerOf(working), 'running');
    await run('pause', [rowOf(working)]);
    assert.equal(containerOf(working), 'paused');
  });

  it('offer the conversations whose containers can be', async () => {
    const finished = inState('finished');
    await run('pause', [rowOf(finished)]);
    const name = finished.title ?? '';
    const { rows } = await run('resume', [], [name]);
    assert.deepEqual(
      rows.map((shown) => shown.map((row) => row.startsWith(name))),
      [[true]],
    );
    assert.equal(containerOf(finished), 'running');
  });

  it('are for the sandboxes of a service that has some, whatever else is selected', async () => {
    const service = await windowWith(aClient({ baseUrl: server.url }), server.url);
    const own = window;
    window = service;
    try {
      const sandbox = { ref: { kind: 'sandbox', id: 's' } };
      const conversation = { ref: { kind: 'conversation', id: 'c' } };
      for (const args of [[], [sandbox], [sandbox, [sandbox, conversation]]])
        assert.equal((await run('pause', args)).isForSandboxes, true);
    } finally {
      window = own;
      service.dispose();
    }
  });

  it('pause the others if one has no container, and say so', async () => {
    const [one, other] = [inState('finished'), inState('idle')];
    for (const conversation of server.conversations.values())
      if (conversation.id.replaceAll('-', '') === one.id.replaceAll('-', ''))
        conversation.container = undefined;
    const { said } = await run('pause', [rowOf(one), [rowOf(one), rowOf(other)]]);
    assert.equal(said.length, 1);
    assert.match(
      said[0] ?? '',
      /^Couldn’t pause “.*”\. Only conversations that run in a container can be paused\.$/,
    );
    assert.equal(containerOf(other), 'paused');
  });

  /** A server that fails to pause, as `fail` says of one conversation after the other. */
  function failing(...reasons: readonly Failed[]): string[] {
    const asked: string[] = [];
    const { agents } = client;
    assert.ok(agents);
    agents.pauseContainer = (id) => {
      const { reason = 'serverError', status } = reasons[asked.push(id) - 1] ?? {};
      return Promise.reject(
        new ApiError(reason, 'DELETE', '/runtime', status === undefined ? {} : { status }),
      );
    };
    return asked;
  }
  const allRows = () => window.model.conversations.state.items.map((one) => rowOf(one));

  it('ask a silent server once, whatever it said before', async () => {
    const all = allRows();
    for (const before of [[], [noContainer]]) {
      const asked = failing(...before, { reason: 'timeout' }, { reason: 'timeout' });
      await run('pause', [all[0], all]);
      assert.equal(asked.length, before.length + 1);
    }
  });

  it('name each that failed with its own reason, and untitled ones so that people can tell them apart', async () => {
    // Working ones would have a question, too; which conversations come first depends on the time.
    const { items } = window.model.conversations.state;
    const [first, ...others] = items.filter((one) => one.execution_status !== 'running').slice(0, 3);
    assert.ok(first);
    const updatedAt = { value: new Date(Date.now() - 3 * 86_400_000).toISOString() };
    for (const conversation of server.conversations.values())
      Object.defineProperty(Object.assign(conversation, { title: null }), 'updatedAt', updatedAt);
    await window.model.refresh('conversations');
    failing({ reason: 'serverError', status: 500 }, noContainer, noContainer);
    const { said } = await run('pause', [rowOf(first), [first, ...others].map((one) => rowOf(one))]);
    const name = '“Untitled conversation · 3 d ago”';
    assert.equal(said.length, 2, said.join('\n'));
    assert.ok(said[0]?.startsWith(`Couldn’t pause ${name}. `), said[0]);
    assert.equal(
      said[1],
      `Couldn’t pause ${name}, ${name}. Only conversations that run in a container can be paused.`,
    );
  });
});
