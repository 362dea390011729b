import type { Page } from 'playwright-core';

/** What StrykerJS's code shares in a process; undefined unless `npm run mutation` runs. */
interface Shared {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}
const shared = () => (globalThis as { __stryker__?: Shared }).__stryker__;

/** Takes from a page which changes it reaches, for the test that runs. */
export async function takeReached(page: Page): Promise<void> {
  if (!shared()) return;
  await page.exposeFunction('reachedChange', (id: string) => {
    const { currentTestId, mutantCoverage } = shared() ?? {};
    if (currentTestId === undefined || !mutantCoverage) return;
    (mutantCoverage.perTest[currentTestId] ??= {})[id] = 1;
  });
}

/** A script that switches on in a page what is switched on in this process, and tells which changes it reaches. */
export function changeScript(): string {
  const { activeMutant } = shared() ?? {};
  if (!shared()) return '';
  return `{
    const reached = new Proxy({}, { set: (counts, id, count) => {
      if (!(id in counts)) window.reachedChange(id);
      counts[id] = count;
      return true;
    } });
    const activeMutant = ${activeMutant === undefined ? 'undefined' : JSON.stringify(activeMutant)};
    window.__stryker__ = { activeMutant, mutantCoverage: { static: reached, perTest: {} } };
  }`;
}
