import * as z from 'zod/mini';
import { someText } from '../../../shared/bounded';
import { gitProviders } from '../../../shared/gitProviders';
import { repositoryName } from '../../../shared/repositoryName';
import { lenientList, maybe, maybeText, maybeTime, recordId } from '../../lenient';
import { lenientMembers } from '../../../shared/members';

/** Where a conversation belongs: empty if that can’t be read, and null if it’s nowhere. */
const place = z.optional(
  z.transform((value: unknown): string | null => {
    if (value === null || value === '') return null;
    return typeof value === 'string' ? value : '';
  }),
);

/**
 * A conversation with an agent (docs/protocol/service.md, “Conversations”). The specification doesn’t give its fields.
 */
export const conversationSchema = z.looseObject({
  id: recordId,
  sandbox_id: place,
  title: maybeText,
  /** `owner/name`. */
  selected_repository: maybeText,
  selected_branch: maybeText,
  git_provider: maybeText,
  trigger: maybeText,
  pr_number: maybe(lenientList(z.number())),
  llm_model: maybeText,
  /** `acp` for an agent that is run through the Agent Client Protocol, which never asks. */
  agent_kind: maybeText,
  /** Cost and tokens. */
  metrics: maybe(lenientMembers(z.unknown())),
  /** What clients of an agent server noted about it. */
  tags: maybe(lenientMembers(z.unknown())),
  /** On a standalone agent server: where the agent works. */
  folder: maybeText,
  /** There: its container is `running`, `paused`, `starting`, `archived`, or in `error`; null if it has none. */
  container: maybeText,
  parent_conversation_id: place,
  sub_conversation_ids: maybe(lenientList(z.string())),
  /** ISO 8601. */
  created_at: maybeTime,
  updated_at: maybeTime,
  /** As `status` of a sandbox. */
  sandbox_status: maybeText,
  /**
   * `idle`, `running`, `paused`, `waiting_for_confirmation`, `finished`, `error`, `stuck`, or one that is not known yet;
   * null unless the sandbox runs.
   */
  execution_status: maybeText,
  /** The agent server's own interface, not a page for people. */
  conversation_url: maybeText,
  /** A secret: never show or log it. */
  session_api_key: maybeText,
});
/** What `conversationSchema` reads. */
export type Conversation = z.infer<typeof conversationSchema>;

/** Body of `POST /api/v1/app-conversations`; every member is optional, null counts as absent. */
export const conversationRequestSchema = z.looseObject({
  initial_message: z.nullish(
    z.strictObject({
      role: z.literal('user'),
      content: z
        .array(z.strictObject({ type: z.literal('text'), text: someText }))
        .check(z.refine((parts) => parts.length > 0)),
    }),
  ),
  sandbox_id: z.nullish(someText),
  /** `owner/name`; some providers have groups within groups. */
  selected_repository: z.nullish(z.string().check(z.regex(repositoryName))),
  selected_branch: z.nullish(someText),
  git_provider: z.nullish(z.enum(gitProviders)),
  llm_model: z.nullish(someText),
  title: z.nullish(someText),
});
/** What `conversationRequestSchema` lets through. */
export type ConversationRequest = z.infer<typeof conversationRequestSchema>;
