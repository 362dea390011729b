import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { translatedLocales } from '../../support/l10n/locales';
import { pseudoLocale } from '../../support/l10n/pseudo';
import { profiles, type Profile } from '../../support/profiles';
import { uiSuite, type UiSuite } from '../../support/ui';

/** A window in another language. */
export interface Abroad extends UiSuite {
  readonly locale: string;
  /** Fails if any of our text in a part of the window is in English, or if there’s no text. */
  assertTranslated(part: Locator | FrameLocator | readonly string[]): Promise<void>;
  /** Fails if the side bar has no buttons, or their labels are cut off. */
  assertButtonsFit(): Promise<void>;
  /** Takes a picture named after the language. */
  picture(name: string): Promise<void>;
}

/**
 * The languages under test, each with its profiles: `AW_TEST_LOCALE=ja` means Japanese with both. By default, each
 * profile gets one language, since few words depend on the profile: a pseudo language, in which untranslated text
 * stands out, and a real one.
 */
function languages(): (readonly [locale: string, among: readonly Profile[]])[] {
  const locale = process.env['AW_TEST_LOCALE'];
  if (locale !== undefined) return [[locale, profiles]];
  const [real] = translatedLocales();
  return [[pseudoLocale, ['observed']], ...(real === undefined ? [] : [[real, ['documented']] as const])];
}

/** A suite in each language under test. */
export function abroadSuite(define: (ui: Abroad) => void): void {
  for (const [locale, among] of languages()) {
    const options = { locale, profiles: among };
    uiSuite(`in the language ${locale},`, (ui) => define(abroad(ui, locale)), options);
  }
}

function abroad(ui: UiSuite, locale: string): Abroad {
  const own = {
    locale,
    async assertTranslated(part: Locator | FrameLocator | readonly string[]) {
      const found = part instanceof Array ? part : await texts(part);
      assert.ok(
        found.some((text) => text.length > 3),
        'there is something to read',
      );
      assert.deepEqual(ui.workbench.words.leftInEnglish(found), []);
    },
    async assertButtonsFit() {
      const buttons = ui.workbench.page.locator('.sidebar .monaco-button:visible');
      const widths = await buttons.evaluateAll((all) =>
        all.map((each) => each.scrollWidth - each.clientWidth),
      );
      assert.ok(widths.length > 0);
      assert.ok(Math.max(...widths) <= 0, String(widths));
    },
    picture: (name: string) => ui.workbench.screenshot(`${locale}-${name}-${ui.profile}`),
  };
  // The suite’s members exist only once it has started.
  return Object.assign(Object.create(ui) as UiSuite, own);
}

/** All text in a part of the window, including text for screen readers. */
async function texts(part: Locator | FrameLocator): Promise<string[]> {
  const root = 'evaluateAll' in part ? part : part.locator('body');
  await root.first().waitFor();
  return root.evaluateAll((elements) =>
    elements.flatMap((element) =>
      [element, ...element.querySelectorAll('*')].flatMap((each) => [
        ...[...each.childNodes].flatMap((node) =>
          node.nodeType === 3 ? [(node.textContent ?? '').trim()] : [],
        ),
        ...['title', 'aria-label', 'placeholder', 'alt'].flatMap((name) => each.getAttribute(name) ?? []),
      ]),
    ),
  );
}
