import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../../../src/api/service/client';
import { toolIds, type ToolId } from '../../../src/ids';
import type { Connection } from '../../../src/shared/connection';
import { AttentionFeed } from '../../../src/features/attention/model/attentionFeed';
import { ServiceModel } from '../../../src/core/lists/serviceModel';
import { maskedClient } from '../../../src/features/live/model/maskedClient';
import { KnownSecrets } from '../../../src/features/transcript/model/knownSecrets';
import { SessionStore } from '../../../src/core/session/session';
import { StartTasks } from '../../../src/features/start/model/startTasks';
import { ToolError } from '../../../src/features/tools/errors';
import { Toolbox } from '../../../src/features/tools/toolbox';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { startService, type ReferenceService } from '../../service/service';
import { Canaries } from '../../support/canary';
import { profiles } from '../../support/profiles';
import { hastyClock, noLimits } from '../api/support/client';
import { quiet } from '../../support/builders/quiet';

const never = new AbortController().signal;
const connectionOf = ({ url }: ReferenceService, name = 'Team'): Connection => ({
  name,
  baseUrl: url,
  origin: url,
});
const changing: [ToolId, object][] = [
  [toolIds.startSandbox, {}],
  [toolIds.pauseSandbox, { sandboxId: 'sb-1' }],
  [toolIds.resumeSandbox, { sandboxId: 'sb-1' }],
  [toolIds.startConversation, { message: 'Mend it' }],
];
const lists = [toolIds.listSandboxes, toolIds.listConversations];

/** A window with tools for a model. */
async function aWindow(
  target: { connection: Connection; sessionKey: string | undefined } | undefined,
  openFolder?: string,
) {
  let present = target;
  const known = new KnownSecrets();
  const session = new SessionStore({
    readTarget: () => Promise.resolve(present && { ...present }),
    createClient: ({ baseUrl }, sessionKey) => {
      known.learn([sessionKey]);
      return maskedClient(
        createClient({ baseUrl, sessionKey, limiter: noLimits, clock: hastyClock() }),
        known,
      );
    },
  });
  let agoMs = 0;
  const clock = { ...quiet.clock, date: () => Date.now() - agoMs };
  const model = new ServiceModel({ session, ...quiet, clock });
  const starts = new StartTasks({
    read: () => undefined,
    write: () => undefined,
    newId: randomUUID,
    now: Date.now,
    wait: (_ms, signal) => wait(2, undefined, { signal }),
    describe: (error) => (error as Error).message,
  });
  await session.reload();
  const tools = new Toolbox({
    session,
    model,
    starts,
    conversations: () => assert.fail('no transcript'),
    newSearch: () => assert.fail('no search'),
    openFolder: () => openFolder,
  });
  return {
    session,
    model,
    starts,
    switchTo: (next: typeof target) => {
      present = next;
      return session.reload();
    },
    /** Reads the lists, as if that had been `ms` milliseconds ago. */
    readAgo: async (ms: number) => {
      agoMs = ms;
      await model.refresh('sandboxes', 'conversations');
      agoMs = 0;
    },
    prepare: (id: ToolId, input?: unknown) => tools.prepare(id, input, never),
    /** Calls a tool as the editor does after the user agrees. */
    invoke: async (id: ToolId, input?: unknown, signal = never) => {
      await tools.prepare(id, input, never);
      return tools.invoke(id, input, signal);
    },
    refusal: async (id: ToolId, input?: unknown, signal = never) => {
      await tools.prepare(id, input, never);
      return refused(tools.invoke(id, input, signal));
    },
    /** Calls a tool without asking the user first. */
    unasked: (id: ToolId, input?: unknown) => refused(tools.invoke(id, input, never)),
  };
}

