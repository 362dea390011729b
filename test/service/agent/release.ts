/** The releases of the agent server that can be simulated. */
export type Release = '1.7.1' | '1.15.0' | '1.58.0';

/** How the releases differ. */
export interface Habits {
  /** Reading events and sending messages wait until the running step ends. */
  blocks: boolean;
  /** `run` during a step freezes the whole server until the step ends. */
  runFreezes: boolean;
  /** Connecting a socket during a step freezes the whole server until the step ends. */
  socketFreezes: boolean;
  /** A message revives a stuck agent. */
  revivesStuck: boolean;
  /** A message rejects the actions waiting for approval; a run during a step has no effect of its own. */
  messageRejects: boolean;
  /** A pause shows at once, but the running step still finishes. */
  pausesAtOnce: boolean;
  interrupts: boolean;
  /** Members that are null are left out, and each event names the previous one. */
  terse: boolean;
}

const old: Habits = {
  blocks: true,
  runFreezes: true,
  socketFreezes: true,
  revivesStuck: false,
  messageRejects: false,
  pausesAtOnce: false,
  interrupts: false,
  terse: false,
};

export const habits: Record<Release, Habits> = {
  '1.7.1': old,
  '1.15.0': { ...old, blocks: false, revivesStuck: true },
  '1.58.0': {
    blocks: false,
    runFreezes: false,
    socketFreezes: false,
    revivesStuck: true,
    messageRejects: true,
    pausesAtOnce: true,
    interrupts: true,
    terse: true,
  },
};
