import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/api/events/event';
import { deleteAsPlanned, planDeletion } from '../../src/features/targets/model/deletion';
import { failureOf } from '../unit/api/support/client';
import {
  conversationOf,
  sandboxOf,
  startConversation,
  until,
  untilConversation,
  untilGone,
  untilSandbox,
  useModel,
  workFile,
  writingStep,
  written,
} from './support/conversations';
import { withSandboxes } from './support/releases';
import { real, realClient, realSuite } from './support/suite';

/** A sandbox starts within a minute, or four on a busy computer. */
const sandboxTimeoutMs = 300_000;

realSuite('sandboxes', withSandboxes, function () {
  this.timeout(sandboxTimeoutMs);
  let id: string;

  it('starts a sandbox from a selected spec', async () => {
    const client = realClient();
    const sandbox = await client.startSandbox('second-spec:1');
    ({ id } = sandbox);
    assert.deepEqual([sandbox.status, sandbox.sandbox_spec_id], ['RUNNING', 'second-spec:1']);
    assert.ok(sandbox.session_api_key);
    assert.deepEqual(
      sandbox.exposed_urls?.map(({ name }) => name),
      ['AGENT_SERVER'],
    );
    assert.equal((await sandboxOf(client, id))?.status, 'RUNNING');
  });

  it('refuses a missing spec', async () => {
    const client = realClient();
    const { status } = await failureOf(client.startSandbox('no-such-spec'));
    assert.ok(status !== undefined && status >= 400);
    // The service then closes the connection without notice. Only a GET is retried.
    await client.searchSandboxes();
  });

  it('pauses the sandbox, which hides its key', async () => {
    const client = realClient();
    await client.pauseSandbox(id);
    const paused = await untilSandbox(client, id, 'PAUSED');
    assert.deepEqual([paused.session_api_key, paused.exposed_urls], [null, null]);
  });

  it('resumes the sandbox', async () => {
    const client = realClient();
    await client.resumeSandbox(id);
    const { session_api_key } = await untilSandbox(client, id, 'RUNNING');
    assert.ok(session_api_key);
  });
});

