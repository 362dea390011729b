import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {{ files: string[], change?: string, command?: string }} Order
 * @typedef {Record<string, Record<string, number>>} Reached
 * @typedef {{ static: Record<string, number>, perTest: Reached }} Coverage
 * @typedef {{ failure?: { file?: string, text: string }, hits: number, times: Record<string, number>, reached?: Coverage }} Outcome
 */

const folder = 'out/orders';
const orderFile = `${folder}/order.json`;
const outcomeFile = `${folder}/outcome.json`;
const reachedFile = `${folder}/reached.json`;
const testFiles = (process.env['MUTATION_TESTS'] ?? '')
  .split('\n')
  .map((file) => `${path.basename(file, '.ts')}.js`);

/**
 * Runs host tests for StrykerJS, in its copy of the project. What it calls a test is a file of tests here. An extension
 * host serves many changes, since it takes longer to start than the tests take, unless it's in doubt.
 */
class HostRunner {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  host;
  output = '';

  capabilities() {
    return { reloadEnvironment: true };
  }

  /** The copy comes without the editors. */
  async init() {
    await mkdir(folder, { recursive: true });
    if (!existsSync('.vscode-test')) await symlink(path.resolve('../../../.vscode-test'), '.vscode-test');
  }

  /** @param {{ timeout: number }} options */
  async dryRun({ timeout }) {
    // What runs on the first command of all isn't the doing of the file that happens to have it.
    const command = 'agentWorkspace.view.refresh';
    const outcome = await this.follow({ files: testFiles, command }, timeout);
    if (!outcome || outcome.failure)
      return { status: 'error', errorMessage: outcome?.failure?.text ?? this.output };
    const mutantCoverage = coverage(outcome.reached ?? { static: {}, perTest: {} });
    await writeFile(reachedFile, JSON.stringify(mutantCoverage.perTest));
    const tests = testFiles.map((name) => ({
      ...{ id: name, name, status: 0 },
      timeSpentMs: outcome.times[name] ?? 0,
    }));
    return { status: 'complete', tests, mutantCoverage };
  }

  /** @param {{ activeMutant: { id: string }, testFilter?: string[], timeout: number, reloadEnvironment: boolean }} options */
  async mutantRun({ activeMutant: { id }, testFilter = testFiles, timeout, reloadEnvironment }) {
    /** @type {Reached} */
    const reached = JSON.parse(await readFile(reachedFile, 'utf8'));
    const often = (/** @type {string} */ name) => reached[name]?.[id] ?? 0;
    const files = [...testFilter].sort((one, other) => often(other) - often(one));
    const order = { change: id, files };
    const isFresh = reloadEnvironment || !this.host;
    if (isFresh) await this.dispose();
    let outcome = await this.follow(order, timeout - 20_000);
    if (!isFresh && outcome && (await this.isInDoubt(outcome, timeout))) {
      await this.dispose();
      outcome = await this.follow(order, timeout - 20_000);
    }
    if (!outcome) return { status: 'timeout' };
    const counts = { nrOfTests: files.length, killedBy: [outcome.failure?.file].filter(Boolean) };
    return outcome.failure
      ? { status: 'killed', failureMessage: outcome.failure.text, ...counts }
      : { status: 'survived', ...counts };
  }

  /**
   * An earlier change may be why tests fail, which then fail without this one as well, or why they don't reach it.
   * @param {Outcome} outcome
   * @param {number} timeout
   */
  async isInDoubt({ failure, hits }, timeout) {
    if (!failure) return hits === 0;
    if (failure.file === undefined) return true;
    const again = await this.follow({ files: [failure.file] }, timeout);
    return !again || again.failure !== undefined;
  }

  /**
   * What came of an order; undefined if it took too long, or the host has ended.
   * @param {Order} order
   * @param {number} timeout
   * @returns {Promise<Outcome | undefined>}
   */
  async follow(order, timeout) {
    const host = (this.host ??= this.start());
    await rm(outcomeFile, { force: true });
    await writeFile(`${orderFile}.part`, JSON.stringify(order));
    await rename(`${orderFile}.part`, orderFile);
    for (const end = Date.now() + timeout; !existsSync(outcomeFile); await delay(50)) {
      if (host.exitCode === null && Date.now() < end) continue;
      await this.dispose();
      return undefined;
    }
    return JSON.parse(await readFile(outcomeFile, 'utf8'));
  }

  start() {
    const host = spawn(
      process.execPath,
      [
        ...['--require', 'tsx/cjs', 'test/support/runHost.ts'],
        ...['--profile', 'observed', '--orders', folder],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TEST_PATIENCE_MS: '30000' } },
    );
    for (const stream of [host.stdout, host.stderr])
      stream.on('data', (data) => (this.output = (this.output + String(data)).slice(-4000)));
    return host;
  }

  async dispose() {
    const { host } = this;
    this.host = undefined;
    await rm(orderFile, { force: true });
    if (host?.exitCode !== null) return;
    const ended = once(host, 'exit');
    host.kill();
    await ended;
  }
}

/**
 * What runs only while the extension starts, the other files need as well: StrykerJS calls it static, and runs all tests
 * in a new host.
 * @param {Coverage} reached
 * @returns {Coverage}
 */
function coverage({ static: early, perTest }) {
  const later = new Set(Object.values(perTest).flatMap((ids) => Object.keys(ids)));
  return { static: Object.fromEntries(Object.entries(early).filter(([id]) => !later.has(id))), perTest };
}

/** Tells of each change at once, since they take long. */
const each = {
  /** @param {{ status: string, fileName: string, location: { start: { line: number } }, replacement: string, statusReason?: string }} change */
  onMutantTested({ status, fileName, location: { start }, replacement, statusReason = '' }) {
    const [reason] = statusReason.split('\n');
    console.log(`${status} ${path.relative('.', fileName)}:${start.line}: → ${replacement} (${reason})`);
  },
};

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'host', injectableClass: HostRunner },
  { kind: 'Reporter', name: 'each', value: each },
];
