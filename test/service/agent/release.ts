/** The releases of the agent server that can be simulated. */
export type Release = '1.0.0a6' | '1.7.1' | '1.15.0' | '1.49.1' | '1.58.0';

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
  /** A rejection has an effect. */
  rejects: boolean;
  /** A message during a step rejects what the step asks for; a run then is refused. */
  messageRejects: boolean;
  /**
   * What a pause during a step does: it shows when the step ends, it shows at once and is answered when the step ends, or
   * it’s answered at once, nothing shows, and the agent may go on.
   */
  pause: 'later' | 'atOnce' | 'maybe';
  interrupts: boolean;
  /** Members that are null are left out. */
  terse: boolean;
  /** Each event names the one before it, and a conversation can go back to an earlier one. */
  branches: boolean;
  /** A socket tells the places of events in the log. */
  counts: boolean;
  /** What `/server_info` names as such. */
  capabilities: readonly string[];
}

const old: Habits = {
  blocks: true,
  runFreezes: true,
  socketFreezes: true,
  revivesStuck: false,
  rejects: true,
  messageRejects: false,
  pause: 'later',
  interrupts: false,
  terse: false,
  branches: false,
  counts: false,
  capabilities: [],
};

const capabilitiesOf149 = ['conversation_runtime_routes_v1', 'profile_secret_scope_v1'];

const latest: Habits = {
  blocks: false,
  runFreezes: false,
  socketFreezes: false,
  revivesStuck: true,
  rejects: true,
  messageRejects: true,
  pause: 'atOnce',
  interrupts: true,
  terse: true,
  branches: true,
  counts: true,
  capabilities: [
    ...capabilitiesOf149,
    'idempotent_conversation_create_v1',
    'agent_profile_draft_materialize_v1',
    'agent_launch_pipeline_v1',
  ],
};

export const habits: Record<Release, Habits> = {
  '1.0.0a6': { ...old, rejects: false },
  '1.7.1': old,
  '1.15.0': { ...old, blocks: false, revivesStuck: true },
  '1.49.1': { ...latest, pause: 'maybe', capabilities: capabilitiesOf149 },
  '1.58.0': latest,
};

/** Whether it has what came after 1.49. */
export const isNew = (release: Release): boolean => release.startsWith('1.58');
