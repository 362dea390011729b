import type { Page } from 'playwright-core';

const selectors = { action: '.action-label', row: '.monaco-list-row' };

/**
 * Clicks with `click`, and resolves to nothing if that was on an action or a row whose accessible name holds `name`; else
 * to why not. An action that is drawn anew while the button is down isn't clicked, but its row is, and one can be clicked
 * though the call ran out of time.
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
  // A page that goes away, as “Reload Window” has it, was clicked.
  const arrived = await next.evaluate(({ on }, held) => on?.includes(held), name).catch(() => true);
  return arrived ? undefined : new Error(`No click on ${name} arrived`, { cause });
}
