import type { Page } from 'playwright-core';

/**
 * What doesn’t fit: the page if it’s wider than the window, and elements whose text overflows or is cut off.
 *
 * @param shortened selector of elements that may end in “…”
 */
export function cutOff(page: Page, shortened: string): Promise<string[]> {
  return page.evaluate((mayBeShortened) => {
    const page = document.documentElement;
    const found = page.scrollWidth > page.clientWidth ? [`the page: ${page.scrollWidth} px`] : [];
    const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(mayBeShortened),
    );
    for (const element of shown) {
      const { left, right } = element.getBoundingClientRect();
      const isInline = getComputedStyle(element).display === 'inline';
      const isControl = element.matches('input, select, textarea, option');
      const isCut =
        !isInline &&
        !isControl &&
        (element.scrollWidth > element.clientWidth + 1 ||
          (element.matches('button, .pill') && element.scrollHeight > element.clientHeight + 1));
      if (isCut || left < -1 || right > page.clientWidth + 1) {
        found.push(`${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`);
      }
      if (element.matches('select')) {
        const measure = document.createElement('canvas').getContext('2d')!;
        measure.font = getComputedStyle(element).font;
        const { paddingLeft, paddingRight } = getComputedStyle(element);
        const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        const text = element.selectedOptions[0]?.text ?? '';
        if (measure.measureText(text).width > room + 1) found.push(`select: ${text}`);
      }
    }
    return found;
  }, shortened);
}
