import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startCodeServer } from '../../support/editor/codeServer';
import { Workbench } from '../../support/workbench';
import { createWorkspaceFolder } from '../../support/workspaceFolder';
import { connectWindow } from '../support/connected';
import { atMost, pairFigures, type Figure, type Pair } from '../support/figures';
import { browser, editor, packaged } from '../support/packaged';
import { startServiceProcess } from '../support/serviceProcess';
import { lists } from './refresh';

const giveUpMs = 30_000;
/** The activity bar ignores a second click on an icon within this time, taking it for an accident. */
const slipMs = 300;

/** A view to open: its container's title, and its own. */
interface Target {
  container: string;
  view: string;
}
const ours: Target = { container: 'Agent Workspace', view: 'Conversations' };
const beside: Target = { container: 'Bench Row', view: 'First' };
const fetched: Target = { container: 'Bench Fetched', view: 'Fetched' };

type List = (typeof lists)[number];

/** The packaged extension in a workbench: from a click on the activity bar to the first row on the screen. */
export async function openingFigures(runs: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const list of lists) {
    const isShort = list.count === 100;
    // None of our code is loaded before the click.
    const cold = await openings(list, runs, { 'agentWorkspace.watchSeconds': 0 }, isShort);
    const name = `workbench, ${list.name} conversations: first opening`;
    const row = 'a view of one fixed row';
    const goal = isShort ? { ratio: atMost(1.5) } : {};
    if (isShort) {
      // Our code is loaded soon after the window opens, to watch the conversations.
      const { first } = await openings(list, runs, {}, false);
      figures.push(...pairFigures(name, row, 'ms', first, goal));
    }
    figures.push(...pairFigures(`${name}, without watching`, row, 'ms', cold.first, goal));
    if (isShort)
      figures.push(
        ...pairFigures('  compared with rows from a bare fetch', 'rows from a bare fetch', 'ms', cold.bare),
      );
    figures.push(...pairFigures('  opened again', row, 'ms', cold.again));
  }
  return figures;
}

interface Openings {
  first: Pair[];
  again: Pair[];
  /** The first opening paired with a view of rows from a bare fetch, if requested. */
  bare: Pair[];
}

async function openings(
  list: List,
  runs: number,
  settings: Record<string, unknown>,
  withBare: boolean,
): Promise<Openings> {
  const { extensionsFolder } = await packaged();
  const service = await startServiceProcess(list.profile, list.count, list.count);
  const server = await startCodeServer(await editor(), {
    extensionsFolder,
    settings: {
      'agentWorkspace.connections': [{ name: 'Bench', url: service.url }],
      benchFetched: { url: service.url, key: service.sessionKey },
      ...settings,
    },
  });
  const isWatching = !('agentWorkspace.watchSeconds' in settings);
  const newFolder = async () => (await createWorkspaceFolder()).path;
  let workbench = await Workbench.open(await browser(), server, await newFolder());
  await connectWindow(workbench, service);

  /**
   * Opens a window that has the key and shows none of the views. Returns a function that opens them and returns their
   * times.
   */
  const inNewWindow = async (...targets: Target[]) => {
    const next = await workbench.openSecondWindow(await newFolder());
    await workbench.close();
    workbench = next;
    await extensionsRun(workbench.page);
    if (isWatching) await workbench.statusBarItem().waitFor();
    return async () => {
      const times = new Map<Target, number>();
      for (const target of targets) times.set(target, await open(workbench.page, target));
      return times;
    };
  };

  const found: Openings = { first: [], again: [], bare: [] };
  for (let index = 0; index < runs; index += 1) {
    const order = (target: Target) => (index % 2 === 0 ? [beside, target] : [target, beside]);
    const openAll = await inNewWindow(...order(ours));
    for (const pairs of [found.first, found.again]) {
      const times = await openAll();
      pairs.push({ ours: times.get(ours)!, beside: times.get(beside)! });
    }
    if (!withBare) continue;
    // In its own window, because the first fetch in a window makes Node load its fetch.
    const times = await (await inNewWindow(...order(fetched)))();
    found.bare.push({ ours: found.first.at(-1)!.ours, beside: times.get(fetched)! });
  }
  await workbench.close();
  await server.stop();
  await service.stop();
  return found;
}

/**
 * Waits until the window runs extensions, as the focus extension shows. On a busy machine, the workbench is usable long
 * before that, and the first view opened would pay for starting the extension host.
 */
async function extensionsRun(page: Page): Promise<void> {
  await page.locator('.statusbar-item', { hasText: 'bench-focused-' }).first().waitFor({ timeout: 120_000 });
}

/** Milliseconds from pressing the mouse on the container's icon to the frame in which the view has a row. */
async function open(page: Page, { container, view }: Target): Promise<number> {
  const icon = page.locator('.activitybar [role="tab"]', {
    has: page.locator(`.action-label[aria-label^="${container}"]`),
  });
  const armed = await page.evaluateHandle((title) => {
    let pressed = 0;
    document.addEventListener('mousedown', () => (pressed = performance.now()), {
      capture: true,
      once: true,
    });
    const hasRow = () =>
      [...document.querySelectorAll('.sidebar .pane')].some(
        (pane) =>
          pane.querySelector('.pane-header')?.getAttribute('aria-label')?.startsWith(title) &&
          pane.querySelector('[role="treeitem"]') !== null,
      );
    const elapsed = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (pressed === 0 || !hasRow()) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    return { elapsed };
  }, view);
  await icon.click();
  const elapsed = await Promise.race([
    armed.evaluate((state) => state.elapsed),
    delay(giveUpMs).then(async () => {
      const shown = await page.locator('.sidebar').innerText();
      throw new Error(`No row of ${view} within ${giveUpMs} ms; the sidebar shows: ${shown}`);
    }),
  ]);
  await armed.dispose();
  await delay(slipMs);
  return elapsed;
}
