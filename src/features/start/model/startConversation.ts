import * as l10n from '@vscode/l10n';
import { unlessAborted } from '../../../api/http/signals';
import type { SandboxCalls } from '../../../api/service/sandboxes';
import { type ApiClient, needed } from '../../../api/service/client';
import { ApiError, type ErrorReason } from '../../../api/http/errors';
import type { ConversationRequest } from '../../../api/service/schemas/conversation';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import type { StartTask } from '../../../api/service/schemas/startTask';
import { plainText } from '../../../shared/plainText';
import type { StartPlace } from './choice';
import { recordReader, Unreadable } from '../../../core/lists/pages';
import { sandboxPhase, slowAfterMs } from '../../../core/lists/status';

/** The progress of a start; for `task`, as reported by the service. */
export type StartStep =
  | {
      readonly kind:
        'startingSandbox' | 'resuming' | 'waitingForSandbox' | 'cloning' | 'creating' | 'unanswered';
    }
  | {
      readonly kind: 'task';
      /** In capitals; '' if the service reports none. */
      readonly status: string;
      readonly detail: string | undefined;
      /** Where the conversation will be, once the service has decided. */
      readonly sandboxId?: string | undefined;
      /** When the service accepted the request, by its own clock, in milliseconds since the epoch. */
      readonly begunAt?: number | undefined;
    };

/** Characters kept of the service's reason: a trace can be megabytes long. */
export const longestReason = 1_000;

/** The service, not the network, ended the start; its words are in `message`, bounded. */
export class StartFailed extends Error {}

/** What is needed to follow a start, no matter who began it. */
export interface FollowOptions {
  getStartTask: SandboxCalls['getStartTask'];
  report: (step: StartStep) => void;
  /** Aborting stops waiting. The service continues what it has begun. */
  signal: AbortSignal;
  /** Resolves after `ms` milliseconds, rejects when aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface StartOptions extends FollowOptions {
  client: ApiClient;
  /** Without a sandbox, which `place` names. */
  request: Omit<ConversationRequest, 'sandbox_id'>;
  place: StartPlace;
  /** Called once the service has accepted the request, with its task if the service has tasks. */
  accepted: (taskId: string | undefined) => void;
}

const pollMs = 1_000;
/** Used after `slowAfterMs`: polling every second doesn't speed up a slow start. */
const slowPollMs = 10_000;
/** The longest pause between two requests to a service that isn't answering. */
const longestPauseMs = 16_000;
/** A sandbox that isn't running after this many polls has failed. */
const sandboxPolls = 180;

/**
 * Starts a conversation and follows it until it can be opened. Resolves to its id. Rejects with `StartFailed` when the
 * service gave up, with `ApiError` when the service couldn't be asked.
 */
export async function startConversation(options: StartOptions): Promise<string> {
  const { client, request, report, signal } = options;
  const sandboxId = await sandboxFor(options);
  report({ kind: 'creating' });
  const created = await needed(client.sandboxes).createConversation(
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

/** The id of the sandbox to start in, once it's running; undefined when the service decides. */
async function sandboxFor(options: StartOptions): Promise<string | undefined> {
  const { client, place, report, signal } = options;
  if (place.kind === 'default') return undefined;
  const sandboxes = needed(client.sandboxes);
  if (place.kind === 'new') report({ kind: 'startingSandbox' });
  const id = place.kind === 'new' ? (await newSandbox(client, place.specId, signal)).id : place.sandboxId;
  const find = recordReader((query) => sandboxes.searchSandboxes(query, signal), id);
  const read = () =>
    find().catch((error: unknown) => {
      throw error instanceof Unreadable ? unreadable() : error;
    });
  if (place.kind === 'existing') {
    const sandbox = await read();
    if (!sandbox) throw gone();
    if (sandboxPhase(sandbox) === 'paused') {
      report({ kind: 'resuming' });
      await sandboxes.resumeSandbox(id, signal);
    }
  }
  await untilRunning(options, read);
  return id;
}

/** The latest request for a new sandbox of each service. */
const requested = new WeakMap<ApiClient, Promise<unknown>>();

/** Starts sandboxes one after another: services may give two that start at once the same port. */
function newSandbox(client: ApiClient, specId: string | undefined, signal: AbortSignal): Promise<Sandbox> {
  const before = requested.get(client) ?? Promise.resolve();
  const sandbox = unlessAborted(before, signal).then(() =>
    needed(client.sandboxes).startSandbox(specId, signal),
  );
  // One that is canceled while it waits doesn’t let the next one pass.
  requested.set(client, Promise.allSettled([before, sandbox]));
  return sandbox;
}

async function untilRunning(
  { report, signal, wait }: StartOptions,
  read: () => Promise<Sandbox | undefined>,
): Promise<void> {
  let status: string | null | undefined;
  for (let poll = 0; poll < sandboxPolls; poll += 1) {
    const sandbox = await read();
    if (!sandbox) throw gone();
    if (takesConversations(sandbox)) return;
    ({ status } = sandbox);
    report({ kind: 'waitingForSandbox' });
    await wait(pollMs, signal);
  }
  throw new StartFailed(
    l10n.t('The sandbox didn’t start in time. Its state is still {0}.', plainText(status ?? '', 40)),
  );
}

/**
 * True for a running sandbox, and for states this client doesn't know: the specification names none, so the service
 * decides. A container shows ERROR until it's healthy, so ERROR only means: not yet.
 */
function takesConversations(sandbox: Sandbox): boolean {
  const phase = sandboxPhase(sandbox);
  if (phase === 'missing') throw gone();
  return phase === 'running' || phase === 'other';
}

const gone = () => new StartFailed(l10n.t('The sandbox no longer exists.'));
const unreadable = () =>
  new StartFailed(l10n.t('The sandbox wasn’t found, and not all sandboxes of the service can be read.'));

/** Follows a start task until its conversation can be opened; resolves and rejects as `startConversation` does. */
export async function followTask(options: FollowOptions, id: string, known?: StartTask): Promise<string> {
  const { report, signal, wait } = options;
  let task = known ?? (await readTask(options, id));
  for (let waitedMs = 0; ;) {
    if (!task) {
      throw new StartFailed(
        l10n.t('The service no longer knows about this start. Check Conversations before trying again.'),
      );
    }
    const status = task.status?.toUpperCase() ?? '';
    if (status === 'ERROR') {
      throw new StartFailed(plainText(task.detail ?? '', longestReason) || l10n.t('No reason was given.'));
    }
    if (status === 'READY' && task.app_conversation_id) return task.app_conversation_id;
    report({
      kind: 'task',
      status,
      detail: task.detail ?? undefined,
      sandboxId: task.sandbox_id ?? undefined,
      begunAt: Date.parse(task.created_at ?? '') || undefined,
    });
    const pauseMs = waitedMs < slowAfterMs ? pollMs : slowPollMs;
    await wait(pauseMs, signal);
    waitedMs += pauseMs;
    task = await readTask(options, id);
  }
}

/** Reasons that asking again won't change. */
const final = new Set<ErrorReason>(['canceled', 'badId', 'keyRevoked']);

/** Asks until there's an answer: a service that can't be reached for a while still works on the start. */
async function readTask(
  { getStartTask, report, signal, wait }: FollowOptions,
  id: string,
): Promise<StartTask | null> {
  for (let pauseMs = pollMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await getStartTask(id, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || final.has(error.reason)) throw error;
    }
    report({ kind: 'unanswered' });
    await wait(pauseMs, signal);
  }
}