/** The message to the model for a failed call. */
async function refused(call: Promise<string>): Promise<string> {
  const error: unknown = await call.then(
    (text) => assert.fail(`it answered ${text}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ToolError, String(error));
  return error.message;
}

/** The records in an answer. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { id: string; status?: string; state?: string; pending?: string });

for (const profile of profiles) {
  describe(`tools (${profile})`, () => {
    let service: ReferenceService;
    let window: Awaited<ReturnType<typeof aWindow>>;
    beforeEach(async () => {
      service = await startService({ profile, seed: 'lifelike' });
      window = await aWindow({ connection: connectionOf(service), sessionKey: service.sessionKey });
    });
    afterEach(async () => {
      window.model.dispose();
      await service.close();
    });

    const posts = () => service.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
    const sandboxWith = (status: string) => {
      const found = [...service.state.sandboxes.values()].find((sandbox) => sandbox.status === status);
      assert.ok(found, status);
      return found;
    };
    const until = async (id: string, status: string) => {
      while (service.state.sandboxes.get(id)?.status !== status) await wait(2);
    };

    it('list sandboxes newest first, a few at a time, with specs on request', async () => {
      const all = rowsOf(await window.invoke(toolIds.listSandboxes));
      assert.equal(all.length, service.state.sandboxes.size);
      assert.match(all[0]?.id ?? '', /7Qm2xVbT/);
      const some = await window.invoke(toolIds.listSandboxes, {
        limit: 2,
        status: 'running',
        includeSpecs: true,
      });
      assert.deepEqual(
        rowsOf(some).map(({ status }) => status),
        ['RUNNING', 'RUNNING'],
      );
      assert.match(some, /\n1 more match\./);
      const specs = /\nSandbox specs: (.*)$/.exec(some)?.[1] ?? '';
      assert.deepEqual(JSON.parse(specs), [...service.state.specs.keys()]);
      const none = await window.invoke(toolIds.listSandboxes, { status: 'HIBERNATED' });
      assert.match(none, /^0 of 0 matching sandboxes\.\nStates of all 8: .*RUNNING 3/);
      assert.deepEqual(posts(), []);
    });

    it('list conversations with every filter', async () => {
      const list = async (input: object) => rowsOf(await window.invoke(toolIds.listConversations, input));
      assert.equal((await list({})).length, service.state.conversations.size);
      const waiting = await list({ state: 'waiting_for_confirmation' });
      assert.ok(waiting.length > 0 && waiting.every(({ state }) => state === 'waiting_for_confirmation'));
      const about = await list({
        titleContains: 'CHECKOUT',
        ...(profile === 'observed' && { repository: 'northwind/webshop' }),
      });
      assert.equal(about.length, 1);
      const [one] = service.state.conversations.values();
      const inSandbox = await list({ sandboxId: one?.sandbox_id });
      assert.ok(inSandbox.length > 0 && inSandbox.length < service.state.conversations.size);
      const lately = await list({ updatedWithinDays: 1 });
      assert.ok(lately.length > 0 && lately.length < service.state.conversations.size);
    });

    it('read at most 1,000 records, and say so', async () => {
      service.reset({ sandboxes: 1_050, conversations: 30 });
      const text = await window.invoke(toolIds.listSandboxes, { limit: 100 });
      assert.equal(rowsOf(text).length, 100);
      // A service without paging returns everything at once.
      if (profile === 'observed') assert.match(text, /\nOnly the first 1000 sandboxes were read;/);
      else assert.match(text, /^100 of 1050 /);
      const conversations = await window.invoke(toolIds.listConversations);
      assert.match(conversations, /^20 of 30 [^]*\n10 more match\./);
    });

    it('pause and resume a sandbox, shown as pending and as requested here', async () => {
      const news: string[] = [];
      const feed = new AttentionFeed({
        ...window,
        told: { claim: (_baseUrl, events) => [...events] },
        isLookedAt: () => false,
      });
      feed.onDidHappen(({ events }) => news.push(...events.map(({ kind }) => kind)));
      await window.model.refresh('sandboxes', 'conversations');
      const { id } = sandboxWith('RUNNING');
      const seen: unknown[] = [];
      window.model.onDidChange(() => seen.push(window.model.pending.get(id)?.pending));
      const answer = await window.invoke(toolIds.pauseSandbox, { sandboxId: id });
      assert.match(answer, /^The service accepted the request to pause the sandbox/);
      assert.equal(rowsOf(answer)[0]?.id, id);
      assert.ok(seen.includes('pausing'));
      await until(id, 'PAUSED');
      await window.model.refresh('sandboxes');
      assert.equal(window.model.pausedByService(id), false);
      assert.match(
        await window.invoke(toolIds.pauseSandbox, { sandboxId: id }),
        /^Nothing to do\. The sandbox is already paused/,
      );
      assert.match(await window.invoke(toolIds.resumeSandbox, { sandboxId: id }), /to resume the sandbox/);
      await until(id, 'RUNNING');
      assert.deepEqual(posts(), [`/api/v1/sandboxes/${id}/pause`, `/api/v1/sandboxes/${id}/resume`]);
      assert.deepEqual([...news], []);

      // A change that wasn't requested here is reported.
      await window.model.refresh('sandboxes');
      service.patch({ sandboxes: [{ id, status: 'PAUSED' }] });
      await window.model.refresh('sandboxes');
      await wait(0);
      assert.deepEqual([...news], ['sandboxPaused']);
      feed.dispose();
    });

    it('say what to do about a sandbox that is missing or can’t change', async () => {
      assert.match(
        await window.refusal(toolIds.pauseSandbox, { sandboxId: 'sb-none' }),
        /no sandbox with the id “sb-none”.*Call agentWorkspace_listSandboxes/,
      );
      const { id } = sandboxWith('STARTING');
      assert.match(
        await window.refusal(toolIds.resumeSandbox, { sandboxId: id }),
        /Can’t resume this sandbox.*nothing was done:\n\{"id".*\nCall agentWorkspace_listSandboxes later/,
      );
      assert.deepEqual(posts(), []);
    });

    it('start a sandbox, and list the specs if the named spec is missing', async () => {
      const [spec] = service.state.specs.keys();
      const answer = await window.invoke(toolIds.startSandbox, { specId: spec });
      const id = rowsOf(answer)[0]?.id ?? '';
      assert.equal(service.state.sandboxes.get(id)?.sandbox_spec_id, spec);
      assert.ok(window.model.sandboxes.get(id), 'the view doesn’t show the sandbox');
      const refusal = await window.refusal(toolIds.startSandbox, { specId: 'nope' });
      assert.match(
        refusal,
        /no sandbox spec “nope”.*Sandbox specs: \[.*\]\. Call agentWorkspace_startSandbox/,
      );
      assert.ok(refusal.includes(JSON.stringify(spec)));
    });

    it('resume a paused sandbox before starting a conversation in it', async () => {
      const { id: sandboxId } = sandboxWith('PAUSED');
      const steps: (string | undefined)[] = [];
      window.starts.onDidChange(() => steps.push(window.starts.of(service.url)[0]?.step.kind));
      const answer = await window.invoke(toolIds.startConversation, {
        message: 'Mend the login\ntest',
        repository: 'northwind/webshop',
        branch: 'main',
        gitProvider: 'github',
        sandboxId,
        model: 'openai/gpt-5',
        title: 'Login',
      });
      const row = rowsOf(answer)[0] as { id: string; page: string } | undefined;
      assert.ok(row);
      assert.equal(row.page, `${service.url}/conversations/${row.id}`);
      assert.match(answer, /^The user can follow it on that page\. /m);
      assert.ok(window.model.conversation(row.id) ?? service.state.conversations.has(row.id));
      assert.deepEqual(posts(), [`/api/v1/sandboxes/${sandboxId}/resume`, '/api/v1/app-conversations']);
      const { body } = service.requests.find(
        ({ path, method }) => method === 'POST' && path.endsWith('conversations'),
      )!;
      assert.deepEqual(body, {
        initial_message: { role: 'user', content: [{ type: 'text', text: 'Mend the login\ntest' }] },
        selected_repository: 'northwind/webshop',
        selected_branch: 'main',
        git_provider: 'github',
        sandbox_id: sandboxId,
        llm_model: 'openai/gpt-5',
        title: 'Login',
      });
      assert.ok(steps.includes('resuming') && steps.includes('creating'), 'the row doesn’t show the steps');
      assert.equal(window.starts.of(service.url).length, 0);
    });

    it('say why a conversation was not started', async () => {
      const refusal = await window.refusal(toolIds.startConversation, {
        message: 'Go',
        sandboxId: 'sb-none',
      });
      assert.match(
        refusal,
        /Couldn’t start the conversation: “The sandbox no longer exists\.”.*Call agentWorkspace_listSandboxes/,
      );
      assert.deepEqual(posts(), []);
    });

    it('say that a start was dismissed, so that it isn’t repeated', async () => {
      service.fail({
        path: '/api/v1/app-conversations',
        method: 'POST',
        effect: { kind: 'stallBeforeHeaders' },
      });
      const arrived = service.waitForRequest(
        ({ method, path }) => method === 'POST' && path === '/api/v1/app-conversations',
        { phase: 'arrived' },
      );
      const refusal = window.refusal(toolIds.startConversation, { message: 'Go' });
      await arrived;
      const [start] = window.starts.of(service.url);
      assert.equal(start && window.starts.dismiss(start.id), 'unknown');
      assert.match(await refusal, /^The user dismissed the start.*Don’t start it again/);
      service.clearFailures();
    });

    it('stop when canceled, but not a start the service accepted', async () => {
      const leaving = new AbortController();
      service.patch({ behaviour: { delays: { taskStep: 60_000 } } });
      // Waits for the task, or for the answer of a service without tasks.
      const waitsAt =
        profile === 'observed' ? '/api/v1/app-conversations/start-tasks' : '/api/v1/app-conversations';
      const method = profile === 'observed' ? 'GET' : 'POST';
      service.fail({ path: waitsAt, method, effect: { kind: 'stallBeforeHeaders' } });
      const arrived = service.waitForRequest(
        (request) => request.path === waitsAt && request.method === method,
        { phase: 'arrived' },
      );
      const refusal = window.refusal(toolIds.startConversation, { message: 'Go' }, leaving.signal);
      await arrived;
      leaving.abort();
      if (profile === 'observed') {
        assert.match(
          await refusal,
          /^The call was canceled\. The conversation is still starting on the service/,
        );
        assert.equal(window.starts.of(service.url).length, 1, 'no row follows the start');
      } else {
        assert.match(await refusal, /conversation may have started\. Call agentWorkspace_listConv/);
      }
      service.clearFailures();
      for (const { id } of window.starts.of(service.url)) window.starts.dismiss(id);

      service.fail({ path: '/api/v1/sandboxes/search', effect: { kind: 'stallBeforeHeaders' } });
      const other = new AbortController();
      const asked = service.waitForRequest(({ path }) => path.endsWith('/search'), { phase: 'arrived' });
      const listing = window.refusal(toolIds.listSandboxes, {}, other.signal);
      await asked;
      other.abort();
      assert.match(await listing, /Canceled\./);
    });

    it('never return a secret', async () => {
      const canaries = new Canaries();
      const secrets: string[] = [];
      const secret = (name: string) => {
        secrets.push(canaries.make(name));
        return secrets.at(-1)!;
      };
      for (const sandbox of service.state.sandboxes.values()) {
        sandbox.session_api_key = secret('key');
        sandbox.exposed_urls = [{ name: 'VSCODE', url: `https://x.example/?tkn=${secret('url')}`, port: 1 }];
      }
      for (const conversation of service.state.conversations.values()) {
        conversation['session_api_key'] = secret('key');
        conversation['conversation_url'] = `https://x.example/?k=${secret('url')}`;
      }
      for (const spec of service.state.specs.values()) spec.initial_env = { TOKEN: secret('env') };
      const running = sandboxWith('RUNNING').id;
      const said = [
        await window.invoke(toolIds.listSandboxes, { includeSpecs: true, limit: 100 }),
        await window.invoke(toolIds.listConversations, { limit: 100 }),
        await window.invoke(toolIds.startSandbox),
        await window.invoke(toolIds.pauseSandbox, { sandboxId: running }),
        await window.invoke(toolIds.resumeSandbox, { sandboxId: sandboxWith('PAUSED').id }),
        await window.invoke(toolIds.startConversation, { message: 'Go' }),
        await window.refusal(toolIds.resumeSandbox, { sandboxId: sandboxWith('STARTING').id }),
        await window.refusal(toolIds.startSandbox, { specId: 'nope' }),
      ].join('\n');
      assert.ok(said.includes(running));
      assert.deepEqual(canaries.findIn(said), []);
      assert.ok(!said.includes(service.sessionKey));
    });

    it('say what to do after a refused key, no answer, or too many calls', async () => {
      const wrong = await aWindow({ connection: connectionOf(service), sessionKey: 'wrong' });
      service.fail({ effect: { kind: 'answer', status: 401, body: { detail: 'Invalid key' } } });
      assert.match(
        await wrong.refusal(toolIds.listSandboxes),
        /says: “Invalid key”.*Set Session Key…”: ask them to/,
      );
      service.clearFailures();
      service.fail({
        effect: {
          kind: 'answer',
          status: 429,
          headers: { 'retry-after': '120' },
          body: { error: 'slow down' },
        },
      });
      assert.match(
        await window.refusal(toolIds.listConversations),
        /429.*Try again in 120 seconds\. Make fewer calls/,
      );
      service.clearFailures();
      const gone = await startService({ profile });
      const unanswered = await aWindow({ connection: connectionOf(gone), sessionKey: gone.sessionKey });
      await gone.close();
      assert.match(
        await unanswered.refusal(toolIds.startSandbox),
        /nothing is listening.*Nothing was changed.*Diagnose Conn/,
      );
    });
  });
}

