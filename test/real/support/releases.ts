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
 * - `fillsBaseUrl`: each save replaces an empty base URL by that of the model’s provider
 * - `storesNoBaseUrl`: an emptied base URL stays empty
 * - `keepsSearchKey`: an emptied search API key is kept
 * - `showsServerSecrets`: the secrets of MCP servers are shown to whoever reads the settings
 * - `answersNoToken`: without a git provider’s token, its repositories answer 401 instead of 403
 * - `renamesNothing`: a new title is accepted and ignored
 * - `rejectsNothing`: a rejected action waits on
 * - `keepsSecrets`: an existing custom secret isn’t replaced
 * - `keepsWorktreesOut`: nothing in the settings is about worktrees
 * - `runsUnasked`: a message that runs the agent also executes, unasked, what its current step asks for
 */
export type Quirk =
  | 'openLists'
  | 'fillsBaseUrl'
  | 'storesNoBaseUrl'
  | 'keepsSearchKey'
  | 'showsServerSecrets'
  | 'answersNoToken'
  | 'renamesNothing'
  | 'rejectsNothing'
  | 'keepsSecrets'
  | 'keepsWorktreesOut'
  | 'runsUnasked';

/** A public release of the service. */
export interface Release {
  /**
   * Its version; `agent` for an agent server by itself, `agent-newest` for whatever is the newest, or `canvas` for Agent
   * Canvas with the agent server of its own.
   */
  readonly version: string;
  readonly generation: Generation;
  /** The package with its version; the newest without a version. */
  readonly requirement: string;
  readonly quirks: readonly Quirk[];
  /** Agent Canvas, which starts an agent server and other programs, and stands in front of them. */
  readonly isCanvas?: true;
}

const service = (version: string, generation: Generation, ...quirks: Quirk[]): Release => ({
  version,
  generation,
  requirement: `openhands-ai==${version}`,
  quirks,
});

/**
 * The tested releases, starting with the one that the specification describes. 1.9.0 can’t be one of them: it fails in
 * its own migration of its database.
 */
export const releases: readonly [Release, ...Release[]] = [
  service('1.1.0', 'first', 'openLists', 'runsUnasked'),
  service('1.6.0', 'first', 'keepsSearchKey', 'runsUnasked'),
  service(
    '1.7.0',
    'current',
    'storesNoBaseUrl',
    'showsServerSecrets',
    'answersNoToken',
    'renamesNothing',
    'keepsSecrets',
  ),
  service('1.8.0', 'current', 'keepsSecrets'),
  service('1.9.3', 'current'),
  service('1.10.0', 'current'),
  service('1.11.0', 'current'),
  {
    version: 'agent',
    generation: 'agentServer',
    requirement: 'openhands-agent-server==1.58.2',
    quirks: [],
  },
  {
    version: 'canvas',
    generation: 'agentServer',
    requirement: '@openhands/agent-canvas@1.20.0',
    quirks: ['keepsWorktreesOut'],
    isCanvas: true,
  },
];

/** Releases that only run by name: they differ little from tested ones. */
const byName: readonly Release[] = [
  service('0.62.0', 'first', 'openLists', 'runsUnasked', 'rejectsNothing'),
  service('1.4.0', 'first', 'openLists', 'fillsBaseUrl', 'keepsSearchKey', 'runsUnasked'),
  service('1.5.0', 'first', 'fillsBaseUrl', 'keepsSearchKey', 'runsUnasked'),
  { version: 'agent-newest', generation: 'agentServer', requirement: 'openhands-agent-server', quirks: [] },
];

/** The releases in every full test run: the oldest and the newest of the service, and agent servers by themselves. */
export const inEveryRun: readonly Release[] = ['1.1.0', '1.11.0', 'agent', 'canvas'].map(releaseOf);

/** The release of this version. */
export function releaseOf(version: string): Release {
  const known = [...releases, ...byName];
  const release = known.find((one) => one.version === version);
  if (release) return release;
  throw new UserError(`The version can be ${known.map((one) => one.version).join(', ')}.`);
}

/** The generations whose settings the client reads and saves. */
export const withSettings: readonly Generation[] = ['first', 'current'];

/** The generations that have sandboxes and conversations to list and start. */
export const withSandboxes: readonly Generation[] = ['first', 'current'];
