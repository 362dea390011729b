import { UserError } from '../../support/lifetime';

/**
 * The generations of the service:
 * - `first`: settings at `/api/settings`, replaced by each save
 * - `current`: settings at `/api/v1/settings`, where a save sends only what changed
 * - `agentServer`: a standalone agent server
 */
export type Generation = 'first' | 'current' | 'agentServer';

/**
 * How a release differs from others of its generation:
 * - `openLists`: anyone may read the lists
 * - `keepsSearchKey`: an emptied search API key is kept
 * - `keepsSecrets`: an existing custom secret isn’t replaced
 * - `runsUnasked`: a message that runs the agent also executes, unasked, what its current step asks for
 */
export type Quirk = 'openLists' | 'keepsSearchKey' | 'keepsSecrets' | 'runsUnasked';

/** A public release of the service. */
export interface Release {
  /** Its version, or `agent` for the newest agent server. */
  readonly version: string;
  readonly generation: Generation;
  /** The package with its version; the newest without a version. */
  readonly requirement: string;
  readonly quirks: readonly Quirk[];
}

const service = (version: string, generation: Generation, ...quirks: Quirk[]): Release => ({
  version,
  generation,
  requirement: `openhands-ai==${version}`,
  quirks,
});

/** The tested releases, starting with the one that the specification describes. */
export const releases: readonly [Release, ...Release[]] = [
  service('1.1.0', 'first', 'openLists', 'runsUnasked'),
  service('1.6.0', 'first', 'keepsSearchKey', 'runsUnasked'),
  service('1.8.0', 'current', 'keepsSecrets'),
  service('1.11.0', 'current'),
  { version: 'agent', generation: 'agentServer', requirement: 'openhands-agent-server', quirks: [] },
];

/** The releases in every full test run: the oldest and the newest of the service. */
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
