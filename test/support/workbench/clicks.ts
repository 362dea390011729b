import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience';

const selectors = { action: '.action-label', button: '.monaco-button', row: '.monaco-list-row' };

/**
 * Calls `click`. Resolves to undefined if it hit an action, a button, or a row whose text or accessible name contains
 * `name`, or else to an error. If one is redrawn or moves while the mouse button is down, the click hits what is around it instead;
 * and a click may arrive even if the call timed out.
 */
export async function missedClick(
  page: Page,
  kind: keyof typeof selectors,
  name: string,
  click: () => Promise<void>,
): Promise<Error | undefined> {
  const next = await page.evaluateHandle(
    ({ action, button, row, wanted }) => {
      const heard: { on: string | undefined } = { on: undefined };
      const hear = ({ target }: MouseEvent) => {
        const element = (target as Element).closest(`${action}, ${button}, ${row}`);
        heard.on = element?.matches(wanted)
          ? `${element.getAttribute('aria-label') ?? ''} ${element.textContent}`
          : '';
      };
      document.addEventListener('click', hear, { capture: true, once: true });
      return heard;
    },
    { ...selectors, wanted: selectors[kind] },
  );
  const cause: unknown = await click().catch((error: unknown) => error);
  // If the page is gone, as after “Reload Window”, the click arrived.
  const arrived = await next.evaluate(({ on }, held) => on?.includes(held), name).catch(() => true);
  return arrived ? undefined : new Error(`No click on ${name} arrived`, { cause });
}

/** Clicks such an element until a click hits it: it may be redrawn or move meanwhile. */
export async function clickUntilHit(
  element: Locator,
  kind: keyof typeof selectors,
  name: string,
  click = () => element.click({ timeout: 5_000 }),
): Promise<void> {
  for (const end = Date.now() + patienceMs; ;) {
    const missed = await missedClick(element.page(), kind, name, click);
    if (!missed) return;
    if (Date.now() > end) throw missed;
  }
}
