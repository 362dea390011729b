import * as z from 'zod/mini';
import { executionSchema, type Execution, type Policy } from '../../../shared/transcript';
import { usageSchema, type Usage } from '../../events/usage';
import { idText } from '../../events/results';
import { toldActions } from '../../events/toldActions';
import { maybe, maybeText } from '../../lenient';
import { readTime } from '../../time';

/** A conversation as its agent server reports it, without the members that hold secrets. */
export interface AgentConversation {
  execution: Execution;
  policy: Policy;
  usage: Usage | null;
  /** Folder in the sandbox that the agent works in. */
  workingDir: string | null;
  /**
   * The event from which the agent continues, on releases whose conversations can go back to an earlier one; null
   * otherwise.
   */
  leaf: string | null;
  /** Ids of the actions, or of their calls, that it says wait; an empty one for an action without an ID. */
  waits: readonly string[];
  /** Time of the latest change, in UTC and without a zone; null if unknown. */
  updatedAt: string | null;
}

const policySchema = z.object({ kind: z.string(), threshold: maybeText });

const byThreshold = new Map<unknown, Policy>([
  ['LOW', 'riskyLow'],
  ['MEDIUM', 'riskyMedium'],
  ['HIGH', 'riskyHigh'],
]);
const byKind = new Map<unknown, (threshold: unknown) => Policy | undefined>([
  ['NeverConfirm', () => 'never'],
  ['AlwaysConfirm', () => 'always'],
  ['ConfirmRisky', (threshold) => byThreshold.get(threshold)],
]);

/** `GET C`, named members only (docs/protocol/live-conversations.md, “Secrets in answers”). */
export const agentConversationSchema: z.ZodMiniType<AgentConversation> = z.pipe(
  z.looseObject({
    execution_status: z.string(),
    confirmation_policy: maybe(policySchema),
    stats: maybe(usageSchema),
    workspace: maybe(z.object({ working_dir: maybeText })),
    agent: maybe(z.object({ kind: maybeText })),
    leaf_event_id: idText,
    updated_at: maybeText,
  }),
  z.transform(({ confirmation_policy: policy, agent, stats, ...conversation }): AgentConversation => ({
    execution: executionSchema.safeParse(conversation.execution_status).data ?? 'unknown',
    // The server allows whatever such an agent asks for, also under a policy that says otherwise.
    policy:
      agent?.kind === 'ACPAgent' ? 'itself' : (byKind.get(policy?.kind)?.(policy?.threshold) ?? 'unknown'),
    usage: stats ?? null,
    workingDir: conversation.workspace?.working_dir ?? null,
    leaf: conversation.leaf_event_id || null,
    waits: toldActions(conversation),
    updatedAt: readTime(conversation.updated_at) ?? null,
  })),
);
