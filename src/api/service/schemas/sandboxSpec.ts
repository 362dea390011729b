import * as z from 'zod/mini';
import { lenientList, maybe, maybeText, maybeTime, recordId } from '../../lenient';
import { lenientMembers } from '../../../shared/members';

/** A template from which sandboxes are made (docs/protocol/service.md, “Sandbox specs”). */
export const sandboxSpecSchema = z.looseObject({
  /** For example the name of a container image: may contain slashes and colons. */
  id: recordId,
  command: maybe(lenientList(z.string())),
  /** ISO 8601. */
  created_at: maybeTime,
  /** The values may be secrets: never show or log them. */
  initial_env: maybe(lenientMembers(z.unknown())),
  working_dir: maybeText,
});
/** What `sandboxSpecSchema` reads. */
export type SandboxSpec = z.infer<typeof sandboxSpecSchema>;
