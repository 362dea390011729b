import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import type { ConversationRequest } from '../api/schemas/conversation';
import type { Sandbox } from '../api/schemas/sandbox';
import type { StartTask } from '../api/schemas/startTask';
import { plainText } from '../shared/plainText';
import { sandboxPhase } from './status';

/** Where a conversation is to run. */
export type Place =
  /** The service decides. */
  | { readonly kind: 'default' }
  /** A sandbox that exists; a paused one is resumed first. */
  | { readonly kind: 'existing'; readonly sandboxId: string }
  /** A sandbox of its own, made from a spec. */
  | { readonly kind: 'new'; readonly specId: string };

/** Where a start has got to. */
export type StartStep =
  | { readonly kind: 'startingSandbox' | 'resuming' | 'waitingForSandbox' | 'creating' | 'unanswered' }
  | { readonly kind: 'task'; readonly status: string; readonly detail: string | undefined };

/** The service, not the network, ended the start; its words are in `message`. */
export class StartFailed extends Error {}

/** What following needs, whoever began the start. */
export interface FollowOptions {
  getStartTask: ApiClient['getStartTask'];
  report: (step: StartStep) => void;
  /** Aborting stops waiting; what the service has begun goes on there. */
  signal: AbortSignal;
  /** Resolves after `ms` milliseconds, rejects when aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface StartOptions extends FollowOptions {
  client: ApiClient;
  /** Without a sandbox, which `place` names. */
  request: Omit<ConversationRequest, 'sandbox_id'>;
  place: Place;
  /** Called once the service has taken the request: with the task that it works on, if it has tasks. */
  accepted: (taskId: string | undefined) => void;
}

const pollMs = 1_000;
/** Between two questions to a service that does not answer them. */
const longestPauseMs = 16_000;
/** A sandbox that was not seen to run by then has failed. */
const sandboxPolls = 180;

/**
 * Starts a conversation and follows it until it can be opened. Resolves to its id. Rejects with `StartFailed` when the
 * service gave up, with `ApiError` when it could not be asked.
 */
export async function startConversation(options: StartOptions): Promise<string> {
  const { client, request, report, signal } = options;
  const sandboxId = await sandboxFor(options);
  report({ kind: 'creating' });
  const created = await client.createConversation(
    { ...request, ...(sandboxId !== undefined && { sandbox_id: sandboxId }) },
    signal,
  );
  if (created.kind === 'conversation') {
    options.accepted(undefined);
    return created.conversation.id;
  }
  options.accepted(created.task.id);
  return followTask(options, created.task.id, created.task);
}

/** The id of the sandbox to start in, once it runs; undefined when the service decides. */
async function sandboxFor(options: StartOptions): Promise<string | undefined> {
  const { client, place, report, signal } = options;
  if (place.kind === 'default') return undefined;
  if (place.kind === 'new') {
    report({ kind: 'startingSandbox' });
    const { id } = await client.startSandbox(place.specId, signal);
    await untilRunning(options, id);
    return id;
  }
  const sandbox = await findSandbox(client, place.sandboxId, signal);
  if (!sandbox) throw gone();
  if (sandboxPhase(sandbox) === 'paused') {
    report({ kind: 'resuming' });
    await client.resumeSandbox(sandbox.id, signal);
  }
  await untilRunning(options, sandbox.id);
  return sandbox.id;
}

async function untilRunning({ client, report, signal, wait }: StartOptions, id: string): Promise<void> {
  let status: string | null | undefined;
  for (let poll = 0; poll < sandboxPolls; poll += 1) {
    const sandbox = await findSandbox(client, id, signal);
    if (!sandbox) throw gone();
    if (takesConversations(sandbox)) return;
    ({ status } = sandbox);
    report({ kind: 'waitingForSandbox' });
    await wait(pollMs, signal);
  }
  throw new StartFailed(
    l10n.t('The sandbox did not get to run in time; its state is still {0}.', plainText(status ?? '', 40)),
  );
}

/**
 * True when a sandbox runs, and for states that this client does not know: the specification names none, so the service
 * decides. A container that is not healthy yet shows ERROR for a while, so that is waited for.
 */
function takesConversations(sandbox: Sandbox): boolean {
  const phase = sandboxPhase(sandbox);
  if (phase === 'missing') throw gone();
  return phase === 'running' || (phase === 'other' && sandbox.status?.toUpperCase() !== 'ERROR');
}

const gone = () => new StartFailed(l10n.t('The sandbox is gone.'));

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

/** Follows a start task until its conversation can be opened; resolves and rejects as `startConversation` does. */
export async function followTask(options: FollowOptions, id: string, known?: StartTask): Promise<string> {
  const { report, signal, wait } = options;
  let task = known ?? (await readTask(options, id));
  for (;;) {
    if (!task) {
      throw new StartFailed(
        l10n.t(
          'The service no longer knows the start task. Look whether the conversation is there before you start it again.',
        ),
      );
    }
    const status = task.status?.toUpperCase() ?? '';
    if (status === 'ERROR') {
      throw new StartFailed(task.detail ?? l10n.t('The service gave no reason.'));
    }
    if (status === 'READY' && task.app_conversation_id) return task.app_conversation_id;
    report({ kind: 'task', status, detail: task.detail ?? undefined });
    await wait(pollMs, signal);
    task = await readTask(options, id);
  }
}

/** Asks until there is an answer: that the service cannot be asked does not end what it works on. */
async function readTask(
  { getStartTask, report, signal, wait }: FollowOptions,
  id: string,
): Promise<StartTask | null> {
  for (let pauseMs = pollMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await getStartTask(id, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason === 'cancelled' || error.reason === 'badId')
        throw error;
    }
    report({ kind: 'unanswered' });
    await wait(pauseMs, signal);
  }
}
