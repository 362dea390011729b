import * as z from 'zod/mini';
import { startPolicySchema } from '../../../shared/startPolicy';
import type { ConversationRequest } from '../../../api/service/schemas/conversation';
import { gitProviders } from '../../../shared/gitProviders';

const placeSchema = z.discriminatedUnion('kind', [
  /** The service decides. */
  z.object({ kind: z.literal('default') }),
  /** A sandbox that exists; a paused one is resumed first. */
  z.object({ kind: z.literal('existing'), sandboxId: z.string() }),
  /** A sandbox of its own, made from a spec; by default, the service’s. */
  z.object({ kind: z.literal('new'), specId: z.optional(z.string()) }),
]);

/** Where to run a conversation. */
export type StartPlace = Readonly<z.infer<typeof placeSchema>>;

const agentChoiceSchema = z.object({
  /** Absolute, on the server’s computer. */
  folder: z.string(),
  /** In a worktree of its repository. */
  isWorktree: z.boolean(),
  /** The base of the worktree; undefined for what the server’s settings say. */
  worktreeBase: z.optional(
    z.union([
      z.object({ kind: z.enum(['defaultBranch', 'head']) }),
      z.object({ kind: z.literal('ref'), ref: z.string() }),
    ]),
  ),
  /** Where the agent runs, on servers that offer several; undefined for the server’s default. */
  runtime: z.optional(z.enum(['local', 'docker'])),
  /** The address of a repository to clone into the folder first, unless that’s there. */
  clone: z.optional(z.string()),
  /** The agent profile. */
  profile: z.object({ id: z.string(), name: z.string() }),
  /** Undefined for the agent profile’s. */
  modelProfile: z.optional(z.string()),
  /** A model of an ACP agent, by its own name; undefined for the agent’s choice. */
  agentModel: z.optional(z.string()),
  /** Undefined for what the server’s settings say. */
  policy: z.optional(startPolicySchema),
  /** Names of the custom secrets that the agent gets; undefined for all that its profile has. */
  secrets: z.optional(z.array(z.string())),
  /** Where to get plugins that the agent uses besides those that are installed. */
  plugins: z.optional(
    z.array(z.object({ source: z.string(), ref: z.optional(z.string()), repoPath: z.optional(z.string()) })),
  ),
  /** Whether the folder’s hooks run; for no others than those with this digest. */
  hooks: z.optional(z.object({ digest: z.string(), isOn: z.boolean() })),
});

/** What was selected on a standalone agent server. */
export type AgentChoice = z.infer<typeof agentChoiceSchema>;

/** What is kept of a choice. */
export const choiceSchema = z.object({
  /** `owner/name`; undefined for none. */
  repository: z.optional(z.string()),
  /** Undefined for the default branch of the repository. */
  branch: z.optional(z.string()),
  /** Undefined to let the service detect it. */
  provider: z.optional(z.enum(gitProviders)),
  place: placeSchema,
  /** Undefined for the service's default. */
  model: z.optional(z.string()),
  /** When the agent asks before it acts; undefined for what the service’s settings say. */
  policy: z.optional(startPolicySchema),
  /** Undefined to let the service generate one. */
  title: z.optional(z.string()),
  /** On a standalone agent server, instead of all the others. */
  agent: z.optional(agentChoiceSchema),
});

/** What was selected for a new conversation, apart from its message. */
export type ConversationChoice = z.infer<typeof choiceSchema>;

/** The policy to set once the conversation is there; an agent server takes it with the start. */
export const laterPolicy = ({ agent, policy }: ConversationChoice) => (agent ? undefined : policy);

/** The request for a choice. */
export function requestOf(
  message: string,
  { repository, branch, provider, model, title }: Partial<ConversationChoice>,
): Omit<ConversationRequest, 'sandbox_id'> {
  return {
    ...(message !== '' && {
      initial_message: { role: 'user', content: [{ type: 'text', text: message }] },
    }),
    ...(repository !== undefined && {
      selected_repository: repository,
      ...(branch !== undefined && { selected_branch: branch }),
      ...(provider !== undefined && { git_provider: provider }),
    }),
    ...(model !== undefined && { llm_model: model }),
    ...(title !== undefined && { title }),
  };
}
