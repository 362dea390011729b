import * as z from 'zod/mini';
import { lenientList, maybe } from './lenient';
import { lenientMembers } from '../shared/members';

/** What an agent server says about itself. */
export interface AgentServerInfo {
  /** Such as `1.58.0`. */
  release: string | undefined;
  /** Names of what it can do beyond the first releases; they end with a version, such as `_v1`. */
  capabilities: readonly string[];
  /** Where agents run: `local`, or `docker` for containers; null if the server doesn’t say. */
  runtime?: string | null;
  /** Where a start can have its agent run; empty if it can’t choose. */
  runtimes?: readonly string[];
  /** Whether Agent Canvas is in front of it. */
  isCanvas?: boolean;
  /** Whether the automation service runs beside it. */
  hasAutomations?: boolean;
}

const infoSchema = z.object({
  title: z.literal('OpenHands Agent Server'),
  version: z.optional(z.string()),
  capabilities: maybe(lenientList(z.string())),
  conversation_runtime: maybe(z.string()),
  available_conversation_runtimes: maybe(lenientList(z.string())),
  runtime_services: maybe(
    z.object({
      mode: maybe(z.string()),
      services: maybe(z.object({ automation: maybe(lenientMembers(z.unknown())) })),
    }),
  ),
});

/** Reads an answer of `GET /server_info`; undefined for any other server. */
export function serverInfoOf(json: unknown): AgentServerInfo | undefined {
  const { data } = infoSchema.safeParse(json);
  if (!data) return undefined;
  const { version: release, capabilities, conversation_runtime: runtime, runtime_services: beside } = data;
  const runtimes = data.available_conversation_runtimes ?? [];
  const hasAutomations = !!beside?.services?.automation;
  return {
    release,
    capabilities: capabilities ?? [],
    ...(runtime && { runtime }),
    ...(runtimes.length > 0 && { runtimes }),
    ...(beside?.mode === 'agent-canvas' && { isCanvas: true }),
    ...(hasAutomations && { hasAutomations }),
  };
}
