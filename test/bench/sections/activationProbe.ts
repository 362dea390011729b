import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

/** The probe's instructions, read from `plan.json` next to it. */
export interface ActivationPlan {
  /** Id of an extension to activate first, without measuring it. */
  warmUp: string;
  /** Extension ids, in the order to activate them. */
  order: string[];
  settleMs: number;
  resultFile: string;
  /** The probe ends once this file exists. */
  doneFile: string;
}

/** One activation, measured inside the extension host. */
export interface Activation {
  /** Wall time of `activate()`. */
  ms: number;
  /** CPU time of the process in the meantime, in milliseconds. Other load on the machine doesn't count. */
  cpuMs: number;
  /** Heap growth, in bytes. */
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
  // Gets the host's one-time work out of the way, so the first measured extension doesn't pay for it.
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
    // Lets work started by the activation finish.
    await delay(500);
    result[id] = { ms, cpuMs: (user + system) / 1000, heapKept: heapUsed() - before };
  }
  await vscode.commands.executeCommand('workbench.action.showRuntimeExtensions');
  writeFileSync(plan.resultFile, JSON.stringify(result));
  while (!existsSync(plan.doneFile)) await delay(50);
}
