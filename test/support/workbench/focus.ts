import type { Page } from 'playwright-core';

/**
 * Takes the focus from the window as another window would: the browser stops pretending that every page has the
 * focus, and another page comes to the front. Returns a function that gives the focus back.
 */
export async function takeFocus(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  await page.waitForFunction(() => !document.hasFocus(), undefined, { polling: 50 });
  return async () => {
    await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.bringToFront();
    await other.close();
    // Keep the session: if it ended, the page would lose this setting.
  };
}
