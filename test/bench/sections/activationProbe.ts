import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

/** What the probe is to do; `plan.json` beside it. */
export interface ActivationPlan {
  /** Id of an extension that is activated first and not measured. */
  warmUp: string;
  /** Extension ids, in the order in which they are activated. */
  order: string[];
  settleMs: number;
  resultFile: string;
  /** The probe ends when this file is there. */
  doneFile: string;
}

/** What the extension host tells of one activation. */
export interface Activation {
  /** Wall time of `activate()`. */
  ms: number;
  /** What the process computed meanwhile: other work of the machine does not count. */
  cpuMs: number;
  /** Bytes more on the heap afterwards. */
  heapKept: number;
}

/** By extension id. */
export type ActivationResult = Record<string, Activation>;

/** Called by the editor inside its extension host. */
export async function run(): Promise<void> {
  const plan = JSON.parse(readFileSync(path.join(__dirname, 'plan.json'), 'utf8')) as ActivationPlan;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
  await delay(plan.settleMs);
  // What the host does once, whichever extension comes first, is paid for before.
  await vscode.extensions.getExtension(plan.warmUp)?.activate();
  const result: ActivationResult = {};
  for (const id of plan.order) {
    const extension = vscode.extensions.getExtension(id);
    if (!extension) throw new Error(`There is no extension ${id}.`);
    if (extension.isActive) throw new Error(`${id} was activated by something else.`);
    const before = heapUsed();
    const cpuStart = process.cpuUsage();
    const start = performance.now();
    await extension.activate();
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpuStart);
    // What activation has begun is allowed to end.
    await delay(500);
    result[id] = { ms, cpuMs: (user + system) / 1000, heapKept: heapUsed() - before };
  }
  await vscode.commands.executeCommand('workbench.action.showRuntimeExtensions');
  writeFileSync(plan.resultFile, JSON.stringify(result));
  while (!existsSync(plan.doneFile)) await delay(50);
}
