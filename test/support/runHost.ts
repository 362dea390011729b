import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, parseArgs } from 'node:util';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { startService, type ProfileName } from '../service/service';
import { bundleHostTests, stageExtension } from './build';
import { launchChromium } from './chromium';
import { findEditor, type Editor } from './editor';
import { startServerMain } from './editor/codeServer';
import type { DesktopEditor } from './editor/desktop';
import { editorAges, type InstalledCodeServer } from './editor/install';
import { hostRunVariable, type HostRun } from './hostRun';
import { runMain, tempFolder, uniqueFolder } from './lifetime';
import { outFolder } from './paths';
import { hostProfiles } from './profiles';
import {
  addTotals,
  noTotals,
  readTotals,
  reportTotals,
  totalsLine,
  totalsOfEnded,
  type Totals,
} from './reporter';
import { collectViolations } from './violations';
import { createWorkspaceFolder } from './workspaceFolder';

/** A run that prints nothing for this long has lost its extension host. */
const silenceLimitMs = 180_000;

/** What one run works with. */
interface Run {
  /** The folder of the extension. */
  extension: string;
  /** The folder of the compiled tests. */
  tests: string;
  /** The folder opened in the editor. */
  workspace: string;
  /** Tells the extension host where its `HostRun` is. */
  env: Record<string, string>;
  /** Takes what the tests print. */
  print: (line: string) => void;
}

type ChosenTests = Pick<HostRun, 'grep' | 'orders'>;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      grep: { type: 'string' },
      profile: { type: 'string', multiple: true },
      editor: { type: 'string' },
      orders: { type: 'string' },
    },
  });
  const chosen = hostProfiles.filter((profile) => values.profile?.includes(profile) ?? true);
  if (chosen.length === 0) throw new Error(`--profile can be ${hostProfiles.join(' or ')}`);
  const age = editorAges.find((one) => one === (values.editor ?? 'newest'));
  if (age === undefined) throw new Error(`--editor can be ${editorAges.join(' or ')}`);

  const editor = await findEditor(age);
  const extension = await stageExtension();
  const tests = uniqueFolder(outFolder, 'host');
  await bundleHostTests(tests.path);

  const chosenTests: ChosenTests = {
    ...(values.grep !== undefined && { grep: values.grep }),
    ...(values.orders !== undefined && { orders: path.resolve(values.orders) }),
  };
  const folders = { extension: extension.path, tests: tests.path };
  // What a desktop editor prints can't be told apart, so there's one at a time.
  const isDesktop = editor.kind === 'desktop';
  const test = async (profile: ProfileName): Promise<Totals> => {
    const lines: string[] = [];
    const print = (line: string) => (isDesktop ? console.log(line) : void lines.push(line));
    print(`\nHost tests, service profile "${profile}"`);
    const totals = await runProfile(editor, profile, { ...folders, print }, chosenTests);
    if (!isDesktop) console.log(lines.join('\n'));
    return totals;
  };
  const all: Totals[] = [];
  if (isDesktop) for (const profile of chosen) all.push(await test(profile));
  // Each waits for its editor and its service half of the time.
  else all.push(...(await Promise.all(chosen.map(test))));
  const totals = addTotals(...all);
  await tests.remove();
  await extension.remove();
  reportTotals(totals);
  console.log(`\nHost: ${totalsLine(totals)}`);
  return totals.failed === 0 ? 0 : 1;
}

async function runProfile(
  editor: Editor,
  profile: ProfileName,
  given: Pick<Run, 'extension' | 'tests' | 'print'>,
  chosenTests: ChosenTests,
): Promise<Totals> {
  const service = await startService({ profile, seed: 'lifelike' });
  const violations = collectViolations(service);
  const results = await tempFolder();
  const workspace = await createWorkspaceFolder();
  const totalsFile = path.join(results.path, 'totals.json');
  const hostRun: HostRun = {
    profile,
    url: service.url,
    sessionKey: service.sessionKey,
    totalsFile,
    color: process.stdout.isTTY,
    ...chosenTests,
  };
  const hostRunFile = path.join(results.path, 'run.json');
  await writeFile(hostRunFile, JSON.stringify(hostRun));

  const run: Run = { ...given, workspace: workspace.path, env: { [hostRunVariable]: hostRunFile } };
  const passed = await (
    editor.kind === 'desktop' ? runInDesktop(editor.desktop, run) : runInCodeServer(editor.codeServer, run)
  ).catch((error: unknown) => {
    run.print(format(error));
    return false;
  });
  const counted = readTotals(totalsFile);
  let totals = totalsOfEnded(passed ? 0 : 1, counted);
  if (totals !== counted) run.print('The tests ended early; this counts as a failure.');
  totals = addTotals(totals, checkKeyOnEveryRequest(violations, run.print));

  await service.close();
  await workspace.remove();
  await results.remove();
  return totals;
}

