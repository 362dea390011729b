import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

/** What the probe is to do; `plan.json` beside it. */
export interface ActivationPlan {
  /** Extension ids, in the order in which they are activated. */
  order: string[];
  settleMs: number;
  resultFile: string;
  /** The probe ends when this file is there. */
  doneFile: string;
}

/** By extension id: wall time of `activate()`, and bytes more on the heap afterwards. */
export type ActivationResult = Record<string, { ms: number; heapKept: number }>;

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
  const result: ActivationResult = {};
  for (const id of plan.order) {
    const extension = vscode.extensions.getExtension(id);
    if (!extension) throw new Error(`There is no extension ${id}.`);
    if (extension.isActive) throw new Error(`${id} was activated by something else.`);
    const before = heapUsed();
    const start = performance.now();
    await extension.activate();
    const ms = performance.now() - start;
    // What activation has begun is allowed to end.
    await delay(500);
    result[id] = { ms, heapKept: heapUsed() - before };
  }
  await vscode.commands.executeCommand('workbench.action.showRuntimeExtensions');
  writeFileSync(plan.resultFile, JSON.stringify(result));
  while (!existsSync(plan.doneFile)) await delay(50);
}
