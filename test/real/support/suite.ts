import { createLimiter } from '../../../src/api/http/limiter';
import type { ClientOptions } from '../../../src/api/service/client';
import { ownMemory } from '../../../src/api/service/generation';
import { flatClient, type FlatClient } from '../../support/builders/client';
import type { GitHost } from './gitHost';
import type { ScriptedModel } from './model';
import type { Generation, Quirk, Release } from './releases';
import type { RealService } from './service';

/** Shared by all suites. */
export interface Real {
  readonly release: Release;
  readonly service: RealService;
  readonly model: ScriptedModel;
  readonly modelUrl: string;
  readonly gitHost: GitHost;
}

let shared: Real | undefined;

/** Called by the runner, once per release. */
export function setReal(value: Real): void {
  shared = value;
}

/** The release under test, and the servers it uses. */
export function real(): Real {
  if (!shared) throw new Error('Tests with real servers are started by "npm run test:real".');
  return shared;
}

/** A client of the service, by default with the right key. */
export function realClient(options: Partial<ClientOptions> = {}): FlatClient {
  const { url, sessionKey } = real().service;
  return flatClient({ baseUrl: url, sessionKey, limiter: createLimiter(), ...options });
}

/** A client that knows already what kind of service this is. */
export function knownClient(): FlatClient {
  const { generation } = real().release;
  return realClient({ generations: { ...ownMemory(), get: () => generation, set: () => undefined } });
}

/** A suite for releases of these generations; doesn’t appear for others. */
export function realSuite(
  title: string,
  generations: readonly Generation[],
  define: (this: Mocha.Suite) => void,
): void {
  const { release } = real();
  if (generations.includes(release.generation)) describe(`${title} (${release.version})`, define);
}

/** A test for releases without a quirk; skipped for others, with the reason in its title. */
export function itWithout(quirk: Quirk, why: string, title: string, test: () => Promise<void> | void): void {
  if (real().release.quirks.includes(quirk)) it.skip(`${title} (${why})`);
  else it(title, test);
}
