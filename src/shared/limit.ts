import * as z from 'zod/mini';

/** Why the transcript may be incomplete, or something can't be done now. */
export const limitSchema = z.enum([
  /** Read from the sandbox and complete. */
  'none',
  /** Only stored events: up to 30 seconds behind. */
  'stored',
  /** The sandbox is paused: stored events; sending resumes it. */
  'asleep',
  /** The sandbox is gone: stored events only. */
  'gone',
  /** The agent server has no such conversation anymore. */
  'deleted',
  /** The sandbox cannot be reached from this computer. */
  'unreachable',
  /** The sandbox cannot be reached: its address, such as `localhost`, means the service's own computer. */
  'onService',
  /** The sandbox refuses its key. */
  'refused',
  /** Its origin has not been accepted yet. */
  'notAccepted',
  /** This release only answers when its current step ends. */
  'busy',
  /** The service has no events. */
  'noEvents',
  /** There is no service: the connection is to the agent server itself, which cannot be reached. */
  'serverUnreachable',
  /** The agent server that the connection is to refuses the session key. */
  'serverRefused',
  /** The conversation is still starting. */
  'starting',
  /** It couldn’t be started. */
  'notStarted',
  /** Whether it was started isn’t known. */
  'mayHaveStarted',
  /** It couldn’t be started until one of the sandboxes that run is paused. */
  'overLimit',
  /** It exists, without the user’s changes and message. */
  'notDelivered',
  /** It exists, without the policy that the user chose, and without the message. */
  'policyNotSet',
]);
export type Limit = z.infer<typeof limitSchema>;

/** Whether there is no conversation yet, or none with what belongs there. */
export const isStart = (limit: Limit): boolean =>
  ['starting', 'notStarted', 'mayHaveStarted', 'overLimit', 'notDelivered', 'policyNotSet'].includes(limit);
