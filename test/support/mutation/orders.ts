import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type Mocha from 'mocha';
import * as vscode from 'vscode';
import { failureText } from '../reporter';

/** Files of tests to run, with a change of StrykerJS's switched on, or with none. */
interface Order {
  files: string[];
  change?: string;
  /** A command to run first. */
  command?: string;
}

/** What came of an order. */
interface Outcome {
  /** The first failure. */
  failure?: { file: string | undefined; text: string };
  /** How often the change was reached. */
  hits: number | undefined;
  /** The milliseconds that each file took. */
  times: Record<string, number>;
  /** How often each file of tests has reached which change while none was on. */
  reached: unknown;
}

/** What StrykerJS's code shares in a process. */
interface Shared {
  activeMutant?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  currentTestId?: string;
  mutantCoverage?: unknown;
}
const holder = globalThis as { __stryker__?: Shared };

type RunFiles = (files: readonly string[], watch: (runner: Mocha.Runner) => void) => Promise<number>;

/** Runs tests as `host.mjs` orders it, one order after another, until the editor ends. */
export async function followOrders(folder: string, run: RunFiles): Promise<never> {
  const [orderFile, outcomeFile] = [path.join(folder, 'order.json'), path.join(folder, 'outcome.json')];
  for (;;) {
    while (!existsSync(orderFile)) await delay(50);
    const order = JSON.parse(await readFile(orderFile, 'utf8')) as Order;
    await rm(orderFile);
    // A part of it written isn't an outcome.
    await writeFile(`${outcomeFile}.part`, JSON.stringify(await follow(order, run)));
    await rename(`${outcomeFile}.part`, outcomeFile);
  }
}

async function follow({ files, change, command }: Order, run: RunFiles): Promise<Outcome> {
  const shared = (holder.__stryker__ ??= {});
  Object.assign(shared, { activeMutant: change, hitCount: 0, hitLimit: Infinity });
  if (command !== undefined) await vscode.commands.executeCommand(command);
  const times: Record<string, number> = {};
  let failure: Outcome['failure'];
  await run(files, (runner) => {
    runner.on('suite', ({ file }) => {
      if (file !== undefined) shared.currentTestId = path.basename(file);
    });
    const took = ({ file = '', duration = 0 }: Mocha.Runnable) => {
      times[path.basename(file)] = (times[path.basename(file)] ?? 0) + duration;
    };
    runner.on('test end', took).on('hook end', took);
    runner.on('fail', (test: Mocha.Runnable, error: unknown) => {
      const file = test.file === undefined ? undefined : path.basename(test.file);
      failure ??= { file, text: failureText(test.titlePath().join(': '), error) };
    });
  });
  return { ...(failure && { failure }), hits: shared.hitCount, times, reached: shared.mutantCoverage };
}