describe('user consent for tools', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
  });
  beforeEach(() => service.reset({ seed: 'lifelike' }));
  after(() => service.close());
  const connected = (name?: string) =>
    aWindow({ connection: connectionOf(service, name), sessionKey: service.sessionKey });
  const asks = async (input: [ToolId, unknown], window?: Awaited<ReturnType<typeof aWindow>>) =>
    (await (window ?? (await connected())).prepare(...input)).question;

  it('lists without asking', async () => {
    const window = await connected();
    for (const id of lists) {
      const { doing, question } = await window.prepare(id, {});
      assert.match(doing, /^Listing (sandboxes|conversations)$/);
      assert.equal(question, undefined);
    }
    assert.deepEqual(service.requests, [], 'preparing a list sent requests');
  });

  it('asks before every change, and names the connection', async () => {
    for (const call of changing) {
      const question = await asks(call);
      assert.ok(question, call[0]);
      assert.match(question.title, /^[\w ]+\?$/);
      assert.ok(question.lines.includes(`Connection: Team, ${service.url}`), call[0]);
    }
    assert.ok(service.requests.every(({ method }) => method === 'GET'));
  });

  it('names the sandbox by its work and state in the question', async () => {
    const paused = [...service.state.sandboxes.values()].find(({ status }) => status === 'PAUSED')!;
    const input = { sandboxId: paused.id };
    const { title } = [...service.state.conversations.values()].find(
      ({ sandbox_id }) => sandbox_id === paused.id,
    )!;
    assert.ok(title);
    for (const id of [toolIds.pauseSandbox, toolIds.resumeSandbox] as const) {
      const lines = (await asks([id, input]))?.lines ?? [];
      assert.ok(lines.includes(`Sandbox: ${title}, Paused`), lines.join('\n'));
      assert.ok(!lines.join().includes(paused.id));
    }
    const start = await asks([toolIds.startSandbox, { specId: 'agent:1.0' }]);
    assert.ok(start?.lines.includes('Sandbox spec: agent:1.0'));
    const conversation = await asks([toolIds.startConversation, { message: 'Go', ...input }]);
    assert.ok(conversation?.lines.includes('The sandbox is paused and will be resumed first.'));
  });

  it('shows all conversation options and the exact message in the question', async () => {
    const question = await asks([
      toolIds.startConversation,
      {
        message: 'Mend\u202e it\n```\n[now](command:x)',
        repository: 'a/b',
        branch: 'main',
        model: 'm1',
        title: 'T\u200bwo',
      },
    ]);
    assert.deepEqual(question?.lines, [
      'Title: Two',
      'Repository: a/b, branch main',
      'Sandbox: new (service default)',
      'Model: m1',
      `Connection: Team, ${service.url}`,
      'Message to the agent:',
    ]);
    assert.equal(question.quoted, 'Mend it\n```\n[now](command:x)');
  });

  it('reads both lists again for a question while either is old', async () => {
    for (const recent of ['sandboxes', 'conversations'] as const) {
      const window = await connected();
      // Also by a clock that was set back since.
      await window.readAgo(recent === 'sandboxes' ? 3_600_000 : -3_600_000);
      await window.model.refresh(recent);
      const before = service.requests.length;
      await window.prepare(toolIds.startSandbox, {});
      const read = service.requests.slice(before).map(({ path }) => path);
      for (const list of ['/api/v1/sandboxes/search', '/api/v1/app-conversations/search'])
        assert.ok(read.includes(list), `${recent}: ${list}`);
      const after = service.requests.length;
      await window.prepare(toolIds.startSandbox, {});
      assert.equal(service.requests.length, after);
    }
  });

  it('names the sandbox the service may pause in the question', async () => {
    service.reset({ sandboxes: 0 });
    const window = await connected();
    const rows = Array.from({ length: 5 }, (_, index) => ({
      id: `sb-${index}`,
      status: 'RUNNING',
      sandbox_spec_id: `agent:${index}`,
      created_at: `2025-01-0${5 - index}T00:00:00Z`,
    }));
    service.patch({ sandboxes: rows });
    for (const [id, input] of changing.filter(([id]) => id !== toolIds.pauseSandbox)) {
      const other = id === toolIds.resumeSandbox ? { sandboxId: 'sb-9' } : input;
      const lines = (await asks([id, other], window))?.lines ?? [];
      assert.ok(
        lines.some((line) =>
          /^(Starting|Resuming) this sandbox may pause “agent:4 · \d+ d ago”\.$/.test(line),
        ),
        `${id}: ${lines.join('\n')}`,
      );
    }
    const inRunning = await asks([toolIds.startConversation, { message: 'Go', sandboxId: 'sb-1' }], window);
    assert.ok(!inRunning?.lines.some((line) => line.includes('may pause')));
  });

  it('reads the lists for the question again only if that was long ago', async () => {
    service.reset({ sandboxes: 0 });
    const window = await connected();
    const mayPause = async () =>
      (await asks([toolIds.startSandbox, {}], window))?.lines.some((line) => line.includes('may pause'));
    await window.readAgo(0);
    const rows = Array.from({ length: 5 }, (_, index) => ({ id: `sb-${index}`, status: 'RUNNING' }));
    service.patch({ sandboxes: rows });
    const before = service.requests.length;
    assert.equal(await mayPause(), false);
    assert.equal(service.requests.length, before);
    await window.readAgo(3_600_000);
    service.patch({ sandboxes: rows.map(({ id }) => ({ id, status: 'PAUSED' })) });
    assert.equal(await mayPause(), false);
  });

  it('doesn’t ask about calls that would fail', async () => {
    for (const [id] of changing) assert.equal(await asks([id, { limit: 'x' }]), undefined);
    const unconnected = await aWindow(undefined);
    const keyless = await aWindow({ connection: connectionOf(service), sessionKey: undefined });
    for (const call of changing) {
      assert.equal(await asks(call, unconnected), undefined);
      assert.match(await unconnected.refusal(...call), /isn’t connected.*“Agent Workspace: Connect…”/);
      assert.equal(await asks(call, keyless), undefined);
      assert.match(await keyless.refusal(...call), /no session key.*“Agent Workspace: Set Session Key…”/);
    }
    for (const id of lists) assert.match(await unconnected.refusal(id), /Connect…/);
  });

  const posts = (...services: ReferenceService[]) =>
    services.flatMap(({ requests }) => requests).filter(({ method }) => method === 'POST').length;

  it('changes nothing on another connection than the one in the question', async () => {
    const other = await startService({ profile: 'observed', seed: 'lifelike' });
    const window = await connected();
    for (const call of changing) await window.prepare(...call);
    const target = { connection: connectionOf(other, 'Other'), sessionKey: other.sessionKey };
    await window.switchTo(target);
    for (const call of changing) {
      assert.match(await window.unasked(...call), /switched to another connection after the user was asked/);
    }
    assert.equal(posts(service, other), 0);
    assert.match(await window.invoke(toolIds.startSandbox, {}), /^The sandbox was started/);

    // Also if the window connects after the question couldn't be asked.
    const late = await aWindow(undefined);
    await late.prepare(toolIds.startSandbox, {});
    await late.switchTo(target);
    assert.match(await late.unasked(toolIds.startSandbox, {}), /wasn’t asked about this call/);
    await other.close();
  });

  it('changes nothing the user wasn’t asked about', async () => {
    const window = await connected();
    for (const call of changing) assert.match(await window.unasked(...call), /wasn’t asked about this call/);
    await window.prepare(toolIds.pauseSandbox, { sandboxId: 'sb-1' });
    assert.match(await window.unasked(toolIds.pauseSandbox, { sandboxId: 'sb-2' }), /wasn’t asked/);
    assert.equal(posts(service), 0);
  });

  it('accepts a consent for one call only', async () => {
    const window = await connected();
    await window.invoke(toolIds.startSandbox, {});
    assert.match(await window.unasked(toolIds.startSandbox, {}), /wasn’t asked about this call/);
    assert.equal(posts(service), 1);
    await window.prepare(toolIds.startSandbox, {});
    await window.switchTo({ connection: connectionOf(service, 'Renamed'), sessionKey: 'other' });
    assert.match(await window.unasked(toolIds.startSandbox, {}), /switched to another connection/);
    assert.match(await window.unasked(toolIds.startSandbox, {}), /wasn’t asked/);
    assert.equal(posts(service), 1);
  });

  it('accepts a consent only for what was shown', async () => {
    service.reset({ sandboxes: 0 });
    const window = await connected();
    await window.prepare(toolIds.startSandbox, {});
    // A start would now pause a sandbox, which the question didn't mention.
    const rows = Array.from({ length: 5 }, (_, index) => ({ id: `sb-${index}`, status: 'RUNNING' }));
    service.patch({ sandboxes: rows });
    await window.model.refresh('sandboxes');
    assert.match(await window.unasked(toolIds.startSandbox, {}), /has changed since then/);
    assert.equal(posts(service), 0);
  });

  it('requires separate consent for two calls with the same input', async () => {
    const window = await connected();
    await window.model.refresh('sandboxes');
    for (let count = 0; count < 2; count++)
      await window.prepare(toolIds.pauseSandbox, { sandboxId: 'sb-none' });
    for (let count = 0; count < 2; count++)
      assert.match(await window.unasked(toolIds.pauseSandbox, { sandboxId: 'sb-none' }), /no sandbox with/);
    assert.match(await window.unasked(toolIds.pauseSandbox, { sandboxId: 'sb-none' }), /wasn’t asked/);
  });
});

