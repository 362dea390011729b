import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { extensionId } from '../../../src/ids';
import { startServerMain, type RunningEditor } from '../../support/editor/codeServer';
import { tempFolder } from '../../support/lifetime';
import { projectFolder } from '../../support/paths';
import { atMost, figure, pairFigures, type Pair } from '../support/figures';
import { browser, editor, packaged } from '../support/packaged';
import type { Section } from '../support/section';
import {
  emptyExtension,
  floorExtension,
  probeExtension,
  tinyExtensionId,
  writeTinyExtension,
} from '../support/tinyExtension';
import type { Activation, ActivationPlan, ActivationResult } from './activationProbe';

const settleMs = 7_000;
const giveUpMs = 120_000;
const emptyId = tinyExtensionId(emptyExtension);
const floorId = tinyExtensionId(floorExtension());
/** As the editor lists them. */
const displayNames: Record<string, string> = {
  [extensionId]: 'Agent Workspace',
  [emptyId]: emptyExtension.name,
  [floorId]: floorExtension().name,
};

/** Measurements from one fresh extension host by extension id, with the time that its window reports. */
type Host = Record<string, Activation & { reportedMs: number }>;

export const activation: Section = {
  title:
    'compared with an empty extension and one that registers the same ids, in the same fresh extension hosts',
  measure: async (runs = 7) => {
    const { path: folder } = await tempFolder();
    const extensionsFolder = await prepare(folder);
    const server = await startServerMain(await editor(), { testDriver: true, extensionsFolder });
    const hosts: Host[] = [];
    for (let index = 0; index < runs; index += 1) {
      const ids = [emptyId, floorId, extensionId];
      const order = [...ids.slice(index % 3), ...ids.slice(0, index % 3)];
      hosts.push(await measureHost(server, folder, order));
    }
    await server.stop();
    const pairs = (value: (of: Host[string]) => number, beside = emptyId): Pair[] =>
      hosts.map((host) => ({ ours: value(host[extensionId]!), beside: value(host[beside]!) }));
    return [
      ...pairFigures(
        'activate(), wall',
        'empty extension',
        'ms',
        pairs(({ ms }) => ms),
        {
          ratio: atMost(2),
        },
      ),
      ...pairFigures(
        'activate(), wall',
        'the same ids with empty bodies',
        'ms',
        pairs(({ ms }) => ms, floorId),
        { ratio: atMost(1.1) },
      ),
      ...pairFigures(
        '  CPU time',
        'empty extension',
        'ms',
        pairs(({ cpuMs }) => cpuMs),
      ),
      ...pairFigures(
        '  CPU time',
        'the same ids with empty bodies',
        'ms',
        pairs(({ cpuMs }) => cpuMs, floorId),
      ),
      ...pairFigures(
        'as VS Code reports it',
        'empty extension',
        'ms',
        // VS Code reports whole milliseconds; 0 means less than 1.
        pairs(({ reportedMs }) => Math.max(reportedMs, 0.5)),
        { ours: atMost(8) },
      ),
      figure(
        'heap kept',
        'MB',
        hosts.map((host) => host[extensionId]!.heapKept / 1e6),
        atMost(1.5),
      ),
      figure(
        '  empty extension',
        'MB',
        hosts.map((host) => host[emptyId]!.heapKept / 1e6),
      ),
    ];
  },
};

/**
 * Installs the extensions, with ours set to wait for the probe, and builds the probe. Returns the extensions folder.
 */
async function prepare(folder: string): Promise<string> {
  const { extensionsFolder, extensionFolder } = await packaged();
  const installed = path.join(folder, 'ext');
  cpSync(extensionsFolder, installed, { recursive: true });
  const manifestFile = path.join(installed, path.basename(extensionFolder), 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, unknown>;
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, activationEvents: [] }));
  writeTinyExtension(probeExtension, path.join(folder, 'development'));
  mkdirSync(path.join(folder, 'workspace'));
  await build({
    entryPoints: [path.join(projectFolder, 'test', 'bench', 'sections', 'activationProbe.ts')],
    outfile: path.join(folder, 'probe', 'index.js'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return installed;
}

async function measureHost(server: RunningEditor, folder: string, order: string[]): Promise<Host> {
  const plan: ActivationPlan = {
    warmUp: tinyExtensionId(probeExtension),
    order,
    settleMs,
    resultFile: path.join(folder, 'result.json'),
    doneFile: path.join(folder, 'done'),
  };
  for (const file of [plan.resultFile, plan.doneFile]) rmSync(file, { force: true });
  writeFileSync(path.join(folder, 'probe', 'plan.json'), JSON.stringify(plan));

  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 2400 } });
  const page = await context.newPage();
  let exitCode: number | undefined;
  const said: string[] = [];
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    if (type === 'error') said.push(format(...args));
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => void (exitCode = code));
  const { host } = new URL(server.url);
  const remote = (...parts: string[]) =>
    `vscode-remote://${host}${pathToFileURL(path.join(folder, ...parts)).pathname}`;
  const query = new URLSearchParams({
    folder: pathToFileURL(path.join(folder, 'workspace')).pathname,
    payload: JSON.stringify([
      // The editor accepts only one development folder, so the extensions to measure are installed.
      ['extensionDevelopmentPath', remote('development')],
      ['extensionTestsPath', remote('probe', 'index')],
      ['skipWelcome', 'true'],
    ]),
  });
  await page.goto(`${server.url}/?${query.toString()}`);
  for (const end = Date.now() + giveUpMs; !existsSync(plan.resultFile);) {
    if (exitCode !== undefined) throw new Error(`The probe failed in its extension host: ${said.join('\n')}`);
    if (Date.now() > end) throw new Error(`The probe returned no result within ${giveUpMs} ms.`);
    await delay(50);
  }
  const result = JSON.parse(readFileSync(plan.resultFile, 'utf8')) as ActivationResult;
  const measured: Host = {};
  for (const [id, values] of Object.entries(result)) {
    measured[id] = { ...values, reportedMs: await reportedTime(page, displayNames[id] ?? id) };
  }
  writeFileSync(plan.doneFile, '');
  while (exitCode === undefined) await delay(20);
  await context.close();
  return measured;
}

/** Activation time in the editor's list of running extensions, in whole milliseconds. */
async function reportedTime(page: Page, name: string): Promise<number> {
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', {
    has: page.locator('.name').getByText(name, { exact: true }),
  });
  const text = await row.locator('.activation-time').innerText();
  const [, ms] = /: (\d+)ms/.exec(text) ?? [];
  if (ms === undefined) throw new Error(`The editor shows "${text}" as the activation time of ${name}.`);
  return Number(ms);
}