/** A separate test of the whole run: the service notes each request without the session key's header. */
function checkKeyOnEveryRequest(violations: readonly unknown[], print: Run['print']): Totals {
  const title = 'sends the session key header with every request';
  if (violations.length === 0) {
    print(`  ✔ ${title}`);
    return { ...noTotals, passed: 1 };
  }
  print(`  ✘ ${title}; these lacked it:`);
  for (const violation of violations) print(`      ${JSON.stringify(violation)}`);
  return { ...noTotals, failed: 1 };
}

async function runInDesktop(desktop: DesktopEditor, run: Run): Promise<boolean> {
  const data = await tempFolder();
  const [command, ...firstArgs] = desktop.commandLine;
  try {
    await runTests({
      ...(command !== undefined && { vscodeExecutablePath: command }),
      extensionDevelopmentPath: run.extension,
      extensionTestsPath: path.join(run.tests, 'index'),
      extensionTestsEnv: run.env,
      launchArgs: [
        ...firstArgs,
        run.workspace,
        `--user-data-dir=${path.join(data.path, 'user')}`,
        `--extensions-dir=${path.join(data.path, 'ext')}`,
        '--disable-telemetry',
      ],
    });
    return true;
  } catch (error) {
    if (error instanceof TestRunFailedError) return false;
    throw error;
  } finally {
    await data.remove();
  }
}

async function runInCodeServer(installed: InstalledCodeServer, run: Run): Promise<boolean> {
  const editor = await startServerMain(installed, { testDriver: true, env: run.env });
  const browser = await launchChromium();
  const page = await browser.newPage();
  try {
    const { host } = new URL(editor.url);
    const remote = (folder: string): string => `vscode-remote://${host}${pathToFileURL(folder).pathname}`;
    const payload = [
      ['extensionDevelopmentPath', remote(run.extension)],
      ['extensionTestsPath', remote(path.join(run.tests, 'index'))],
      ['skipWelcome', 'true'],
    ];

    let heard = Date.now();
    const unread: string[] = [];
    const exitCode = new Promise<number>((resolve, reject) => {
      const watch = setInterval(() => {
        if (Date.now() - heard > silenceLimitMs) {
          clearInterval(watch);
          const last = unread.slice(-20).join('\n');
          reject(
            new Error(`The extension host printed nothing for ${silenceLimitMs / 1000} s. Before:\n${last}`),
          );
        }
      }, 1000);
      void page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
        heard = Date.now();
        const text = format(...args);
        if (noise.test(text)) unread.push(text);
        else run.print(type === 'error' || type === 'warn' ? `[${type}] ${text}` : text);
      });
      void page.exposeFunction('codeAutomationExit', (code: number) => {
        clearInterval(watch);
        resolve(code);
      });
    });
    const query = new URLSearchParams({
      folder: pathToFileURL(run.workspace).pathname,
      payload: JSON.stringify(payload),
    });
    await page.goto(`${editor.url}/?${query.toString()}`);
    return (await exitCode) === 0;
  } finally {
    await browser.close();
    await editor.stop();
  }
}

/** Startup chatter of the workbench, and its complaints about having no network. */
const noise =
  /^(Resolv(ing|ed) connection token|Creating a socket|Updating additional builtin|\[(reconnection-grace-time|Service Worker|AgentHost|AccountPolicyGate))|\/static\/out\/vs\/|^Error: \d+ failed/;

runMain(main);
