import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { ApiError, type ErrorReason } from '../../../api/http/errors';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { ApiClient } from '../../../api/service/client';
import type { FolderHooks } from '../../../api/service/folderHooks';
import type { AddOnSource } from '../../../api/service/skills';
import type { AgentServerInfo } from '../../../api/serverInfo';
import type { JsonMembers } from '../../../shared/json';
import { plainText } from '../../../shared/plainText';
import type { AgentChoice } from './choice';
import { asSentence, sentences } from '../../../shared/joined';
import { prepareFolder } from './agentFolder';
import { agentProblem } from './agentProblem';
import { type FollowOptions, StartFailed } from './startConversation';

interface AgentStartOptions extends Pick<FollowOptions, 'report' | 'signal' | 'wait'> {
  client: Pick<ApiClient, 'getConversation' | 'deleteConversation'>;
  server: AgentServerCalls;
  /** A UUID: repeating a start with the same one is harmless. */
  id: string;
  choice: AgentChoice;
  message: string;
  /** Called if the server has the conversation, but refuses to run its agent now. */
  held: (error: ApiError) => void;
  /** Set on the conversation. */
  tags?: Readonly<Record<string, string>> | undefined;
}

/** How often one start is requested if answers are lost, and the milliseconds in between. */
const tries = 3;
const pauseMs = 2_000;

/**
 * Starts a conversation on a standalone agent server. Resolves to its id. Rejects with `StartFailed` if the agent can’t
 * work, with `ApiError` otherwise. A lost answer leaves no doubt: the conversation is looked up by its id.
 */
export async function startOnAgentServer(options: AgentStartOptions): Promise<string> {
  const { client, server, id, choice, message, tags, held, report, signal, wait } = options;
  const { profile, modelProfile, clone: _clone, hooks: _hooks, ...others } = choice;
  const problem = await profileProblem(server, profile.name, modelProfile !== undefined, signal);
  if (problem !== undefined) throw new StartFailed(problem);
  for (const plugin of choice.plugins ?? []) await checkPlugin(server, plugin, signal);
  await prepareFolder({ server, choice, report, signal, wait });
  const hooks = await agreedHooks(server, choice, signal);
  report({ kind: 'creating' });
  const about = { ...others, agentProfileId: profile.id, modelProfile, hooks, message, tags };
  const begun = async (started: string) => {
    if (others.agentModel !== undefined) await beginWith(options, started, others.agentModel);
    return started;
  };
  let lost: ApiError | undefined;
  for (let attempt = 1; ; attempt += 1) {
    let started: string;
    try {
      started = await server.start({ conversationId: id, ...about }, signal);
    } catch (error) {
      if (error instanceof ApiError && error.outcomeUnknown) lost = error;
      if (!(error instanceof ApiError) || !mayHaveBegun(error)) throw lost ?? error;
      let doubted = error;
      const found = await client.getConversation(id, signal).catch((): undefined => {
        if (error.status === 429) doubted = inDoubt(error);
      });
      // A crash leaves a record that no agent works on.
      if (found && error.status === 500) {
        await client.deleteConversation(id, true, signal).catch(() => undefined);
        throw error;
      }
      if (found && error.status === 429) held(error);
      if (found) return begun(found.id);
      if (error.status === 500 || attempt === tries) throw lost ?? doubted;
      report({ kind: 'unanswered' });
      await wait(pauseMs, signal);
      continue;
    }
    return begun(started);
  }
}

/** Rejects with `StartFailed` if a plugin can’t be read: the conversation would fail only later. */
async function checkPlugin(
  server: Pick<AgentServerCalls, 'findPlugin'>,
  plugin: AddOnSource,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await server.findPlugin(plugin, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === undefined || error.status === 401) throw error;
    const words = l10n.t('The server can’t read the plugin “{0}”.', plainText(plugin.source, 200));
    throw new StartFailed(sentences(words, asSentence(plainText(error.serverText ?? '', 300))));
  }
}

/**
 * Names the hooks of a folder, to tell whether they are the ones that somebody has decided about. What the same commands
 * run may be something else in another folder, and reach more than in a container.
 */
export const digestOf = (
  { folder, runtime }: Pick<AgentChoice, 'folder' | 'runtime'>,
  { config }: FolderHooks,
): string =>
  createHash('sha256')
    .update(JSON.stringify([folder, runtime, config]))
    .digest('hex');

/**
 * The hooks of a folder that run in its conversations; undefined for none. They run commands without asking, and may be
 * what keeps an agent from doing harm: rejects with `StartFailed` unless somebody has decided about them as they are now.
 */
async function agreedHooks(
  server: Pick<AgentServerCalls, 'readHooks'>,
  choice: AgentChoice,
  signal?: AbortSignal,
): Promise<JsonMembers | undefined> {
  const { folder, hooks: decision } = choice;
  const hooks = await server.readHooks(folder, signal);
  if (!hooks && !decision?.isOn) return undefined;
  if (hooks && decision?.digest === digestOf(choice, hooks)) return decision.isOn ? hooks.config : undefined;
  throw new StartFailed(
    l10n.t(
      'The hooks of “{0}” in .openhands/hooks.json aren’t those that you’ve decided about. Edit the message, and start again to see them.',
      plainText(folder, 200),
    ),
  );
}

/** Makes an ACP agent begin with a model. Deletes the conversation if that fails, since it would only be in the way. */
async function beginWith(options: AgentStartOptions, id: string, model: string): Promise<void> {
  const { client, server, message, held, signal } = options;
  try {
    await server.beginWith(id, model, message !== '', signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) {
      held(error);
      return;
    }
    await client.deleteConversation(id, true, signal).catch(() => undefined);
    throw error;
  }
}

/** Also when too many agents work: the server then has the conversation with its message. */
const mayHaveBegun = ({ outcomeUnknown, status, reason }: ApiError) =>
  outcomeUnknown || status === 429 || unsent.has(reason);

/** The error of a server that may have the conversation, which nobody could look up. */
const inDoubt = ({ reason, method, route, status, serverText }: ApiError) =>
  new ApiError(reason, method, route, { status, serverText, outcomeUnknown: true });

/** Reasons that mean that the server received nothing. */
const unsent = new Set<ErrorReason>(['dns', 'refused', 'connectTimeout']);

/** Why an agent profile can’t work, in a sentence or two; undefined if nothing is known to be wrong. Throws ApiError. */
async function profileProblem(
  server: Pick<AgentServerCalls, 'checkAgentProfile'>,
  name: string,
  hasOtherModel: boolean,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const check = await server.checkAgentProfile(name, signal);
  const problem = agentProblem(name, check);
  if (problem === undefined || (!check.hasModel && hasOtherModel)) return undefined;
  return sentences(
    problem,
    check.hasModel ? l10n.t('Select another agent.') : l10n.t('Select another model or agent.'),
  );
}

/** Why conversations can’t be started on a server; undefined if they can. */
export function cannotStartOn({ release }: AgentServerInfo): string | undefined {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(release ?? '')?.map(Number) ?? [];
  if (major > 1 || (major === 1 && minor >= 34)) return undefined;
  return l10n.t(
    'This agent server (release {0}) is too old to start conversations from here. Update it to release 1.34 or later.',
    plainText(release ?? '?', 40),
  );
}