realSuite('conversations', withSandboxes, function () {
  this.timeout(sandboxTimeoutMs);
  let id: string;
  let sandboxId: string;

  before(useModel);

  it('starts a conversation in its own sandbox, and follows it to the end', async () => {
    const { model } = real();
    const client = realClient();
    let go: (() => void) | undefined;
    model.script(writingStep('first.txt', 'by the agent', new Promise<void>((resolve) => (go = resolve))));
    const task = await startConversation(client, 'Write the first file.');
    assert.equal(task.status, 'READY', task.detail ?? '');
    assert.ok(task.app_conversation_id && task.sandbox_id);
    [id, sandboxId] = [task.app_conversation_id, task.sandbox_id];

    const running = await untilConversation(client, id, 'running');
    assert.equal(running.sandbox_id, sandboxId);
    assert.equal(running.llm_model, 'openai/scripted');
    assert.ok(running.conversation_url?.startsWith('http'));
    assert.equal(await written('first.txt'), undefined);
    go?.();
    const { sandbox_status } = await untilConversation(client, id, 'finished');
    assert.equal(sandbox_status, 'RUNNING');
    assert.equal(await written('first.txt'), 'by the agent');
    assert.equal(model.asked.length, 2);
    assert.match(model.asked[0] ?? '', /Write the first file\./);
  });

  it('renames the conversation', async () => {
    const client = realClient();
    // The model’s title arrives once, some seconds after the first message, and replaces any other.
    await until('the model’s title', async () => {
      const { title } = await conversationOf(client, id);
      return title === real().model.title ? true : undefined;
    });
    const { title } = real().model;
    const ignores = real().release.quirks.includes('renamesNothing');
    const told = await client.renameConversation(id, 'Another title');
    if (ignores) assert.equal(told, title);
    assert.equal((await conversationOf(client, id)).title, ignores ? title : 'Another title');
  });

  it('starts another in the same sandbox, which continues after a pause', async () => {
    const { model } = real();
    const client = realClient();
    let go: (() => void) | undefined;
    model.script(writingStep('second.txt', 'after a pause', new Promise<void>((resolve) => (go = resolve))));
    const task = await startConversation(client, 'Write the second file.', { sandbox_id: sandboxId });
    assert.deepEqual([task.status, task.sandbox_id], ['READY', sandboxId], task.detail ?? '');
    const second = task.app_conversation_id!;
    await untilConversation(client, second, 'running');

    await client.pauseSandbox(sandboxId);
    await untilSandbox(client, sandboxId, 'PAUSED');
    const paused = await conversationOf(client, second);
    assert.deepEqual([paused.sandbox_status, paused.execution_status], ['PAUSED', null]);
    go?.();
    await client.resumeSandbox(sandboxId);
    await untilConversation(client, second, 'finished');
    assert.equal(await written('second.txt'), 'after a pause');
  });

  it('reads a conversation’s stored events page by page, each once, and a single event', async () => {
    const client = realClient();
    const steps = async (newestFirst: boolean) => {
      const events: AgentEvent[] = [];
      let pageId: string | undefined;
      do {
        const page = await client.searchEvents(id, { pageId, newestFirst });
        events.push(...page.items);
        pageId = page.nextPageId ?? undefined;
      } while (pageId !== undefined);
      const ids = events.map((event) => event.id);
      assert.equal(new Set(ids).size, ids.length);
      return events.flatMap((event) => (event.kind === 'action' ? [event] : []));
    };
    // The service stores events up to 30 s late.
    const found = await until('stored events', async () => {
      const actions = await steps(false);
      return actions.length === 2 ? actions : undefined;
    });
    assert.deepEqual(
      found.map(({ tool }) => tool),
      ['file_editor', 'finish'],
    );
    assert.deepEqual(
      (await steps(true)).map((event) => event.id),
      found.map((event) => event.id).toReversed(),
    );
    const [first] = found;
    assert.deepEqual(await client.getStoredEvent(id, first?.id ?? ''), first);
  });

  it('spares other conversations in the sandbox when deleting one, or deletes nothing', async () => {
    const client = realClient();
    // Detects the generation.
    await client.getSettings();
    const plan = await planDeletion(client, { id });
    assert.deepEqual([plan.isAlone, plan.below.length, plan.beside.length], [false, 0, 1]);
    if (plan.sparesOthers) assert.equal(await deleteAsPlanned(client, plan), 'deleted');
    else {
      const { status } = await failureOf(deleteAsPlanned(client, plan));
      assert.ok(status === 404 || status === 405, String(status));
    }
    const { items } = await client.listConversations();
    assert.equal(
      items.some((one) => one.id === id),
      !plan.sparesOthers,
    );
    assert.equal((await sandboxOf(client, sandboxId))?.status, 'RUNNING');
  });

  it('deletes a sandbox', async () => {
    const client = realClient();
    await client.deleteSandbox(sandboxId);
    await untilGone(client, sandboxId);
  });

  it('deletes a sandbox’s only conversation along with the sandbox', async () => {
    const client = realClient();
    real().model.script(writingStep('alone.txt', 'by the agent'));
    const task = await startConversation(client, 'Write one more file.');
    assert.ok(task.app_conversation_id && task.sandbox_id, task.detail ?? '');
    await untilConversation(client, task.app_conversation_id, 'finished');
    const plan = await planDeletion(client, { id: task.app_conversation_id });
    assert.equal(plan.isAlone, true);
    assert.equal(await deleteAsPlanned(client, plan), 'deleted');
    assert.equal(await client.getConversation(task.app_conversation_id), null);
    await untilGone(client, task.sandbox_id);
  });

  it('reports a failed start', async () => {
    const task = await startConversation(realClient(), 'Hello', { sandbox_id: 'no-such-sandbox' });
    assert.equal(task.status, 'ERROR');
    assert.ok(task.detail);
    assert.equal(await written(workFile('third.txt')), undefined);
  });
});
