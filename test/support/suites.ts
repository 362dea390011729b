import { existsSync } from 'node:fs';
import path from 'node:path';
import { inEveryRun } from '../real/support/releases';
import { testFiles } from './build';
import { projectFolder } from './paths';
import { hostProfiles, mainProfile } from './profiles';

/** Tests that run in a process of their own. */
export interface Suite {
  name: string;
  /** Arguments for Node. */
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** Needs real servers, which not every computer can have. */
  needsServers?: true;
  /** Runs at the same time: one of them mostly waits for its editor. */
  beside?: Suite;
}

const script = (name: string, ...args: string[]): string[] => [
  ...['--require', 'tsx/cjs', path.join(__dirname, name)],
  ...args,
];

const mocha = (...args: string[]): string[] => [
  path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js'),
  ...args,
];

/** A file of the unit tests. Mocha would only warn if it's missing, and run without it. */
function unit(...names: string[]): string {
  const file = path.join(projectFolder, 'test', 'unit', ...names);
  if (!existsSync(file)) throw new Error(`${file} is missing. Correct its name in suites.ts.`);
  return file;
}

/** Take most of a minute each: they compile copies of the source, and read files of 32 MiB. */
const slow = [unit('recipes.test.ts'), unit('settings', 'import', 'hostile.test.ts')];

/** Properties that are tested with fewer cases where there is little time. */
const properties = {
  files: [
    ...[unit('settings', 'interleavings.test.ts'), unit('live', 'interleavings.test.ts')],
    ...[unit('fuzz', 'answers.fuzz.test.ts'), unit('fuzz', 'secrets.fuzz.test.ts')],
  ],
  fewCases: { SETTINGS_MODEL_RUNS: '100', TRANSCRIPT_MODEL_RUNS: '100', FUZZ_RUNS: '100' },
  manyCases: { SETTINGS_MODEL_RUNS: '1000', TRANSCRIPT_MODEL_RUNS: '1000', FUZZ_RUNS: '1000' },
};

const forProfiles = (profiles: readonly string[]): string[] =>
  profiles.flatMap((profile) => ['--profile', profile]);

/** Connects, looks around, starts a conversation, approves, saves, and applies changes, in one window. */
const usersWay = path.join(projectFolder, 'test', 'ui', 'usersWay.test.ts');

/** What `npm test` runs: most of what can break, within minutes and without large downloads. */
export const mainSuites = (): Suite[] => [
  {
    name: 'unit',
    // Mocha compares the names as they are, and those of its configuration are relative.
    args: mocha(
      ...['--config', unit('.mocharc.cjs')],
      ...slow.flatMap((file) => ['--ignore', path.relative(projectFolder, file)]),
    ),
    env: properties.fewCases,
    beside: { name: 'host', args: script('runHost.ts', ...forProfiles([mainProfile])) },
  },
  { name: 'ui, a user’s way', args: script('runUi.ts', usersWay) },
];

/**
 * What `npm run test:all` runs besides. Mostly one after another: many windows, and real servers, each keep two cores
 * busy, and take as long side by side.
 */
export async function otherSuites(): Promise<Suite[]> {
  const otherUi = (await testFiles('test/ui')).filter((file) => file !== usersWay);
  const atLength: Suite = {
    name: 'unit, at length',
    args: mocha(
      ...['--no-config', '--require', 'tsx/cjs', '--timeout', '300000', '--forbid-only'],
      ...['--parallel', '--jobs', '2', '--reporter', path.join(__dirname, 'reporter.ts')],
      ...[...slow, ...properties.files],
    ),
    env: properties.manyCases,
    beside: {
      name: 'host, the oldest editor',
      args: script('runHost.ts', '--editor', 'oldest', ...forProfiles([mainProfile])),
    },
  };
  const otherProfiles: Suite = {
    name: 'host, other profiles',
    args: script('runHost.ts', ...forProfiles(hostProfiles.filter((one) => one !== mainProfile))),
  };
  const ui: Suite = { name: 'ui, the rest', args: script('runUi.ts', ...otherUi) };
  const real: Suite = {
    name: 'real servers',
    args: script('runReal.ts', ...inEveryRun.flatMap(({ version }) => ['--version', version])),
    needsServers: true,
  };
  return [atLength, otherProfiles, ui, real];
}
