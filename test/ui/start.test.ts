import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { commandIds } from '../../src/ids';
import { imageName } from '../../src/shared/imageName';
import { startService } from '../service/service';
import { launchChromium } from '../support/chromium';
import type { RunningEditor } from '../support/editor/codeServer';
import { tempFolder, type TempFolder } from '../support/lifetime';
import { projectFolder } from '../support/paths';
import { testMs } from '../support/patience';
import { isAlive, listProcesses, type ListedProcess } from '../support/processList';
import { Workbench } from '../support/workbench';
import { enterConnection } from './support/connect';

interface Started {
  npm: ChildProcess;
  /** npm's process group ID, same as its process ID: what Ctrl+C in a terminal reaches. */
  group: number;
  output: () => string;
  serviceUrl: string;
  editorUrl: string;
  /** npm and everything it started, directly or not. */
  processes: ListedProcess[];
}

describe('npm start', function () {
  this.timeout(testMs);
  let temp: TempFolder;
  let started: Started | undefined;

  beforeEach(async () => {
    temp = await tempFolder();
    started = undefined;
  });

  afterEach(async () => {
    for (const { pid } of started?.processes ?? []) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await temp.remove();
  });

  it('opens an editor connected to a lifelike service, can switch away and back, and stops everything on Ctrl+C', async () => {
    started = await start(temp.path);
    const other = await startService({ profile: 'observed', sandboxes: 1 });
    const browser = await launchChromium();
    try {
      const url = new URL(started.editorUrl);
      const editor = { url: url.origin } as RunningEditor;
      const workbench = await Workbench.open(browser, editor, url.searchParams.get('folder') ?? undefined);
      await workbench.openAgentWorkspace();
      const { sandboxes } = (await (await fetch(`${started.serviceUrl}/__control/state`)).json()) as {
        sandboxes: { id: string; sandbox_spec_id: string }[];
      };
      const [first] = sandboxes;
      assert.ok(first);
      await workbench.view('Sandboxes').row(imageName(first.sandbox_spec_id).name).waitFor();
      const { quickInput, notifications } = workbench;
      const connectToOther = (sessionKey: string) =>
        enterConnection({ workbench, service: other }, { name: 'Other', sessionKey });
      await connectToOther('not-the-key');
      await quickInput.waitForMessage('refused this session key');
      await quickInput.accept();
      const listedWith = (sessionKey: string) =>
        other.waitForRequest(
          ({ path, headers }) =>
            path.endsWith('/sandboxes/search') && headers['x-session-api-key'] === sessionKey,
          { after: 0 },
        );
      await workbench.dialog().getByRole('button', { name: 'Save Anyway' }).click();
      await listedWith('not-the-key');
      const messages = await notifications.messages();
      assert.ok(!messages.some((message) => message.includes('Connected')), messages.join());
      await connectToOther(other.sessionKey);
      await notifications.waitFor('Connected to Other');
      await listedWith(other.sessionKey);

      await workbench.runCommand(commandIds.connectionSwitch);
      await quickInput.row('Other').getByText('current').waitFor();
      await quickInput.row('Development').getByText('Available, key accepted').waitFor();
      await workbench.screenshot('switch-development');
      await quickInput.pick('Development');
      await quickInput.waitForClosed();
      await workbench.runCommand(commandIds.connectionSwitch);
      await quickInput.row('Development').getByText('current').waitFor();
      await quickInput.cancel();
    } finally {
      await browser.close();
      await other.close();
    }
    process.kill(-started.group, 'SIGINT');
    await assertAllGone(started, temp.path);
  });

  it('stops everything when the editor exits', async () => {
    started = await start(temp.path);
    const editor = started.processes.find(({ commandLine }) => commandLine.includes('server-main.js'));
    assert.ok(editor);
    const exit = once(started.npm, 'exit');
    process.kill(editor.pid, 'SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    assert.match(started.output(), /The editor has ended\./);
    await assertAllGone(started, temp.path);
  });

  it('leaves nothing behind when killed', async () => {
    started = await start(temp.path);
    process.kill(-started.group, 'SIGKILL');
    await assertAllGone(started, temp.path);
  });
});

async function start(tempPath: string): Promise<Started> {
  const npm = spawn('npm', ['start', '--', '--no-open'], {
    cwd: projectFolder,
    env: { ...process.env, TMPDIR: tempPath },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const opened = new Promise<void>((resolve, reject) => {
    const read = (text: string): void => {
      output += text;
      if (/^Open http/m.test(output)) resolve();
    };
    npm.stdout.setEncoding('utf8').on('data', read);
    npm.stderr.setEncoding('utf8').on('data', read);
    npm.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  await opened;
  const [serviceUrl, editorUrl] = [/^Service: (\S+)/m, /^Open (\S+)/m].map((line) => line.exec(output)?.[1]);
  assert.ok(serviceUrl && editorUrl && npm.pid !== undefined);
  const processes = descendants(npm.pid);
  assert.ok(processes.length >= 3, 'npm, this script and the editor');
  return { npm, group: npm.pid, output: () => output, serviceUrl, editorUrl, processes };
}

function descendants(root: number): ListedProcess[] {
  const all = listProcesses();
  const family = new Set([root]);
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

async function assertAllGone({ processes, serviceUrl, editorUrl }: Started, tempPath: string): Promise<void> {
  const alive = (): ListedProcess[] => {
    const living = new Set(listProcesses().map(({ pid }) => pid));
    return processes.filter(({ pid }) => living.has(pid));
  };
  for (let tries = 0; alive().length > 0 && tries < 200; tries++) await delay(50);
  assert.deepEqual(
    alive().map(({ commandLine }) => commandLine),
    [],
  );
  for (const url of [serviceUrl, editorUrl]) {
    await assert.rejects(fetch(url), (error: Error) => String(error.cause).includes('ECONNREFUSED'));
  }
  assert.deepEqual(
    (await readdir(tempPath)).filter((name) => name.startsWith('aw-')),
    [],
  );
}