describe('starting by a tool on a standalone agent server', () => {
  let server: AgentServerByItself;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.58.0' });
    server.starts.models.set('default', { model: 'demo/large', hasKey: true });
  });
  afterEach(() => server.close());

  async function onServer(openFolder?: string) {
    const connection: Connection = { name: 'Canvas', baseUrl: server.url, origin: server.url };
    const window = await aWindow({ connection, sessionKey: server.sessionKey }, openFolder);
    await window.session.verify();
    return window;
  }
  const start = (more: object = {}) => [toolIds.startConversation, { message: 'Mend it', ...more }] as const;

  it('asks with the folder, and starts there with the active agent and the settings’ policy', async () => {
    server.starts.conversationSettings = { confirmation_mode: true, security_analyzer: null };
    const window = await onServer();
    const { question } = await window.prepare(...start({ folder: '/workspace/shop' }));
    assert.ok(question?.lines.some((line) => line.includes('/workspace/shop')));
    assert.equal(question?.quoted, 'Mend it');
    const answer = await window.invoke(...start({ folder: '/workspace/shop', title: 'Mending' }));
    assert.match(answer, /The conversation was started.*"folder":"\/workspace\/shop"/s);
    assert.doesNotMatch(answer, /"page"/);
    assert.match(answer, /^The user can follow it in the Conversations view\. /m);
    const [body] = server.starts.bodies;
    assert.deepEqual(body?.['workspace'], { kind: 'LocalWorkspace', working_dir: '/workspace/shop' });
    assert.deepEqual(body['confirmation_policy'], { kind: 'AlwaysConfirm' });
  });

  it('starts in no folder that only has the same path as the open one', async () => {
    const window = await onServer('/workspace/elsewhere');
    assert.match(await window.refusal(...start()), /call again with folder/);
    assert.deepEqual(server.starts.bodies, []);
  });

  it('says what an agent server has nothing for, and starts nothing', async () => {
    const window = await onServer();
    for (const more of [
      {},
      { folder: 'relative' },
      { folder: '/workspace/shop', sandboxId: 'sb-1' },
      { folder: '/workspace/shop', repository: 'owner/name' },
      { folder: '/workspace/shop', model: 'demo/other' },
    ]) {
      assert.equal((await window.prepare(...start(more))).question, undefined, JSON.stringify(more));
      assert.match(await window.refusal(...start(more)), /Nothing was started/);
    }
    assert.deepEqual(server.starts.bodies, []);
  });
});

