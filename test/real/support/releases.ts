import { UserError } from '../../support/lifetime';

/**
 * The generations of the service:
 * - `first`: settings at `/api/settings`, replaced by each save
 * - `current`: settings at `/api/v1/settings`, of which a save changes only a part
 * - `agentServer`: the server of a sandbox by itself
 */
export type Generation = 'first' | 'current' | 'agentServer';

/**
 * What a release does otherwise than the others of its generation:
 * - `openLists`: anybody may read the lists
 * - `keepsSearchKey`: an emptied search API key is kept
 * - `runsUnasked`: a message that runs the agent executes what its running step asks for
 */
export type Quirk = 'openLists' | 'keepsSearchKey' | 'runsUnasked';

/** A public release of the service. */
export interface Release {
  /** Its version, or `agent` for the newest agent server. */
  readonly version: string;
  readonly generation: Generation;
  /** The package with its version; without one, the newest is meant. */
  readonly requirement: string;
  readonly quirks: readonly Quirk[];
}

const service = (version: string, generation: Generation, ...quirks: Quirk[]): Release => ({
  version,
  generation,
  requirement: `openhands-ai==${version}`,
  quirks,
});

/** The releases that are tested, the one that the specification describes first. */
export const releases: readonly [Release, ...Release[]] = [
  service('1.1.0', 'first', 'openLists', 'runsUnasked'),
  service('1.6.0', 'first', 'keepsSearchKey', 'runsUnasked'),
  service('1.8.0', 'current'),
  service('1.11.0', 'current'),
  { version: 'agent', generation: 'agentServer', requirement: 'openhands-agent-server', quirks: [] },
];

/** The releases that every run of all tests has: the first and the last of the service. */
export const inEveryRun: readonly Release[] = ['1.1.0', '1.11.0'].map(releaseOf);

/** The release of this version. */
export function releaseOf(version: string): Release {
  const release = releases.find((one) => one.version === version);
  if (release) return release;
  throw new UserError(`The version can be ${releases.map((one) => one.version).join(', ')}.`);
}

/** The generations whose settings the client reads and saves. */
export const withSettings: readonly Generation[] = ['first', 'current'];

/** The generations that have sandboxes and conversations to list and start. */
export const withSandboxes: readonly Generation[] = ['first', 'current'];
