import type { Page } from 'playwright-core';

const selectors = { action: '.action-label', row: '.monaco-list-row' };

/**
 * Calls `click`. Resolves to undefined if it hit an action or a row whose accessible name contains `name`, or else to
 * an error. If an action is redrawn while the button is down, the click hits its row instead; and a click may arrive
 * even if the call timed out.
 */
export async function missedClick(
  page: Page,
  kind: keyof typeof selectors,
  name: string,
  click: () => Promise<void>,
): Promise<Error | undefined> {
  const next = await page.evaluateHandle(
    ({ action, row, wanted }) => {
      const heard: { on: string | undefined } = { on: undefined };
      const hear = ({ target }: MouseEvent) => {
        const element = (target as Element).closest(`${action}, ${row}`);
        heard.on = element?.matches(wanted) ? (element.getAttribute('aria-label') ?? '') : '';
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
