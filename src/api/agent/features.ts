/** What a release of the agent server can do, and what must not be done to it (live-conversations). */
export interface AgentFeatures {
  /** Reading events, and sending messages, is answered only when the running step ends. */
  blocksWhileRunning: boolean;
  /** `POST C/interrupt` stops the agent at once. */
  interrupts: boolean;
  /** A message gets a stuck agent going again. */
  revivesStuck: boolean;
  /** A message while the agent waits rejects what it asks for. */
  messageRejects: boolean;
  /** A tool's error counts as an answer to pending actions. */
  errorsAnswerActions: boolean;
  /** File routes take the path from the query; in earlier releases, it's part of the address. */
  fileByQuery: boolean;
  /** Events are also sent by socket. In earlier releases, connecting freezes the whole server while a step runs. */
  sockets: boolean;
}

/** The first release with each feature, and the first without each trap. */
const since = {
  reads: [1, 12],
  sockets: [1, 17],
  interrupt: [1, 27],
  stuck: [1, 15],
  fileQuery: [1, 15],
  rejects: [1, 58],
} as const;

/** The features of a version such as `1.7.1`; those of the oldest release if it's unknown. */
export function featuresOf(version: string | null): AgentFeatures {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  const has = ([atMajor, atMinor]: readonly [number, number]) =>
    major !== undefined &&
    (Number(major) > atMajor || (Number(major) === atMajor && Number(minor) >= atMinor));
  return {
    blocksWhileRunning: !has(since.reads),
    interrupts: has(since.interrupt),
    revivesStuck: has(since.stuck),
    messageRejects: has(since.rejects),
    errorsAnswerActions: has(since.reads),
    fileByQuery: has(since.fileQuery),
    sockets: has(since.sockets),
  };
}
