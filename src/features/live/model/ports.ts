import * as z from 'zod/mini';
import type { AgentAddress } from '../../../api/agent/address';
import type { AgentClient, KnownAgentServer } from '../../../api/agent/client';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import type { Clock } from '../../../api/http/clock';
import type { ApiClient } from '../../../api/service/client';
import type { Disposable } from '../../../core/basics/emitter';
import type { Listed } from './listed';

const texts: z.ZodMiniType<readonly string[]> = z.array(z.string());

export const unsentSchema = z.object({
  id: z.string(),
  text: z.string(),
  images: texts,
  /** Time of the newest event known before it was sent, by the sandbox’s clock; empty if there was none. */
  after: z.string(),
  /** Ids of the events with its words that were known when it was sent. */
  seen: z.optional(texts),
  /** Events couldn’t be read just before it was sent, so that others before `after` may have its words. */
  isBlind: z.optional(z.boolean()),
  /** False while it’s certain that the service has never seen it. */
  mayHaveArrived: z.boolean(),
});
/** A message that may not have arrived. */
export type Unsent = z.infer<typeof unsentSchema>;

/** What a conversation of this window needs from outside. */
export interface TranscriptPorts {
  client: Pick<ApiClient, 'baseUrl' | 'getConversation' | 'events' | 'sandboxes'>;
  /** Release and capabilities of the agent server, asked without a key. Throws ApiError. */
  readServer: (address: AgentAddress, signal?: AbortSignal) => Promise<KnownAgentServer>;
  createAgentClient: (address: AgentAddress, sessionKey: string, version: string) => AgentClient;
  createWorkspace: (address: AgentAddress, sessionKey: string, server: KnownAgentServer) => SandboxWorkspace;
  /** Whether the sandbox’s key may go to an origin that nothing vouches for; asks once per origin. */
  acceptOrigin: (origin: string) => Promise<boolean>;
  /** Asks before a sandbox is resumed if the service is likely to pause another one for it. */
  agreeToResume: () => Promise<boolean>;
  /**
   * Runs work while no other window of this computer runs any for the same conversation: between reading an agent’s
   * state and acting on it, another window’s message could start the agent.
   */
  exclusively: <T>(conversationId: string, work: () => Promise<T>) => Promise<T>;
  /** The user is about to change the conversation; with `stops`, its agent pauses when its step ends. */
  acts: (stops: boolean) => void;
  /** Messages that may not have arrived, kept when the window is reloaded. */
  outbox: { read: () => readonly Unsent[]; write: (unsent: readonly Unsent[]) => void };
  /** The secrets known now, which are masked wherever they appear. Never rejects. */
  readSecrets: () => Promise<readonly string[]>;
  /** Whether the last reading of secrets failed, so that some may not be masked. */
  areSecretsUnread: () => boolean;
  /** Calls back when other secrets may have become known. */
  onDidChangeSecrets: (listener: () => void) => Disposable;
  /** The name that the conversation was started under here, until the service has a title. */
  startedAs: () => string | undefined;
  /** Calls back with what the window’s lists say of the conversation, each time that has changed. */
  onDidList: (listener: (listed: Listed) => void) => Disposable;
  /** An error in words, with what to do next. */
  describe: (error: unknown) => string;
  after: Clock['after'];
  now: Clock['now'];
  date: Clock['date'];
}
