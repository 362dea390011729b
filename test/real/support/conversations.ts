import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FlatClient } from '../../support/builders/client';
import type { Conversation, ConversationRequest } from '../../../src/api/service/schemas/conversation';
import type { Sandbox } from '../../../src/api/service/schemas/sandbox';
import type { StartTask } from '../../../src/api/service/schemas/startTask';
import { describeError } from '../../support/lifetime';
import { holdSettings } from './settings';
import { real } from './suite';

/** Makes new conversations use the scripted model. */
export function useModel(): Promise<void> {
  return holdSettings({
    llm_model: 'openai/scripted',
    llm_base_url: real().modelUrl,
    llm_api_key: 'key-of-the-model',
  });
}

/** Polls until there’s an answer, since the service doesn’t announce changes. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; ;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await delay(300);
  }
}

/** The sandbox in the list; undefined if it isn’t there. */
export async function sandboxOf(client: FlatClient, id: string): Promise<Sandbox | undefined> {
  return (await client.searchSandboxes()).items.find((sandbox) => sandbox.id === id);
}

/** Waits until the list shows a sandbox with this status. */
export function untilSandbox(client: FlatClient, id: string, status: string): Promise<Sandbox> {
  return until(`sandbox ${status}`, async () => {
    const sandbox = await sandboxOf(client, id);
    return sandbox?.status === status ? sandbox : undefined;
  });
}

/** Waits until the list doesn’t have a sandbox anymore. */
export function untilGone(client: FlatClient, id: string): Promise<true> {
  return until('sandbox gone', async () => ((await sandboxOf(client, id)) ? undefined : true));
}

/** The conversation in the list. */
export async function conversationOf(client: FlatClient, id: string): Promise<Conversation> {
  const { items } = await client.listConversations();
  const found = items.find((conversation) => conversation.id === id);
  assert.ok(found, `no conversation ${id} in ${JSON.stringify(items.map((one) => one.id))}`);
  return found;
}

/** Waits until the list shows a conversation with this status. */
export function untilConversation(client: FlatClient, id: string, status: string): Promise<Conversation> {
  return until(`conversation ${status}`, async () => {
    const conversation = await conversationOf(client, id);
    return conversation.execution_status === status ? conversation : undefined;
  });
}

/** Starts a conversation and waits until the start succeeds or fails. */
export async function startConversation(
  client: FlatClient,
  text: string,
  request: ConversationRequest = {},
): Promise<StartTask> {
  const created = await client.createConversation({
    initial_message: { role: 'user', content: [{ type: 'text', text }] },
    ...request,
  });
  assert.ok(created.kind === 'task');
  const { id } = created.task;
  let task: StartTask | null = null;
  const ask = async (): Promise<StartTask | undefined> => {
    task = await client.getStartTask(id);
    return task?.status === 'READY' || task?.status === 'ERROR' ? task : undefined;
  };
  return until('start of a conversation', ask, 270_000).catch((error: unknown) => {
    const said = `${describeError(error)}, ${task?.status ?? 'unknown'}`;
    throw new Error(`${said}\n${real().service.lastLines()}`, { cause: error });
  });
}

let shared: string | undefined;

/**
 * Starts a conversation in the sandbox that earlier ones of these have left running, since a sandbox takes long to
 * start. Resolves to its ID.
 */
export async function startBesideOthers(client: FlatClient, text: string): Promise<string> {
  const isThere = shared !== undefined && (await sandboxOf(client, shared))?.status === 'RUNNING';
  const task = await startConversation(client, text, isThere ? { sandbox_id: shared } : {});
  assert.ok(task.app_conversation_id && task.sandbox_id, task.detail ?? '');
  shared = task.sandbox_id;
  return task.app_conversation_id;
}

/** Starts a conversation the way a client of a standalone agent server does. Resolves to its ID. */
export async function startOnServer(model: object = {}): Promise<string> {
  const { service, modelUrl } = real();
  const working_dir = path.dirname(workFile('any'));
  await mkdir(working_dir, { recursive: true });
  const answer = await fetch(`${service.url}/api/conversations`, {
    method: 'POST',
    headers: { 'X-Session-API-Key': service.sessionKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      agent_settings: {
        llm: {
          ...{ usage_id: 'agent', model: 'openai/scripted', base_url: modelUrl, api_key: 'key-of-the-model' },
          ...model,
        },
      },
      workspace: { working_dir },
    }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (JSON.parse(text) as { id: string }).id;
}

/** Where agents work. */
export const workFile = (name: string): string => path.join(real().service.folder, 'work', name);

/** A step that writes a file. */
export function writingStep(name: string, text: string, until?: Promise<unknown>) {
  const args = { command: 'create', path: workFile(name), file_text: text };
  return { tool: 'file_editor', args, ...(until && { until }) };
}

/** The text of a file that an agent wrote; undefined until it exists. */
export const written = (name: string): Promise<string | undefined> =>
  readFile(workFile(name), 'utf8').catch(() => undefined);
