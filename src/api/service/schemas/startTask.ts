import * as z from 'zod/mini';
import type { JsonMembers } from '../../../shared/json';
import { maybe, maybeText, maybeTime, recordId } from '../../lenient';
import { lenientMembers } from '../../../shared/members';

/** States that a start task passes through. A service may answer others. */
export const startTaskStates = [
  'WORKING',
  'WAITING_FOR_SANDBOX',
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'SETTING_UP_SKILLS',
  'STARTING_CONVERSATION',
  'READY',
  'ERROR',
] as const;

/** The work of starting a conversation. It ends with the status `READY` or `ERROR`. */
export const startTaskSchema = z.looseObject({
  id: recordId,
  /** One of `startTaskStates`, or one that is not known yet. */
  status: maybeText,
  detail: maybeText,
  /** The conversation, once there is one. */
  app_conversation_id: maybeText,
  sandbox_id: maybeText,
  /** What was asked for. */
  request: maybe(lenientMembers(z.unknown())),
  /** ISO 8601. */
  created_at: maybeTime,
  updated_at: maybeTime,
});
/** What `startTaskSchema` reads. */
export type StartTask = z.infer<typeof startTaskSchema>;

/** Tells a start task from the conversation that a service without start tasks answers. */
export function isStartTask(record: JsonMembers): boolean {
  return (
    'app_conversation_id' in record ||
    'request' in record ||
    startTaskStates.some((state) => state === record['status'])
  );
}