describe('listing automations by a tool', () => {
  const recordsOf = (text: string): Record<string, unknown>[] => rowsOf(text);
  async function windowOn(server: AgentServerByItself) {
    const connection: Connection = { name: 'Canvas', baseUrl: server.url, origin: server.url };
    const window = await aWindow({ connection, sessionKey: server.sessionKey });
    await window.session.verify();
    return window;
  }

  it('names each with its schedule and next run, and the runs of one with what went wrong', async () => {
    const server = await startAgentServer({ release: '1.49.1', automations: true });
    const window = await windowOn(server);
    assert.equal(await window.invoke(toolIds.listAutomations), '0 of 0 matching automations.');
    const trigger = { type: 'cron', schedule: '0 9 * * 1', timezone: 'UTC' };
    const id = server.automations.add({ name: 'Report', trigger });
    server.automations.add({ name: 'Off', trigger, enabled: false });
    const error_detail = `curl -H ${server.sessionKey}: 401`;
    server.automations.addRun(id, { status: 'FAILED', error_detail, conversation_id: 'c-1' });
    const [first, second] = recordsOf(await window.invoke(toolIds.listAutomations));
    assert.deepEqual([first?.['id'], first?.['name'], first?.['on']], [id, 'Report', true]);
    assert.match(String(first?.['next_run_at']), /T09:00:00\.000Z$/);
    assert.deepEqual([second?.['on'], second?.['next_run_at']], [false, undefined]);
    const answer = await window.invoke(toolIds.listAutomations, { automationId: id });
    const [run] = recordsOf(answer);
    assert.deepEqual([run?.['status'], run?.['conversation_id']], ['FAILED', 'c-1']);
    assert.ok(!answer.includes(server.sessionKey));
    const other = await window.refusal(toolIds.listAutomations, { automationId: randomUUID() });
    assert.match(other, /404/);
    await server.close();
  });

  it('says where there are none', async () => {
    const server = await startAgentServer({ release: '1.49.1' });
    const window = await windowOn(server);
    assert.match(await window.refusal(toolIds.listAutomations), /Only Agent Canvas has them/);
    await server.close();
  });
});
