import * as z from 'zod/mini';
import { executionSchema, type Execution, type Policy } from '../../../shared/transcript';
import { usageSchema, type Usage } from '../../events/usage';
import { maybe, maybeText } from '../../lenient';

/** A conversation as its agent server reports it, without the members that hold secrets. */
export interface AgentConversation {
  execution: Execution;
  policy: Policy;
  usage: Usage | null;
  /** Folder in the sandbox that the agent works in. */
  workingDir: string | null;
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

/** `GET C` (live-conversations): named members only. */
export const agentConversationSchema: z.ZodMiniType<AgentConversation> = z.pipe(
  z.object({
    execution_status: z.string(),
    confirmation_policy: maybe(policySchema),
    stats: maybe(usageSchema),
    workspace: maybe(z.object({ working_dir: maybeText })),
  }),
  z.transform(({ confirmation_policy: policy, ...conversation }): AgentConversation => ({
    execution: executionSchema.safeParse(conversation.execution_status).data ?? 'unknown',
    policy: byKind.get(policy?.kind)?.(policy?.threshold) ?? 'unknown',
    usage: conversation.stats ?? null,
    workingDir: conversation.workspace?.working_dir ?? null,
  })),
);

const risky = (threshold: string) => ({ kind: 'ConfirmRisky', threshold, confirm_unknown: true });

/** Each policy as it is sent. */
export const policyBodies: Record<Exclude<Policy, 'unknown'>, object> = {
  never: { kind: 'NeverConfirm' },
  always: { kind: 'AlwaysConfirm' },
  riskyLow: risky('LOW'),
  riskyMedium: risky('MEDIUM'),
  riskyHigh: risky('HIGH'),
};
