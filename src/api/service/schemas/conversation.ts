import * as z from 'zod/mini';
import { someText } from '../../../shared/bounded';
import { repositoryName } from '../../../shared/repositoryName';
import { listOf, maybe, recordId } from '../../lenient';

/** A conversation with an agent (specification: `/api/v1/app-conversations`; its fields are not given there). */
export const conversationSchema = z.looseObject({
  id: recordId,
  sandbox_id: maybe(z.string()),
  title: maybe(z.string()),
  /** `owner/name`. */
  selected_repository: maybe(z.string()),
  selected_branch: maybe(z.string()),
  git_provider: maybe(z.string()),
  trigger: maybe(z.string()),
  pr_number: maybe(listOf(z.number())),
  llm_model: maybe(z.string()),
  /** Cost and tokens. */
  metrics: maybe(z.record(z.string(), z.unknown())),
  parent_conversation_id: maybe(z.string()),
  sub_conversation_ids: maybe(listOf(z.string())),
  /** ISO 8601. */
  created_at: maybe(z.string()),
  updated_at: maybe(z.string()),
  /** As `status` of a sandbox. */
  sandbox_status: maybe(z.string()),
  /**
   * `idle`, `running`, `paused`, `waiting_for_confirmation`, `finished`, `error`, `stuck`, or one that is not known yet;
   * null unless the sandbox runs.
   */
  execution_status: maybe(z.string()),
  /** The agent server's own interface, not a page for people. */
  conversation_url: maybe(z.string()),
  /** A secret: never show or log it. */
  session_api_key: maybe(z.string()),
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
  git_provider: z.nullish(z.enum(['github', 'gitlab', 'bitbucket'])),
  llm_model: z.nullish(someText),
  title: z.nullish(someText),
});
/** What `conversationRequestSchema` lets through. */
export type ConversationRequest = z.infer<typeof conversationRequestSchema>;
