/**
 * The generations of the service:
 * - `first`: settings at `/api/settings`, replaced by each save
 * - `current`: settings at `/api/v1/settings`, of which a save changes only a part
 * - `agentServer`: the server of a sandbox by itself
 */
export type Generation = 'first' | 'current' | 'agentServer';

/** A public release of the service. */
export interface Release {
  /** Its version, or `agent` for the newest agent server. */
  readonly version: string;
  readonly generation: Generation;
  /** The package and, unless it’s the newest that counts, its version. */
  readonly requirement: string;
}

const service = (version: string, generation: Generation): Release => ({
  version,
  generation,
  requirement: `openhands-ai==${version}`,
});

/** The releases that are tested, the one that the specification describes first. */
export const releases: readonly Release[] = [
  service('1.1.0', 'first'),
  service('1.6.0', 'first'),
  service('1.8.0', 'current'),
  service('1.11.0', 'current'),
  { version: 'agent', generation: 'agentServer', requirement: 'openhands-agent-server' },
];

/** The generations whose settings the client reads and saves. */
export const withSettings: readonly Generation[] = ['first'];

/** The generations that have sandboxes and conversations to list and start. */
export const withSandboxes: readonly Generation[] = ['first', 'current'];

/** True for version `version` or later, of the same package. */
export function isSince(release: Release, version: string): boolean {
  return release.version.localeCompare(version, 'en', { numeric: true }) >= 0;
}
