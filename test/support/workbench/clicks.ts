import type { Page } from 'playwright-core';

/**
 * Clicks with `click`, and resolves to nothing if that was on an action or a row whose accessible name holds `name`; else
 * to why not. A row that is drawn anew while the button is down isn't clicked, and one can be clicked though the call
 * ran out of time.
 */
export async function missedClick(
  page: Page,
  name: string,
  click: () => Promise<void>,
): Promise<Error | undefined> {
  const next = await page.evaluateHandle(() => {
    const heard: { on: string | undefined } = { on: undefined };
    const hear = ({ target }: MouseEvent) => {
      const element = (target as Element).closest('.action-label, .monaco-list-row');
      heard.on = element?.getAttribute('aria-label') ?? '';
    };
    document.addEventListener('click', hear, { capture: true, once: true });
    return heard;
  });
  const cause: unknown = await click().catch((error: unknown) => error);
  // A page that goes away, as “Reload Window” has it, was clicked.
  const arrived = await next.evaluate(({ on }, held) => on?.includes(held), name).catch(() => true);
  return arrived ? undefined : new Error(`No click on ${name} arrived`, { cause });
}
