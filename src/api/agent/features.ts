/**
 * What a release of the agent server can do, and what must not be done to it (docs/protocol/live-conversations.md,
 * “Hazards”).
 */
export interface AgentFeatures {
  /** Reading events is answered only when the running step ends. */
  blocksWhileRunning: boolean;
  /** Sending messages is, too. */
  holdsMessages: boolean;
  /** `POST C/interrupt` stops the agent immediately. */
  interrupts: boolean;
  /** A rejection has an effect. */
  rejects: boolean;
  /** A message gets a stuck agent to continue. */
  revivesStuck: boolean;
  /** A message while a step runs rejects what the step asks for. */
  messageRejects: boolean;
  /** A pause shows immediately, while the current step still runs. */
  pausesAtOnce: boolean;
  /** A tool's error counts as an answer to pending actions. */
  errorsAnswerActions: boolean;
  /** File routes take the path from the query; in earlier releases, it's part of the address. */
  fileByQuery: boolean;
  /** A conversation can go back to an earlier event, and another one can begin there. */
  branches: boolean;
  /** Events are also sent by socket. In earlier releases, connecting freezes the whole server while a step runs. */
  sockets: boolean;
  /** A socket tells where in the server’s log each event is. */
  countsEvents: boolean;
}

/** The features of a version such as `1.7.1`; those of the oldest release if it's unknown. */
export function featuresOf(version: string | null): AgentFeatures {
  const [, major = 0, minor = 0] = /^v?(\d+)\.(\d+)/.exec(version ?? '')?.map(Number) ?? [];
  /** Whether the version is at least 1.`first`: the first release with a feature, or without a hazard. */
  const isSince = (first: number) => major > 1 || (major === 1 && minor >= first);
  return {
    blocksWhileRunning: !isSince(12),
    // Seen in 1.19, and not in 1.33; releases in between weren’t tested.
    holdsMessages: !isSince(33),
    interrupts: isSince(27),
    // Without effect in 1.0.0a6, with one in 1.7.1; releases in between weren’t tested.
    rejects: isSince(7),
    revivesStuck: isSince(15),
    messageRejects: isSince(49),
    // Seen in 1.49 and 1.58; releases in between weren’t tested.
    pausesAtOnce: isSince(16),
    errorsAnswerActions: isSince(12),
    fileByQuery: isSince(15),
    branches: isSince(49),
    sockets: isSince(17),
    countsEvents: isSince(49),
  };
}
