import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { translatedLocales } from '../../support/l10n/locales';
import { pseudoLocale } from '../../support/l10n/pseudo';
import { profiles, type Profile } from '../../support/profiles';
import { uiSuite, type UiSuite } from '../../support/ui';

/** A window in another language. */
export interface Abroad extends UiSuite {
  readonly locale: string;
  readonly isThorough: boolean;
  /** Fails if any of our text in a part of the window is in English, or if there’s no text. */
  assertTranslated(part: Locator | FrameLocator | readonly string[]): Promise<void>;
  /** Fails if the side bar has no buttons, or their labels are cut off. */
  assertButtonsFit(): Promise<void>;
  /** Takes a picture named after the language. */
  picture(name: string): Promise<void>;
}

/** A language under test. */
interface Language {
  locale: string;
  profiles: readonly Profile[];
  /** Whether every part of the window is looked at. */
  isThorough: boolean;
}

/**
 * The languages under test. `AW_TEST_LOCALE=ja` means Japanese with both profiles. By default, each profile gets one
 * language, since few words depend on the profile: a pseudo language, in which untranslated text stands out, and a real
 * one, which shows that the editor finds the package's translations.
 */
function languages(): Language[] {
  const locale = process.env['AW_TEST_LOCALE'];
  if (locale !== undefined) return [{ locale, profiles, isThorough: true }];
  const [real] = translatedLocales();
  return [
    { locale: pseudoLocale, profiles: ['observed'], isThorough: true },
    ...(real === undefined ? [] : [{ locale: real, profiles: ['documented'] as const, isThorough: false }]),
  ];
}

/** A suite in each language under test. */
export function abroadSuite(define: (ui: Abroad) => void): void {
  for (const language of languages())
    uiSuite(`in the language ${language.locale},`, (ui) => define(abroad(ui, language)), language);
}

function abroad(ui: UiSuite, { locale, isThorough }: Language): Abroad {
  const own = {
    locale,
    isThorough,
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
