import * as z from 'zod/mini';
import { lenientList, maybe, maybeText, maybeTime, recordId } from '../../lenient';

/** A place where a running sandbox can be reached. The URL named `VSCODE` carries a secret in its query. */
const exposedUrlSchema = z.looseObject({
  name: z.string(),
  url: z.string(),
  port: maybe(z.number()),
});

/** An execution environment (docs/protocol/service.md, “Sandboxes”). The specification doesn’t give its fields. */
export const sandboxSchema = z.looseObject({
  id: recordId,
  created_by_user_id: maybeText,
  sandbox_spec_id: maybeText,
  /** `STARTING`, `RUNNING`, `PAUSED`, `ERROR`, `MISSING`, or one that is not known yet. */
  status: maybeText,
  status_detail: maybeText,
  /** A secret: never show or log it. */
  session_api_key: maybeText,
  exposed_urls: maybe(lenientList(exposedUrlSchema)),
  /** ISO 8601. */
  created_at: maybeTime,
});
/** What `sandboxSchema` reads. */
export type Sandbox = z.infer<typeof sandboxSchema>;
