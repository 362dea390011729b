import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import Mocha from 'mocha';
import { developmentEnvironment } from '../../src/ids';
import { hostRunVariable, setHostRun, type HostRun } from '../support/hostRun';
import { followOrders } from '../support/mutation/orders';
import { patienceMs } from '../support/patience';
import { mainProfile } from '../support/profiles';
import { watchRequests, type Stray } from '../support/requestGuard';
import TotalsReporter from '../support/reporter';

/** Whether a file tests what agent servers do, which is the same whatever service is beside them. */
const ofAgents = (name: string) => path.dirname(name) === 'agents';

/** Called by the editor inside its extension host; rejects if a test failed. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const hostRun = JSON.parse(readFileSync(process.env[hostRunVariable] ?? '', 'utf8')) as HostRun;
  setHostRun(hostRun);
  // The connection of an extension under development or test; it activates when a test first uses it.
  process.env[developmentEnvironment.url] = hostRun.url;
  process.env[developmentEnvironment.sessionKey] = hostRun.sessionKey;

  const strays: Stray[] = [];
  const { origin } = new URL(hostRun.url);
  watchRequests({ origin, sessionKey: hostRun.sessionKey }, (stray) => strays.push(stray));

  const runFiles = async (names: readonly string[], watch?: (runner: Mocha.Runner) => void) => {
    strays.length = 0;
    const mocha = new Mocha({
      ui: 'bdd',
      timeout: patienceMs,
      forbidOnly: true,
      bail: hostRun.orders !== undefined,
      color: hostRun.color,
      reporter: TotalsReporter as unknown as Mocha.ReporterConstructor,
      reporterOptions: { totalsFile: hostRun.totalsFile },
      ...(hostRun.grep !== undefined && { grep: hostRun.grep }),
    });
    mocha.suite.afterAll('no service data was sent elsewhere', () => assert.deepEqual(strays, []));
    for (const name of names) {
      const file = path.join(__dirname, name);
      Reflect.deleteProperty(require.cache, file);
      mocha.addFile(file);
    }
    return new Promise<number>((resolve) => {
      const runner = mocha.run(resolve).on('fail', (_test, error: Error) => {
        if (error.stack) error.stack = withSourcePositions(error.stack);
      });
      watch?.(runner);
    });
  };
  if (hostRun.orders !== undefined) return followOrders(hostRun.orders, runFiles);
  const all = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort();
  const failures = await runFiles(
    all.filter((name) => name.endsWith('.test.js') && (hostRun.profile === mainProfile || !ofAgents(name))),
  );
  if (failures > 0) throw new Error(`${failures} failed`);
}

/** Maps stacks of the compiled tests, since the editor replaces Node's own mapping. */
function withSourcePositions(stack: string): string {
  return stack.replace(
    /(\/[^\s():]+\.js):(\d+):(\d+)/g,
    (position, file: string, line: string, column: string) => {
      const origin = findSourceMap(file)?.findOrigin(Number(line), Number(column));
      return origin && 'fileName' in origin
        ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
        : position;
    },
  );
}
