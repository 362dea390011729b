import type { Page } from 'playwright-core';

/**
 * Takes the focus from the window as another window would. Without a screen, each page has the focus, and some browsers
 * keep it there whatever comes to the front, so the page is told what a browser on a screen would tell it. Returns a
 * function that gives the focus back.
 */
export async function takeFocus(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    // A page that opened with the focus never got it.
    window.dispatchEvent(new Event('focus'));
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });
  return () =>
    page.evaluate(() => {
      Reflect.deleteProperty(document, 'hasFocus');
      window.dispatchEvent(new Event('focus'));
    });
}
