import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import type { ConversationRequest } from '../api/schemas/conversation';
import type { Sandbox } from '../api/schemas/sandbox';
import type { StartTask } from '../api/schemas/startTask';
import { sandboxPhase } from './status';

/** Where a start has got to. */
export type StartStep =
  | { kind: 'resuming' }
  | { kind: 'waitingForSandbox' }
  | { kind: 'creating' }
  | { kind: 'task'; status: string; detail: string | undefined };

/** The service, not the network, ended the start; its words are in `message`. */
export class StartFailed extends Error {}

export interface StartOptions {
  client: ApiClient;
  request: ConversationRequest;
  /** A paused sandbox to resume first; the service starts nothing in it before it is seen running. */
  resumeFirst: Sandbox | undefined;
  report: (step: StartStep) => void;
  /** Aborting stops waiting; what the service has begun goes on there. */
  signal: AbortSignal;
  /** Resolves after `ms` milliseconds, rejects when aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const pollMs = 1_000;
/** A resume that was not seen to end by then has failed. */
const resumePolls = 180;

/**
 * Starts a conversation and follows it until it can be opened. Resolves to its id. Rejects with `StartFailed` when the
 * service gave up, with `ApiError` when it could not be asked.
 */
export async function startConversation(options: StartOptions): Promise<string> {
  const { client, request, resumeFirst, report, signal } = options;
  if (resumeFirst) {
    report({ kind: 'resuming' });
    await client.resumeSandbox(resumeFirst.id, signal);
    report({ kind: 'waitingForSandbox' });
    await untilRunning(options, resumeFirst.id);
  }
  report({ kind: 'creating' });
  const created = await client.createConversation(request, signal);
  return created.kind === 'conversation' ? created.conversation.id : followTask(options, created.task);
}

async function untilRunning({ client, signal, wait }: StartOptions, id: string): Promise<void> {
  for (let poll = 0; poll < resumePolls; poll += 1) {
    const sandbox = await findSandbox(client, id, signal);
    if (!sandbox) throw new StartFailed(l10n.t('The sandbox is gone.'));
    // A container that is not healthy yet shows an error for a while, so only running counts.
    if (sandboxPhase(sandbox) === 'running') return;
    await wait(pollMs, signal);
  }
  throw new StartFailed(l10n.t('The sandbox did not get to run in time.'));
}

async function findSandbox(client: ApiClient, id: string, signal: AbortSignal): Promise<Sandbox | undefined> {
  let pageId: string | null = null;
  do {
    const page: Awaited<ReturnType<ApiClient['searchSandboxes']>> = await client.searchSandboxes(
      pageId === null ? {} : { pageId },
      signal,
    );
    const found = page.items.find((sandbox) => sandbox.id === id);
    if (found) return found;
    pageId = page.nextPageId;
  } while (pageId !== null);
  return undefined;
}

async function followTask(
  { client, report, signal, wait }: StartOptions,
  created: StartTask,
): Promise<string> {
  let task: StartTask | null = created;
  for (;;) {
    if (!task) throw new StartFailed(l10n.t('The service no longer knows the start task.'));
    const status = task.status?.toUpperCase() ?? '';
    if (status === 'ERROR') {
      throw new StartFailed(task.detail ?? l10n.t('The service gave no reason.'));
    }
    if (status === 'READY' && task.app_conversation_id) return task.app_conversation_id;
    report({ kind: 'task', status, detail: task.detail ?? undefined });
    await wait(pollMs, signal);
    task = await client.getStartTask(created.id, signal);
  }
}
