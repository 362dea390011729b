import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { everyCase } from '../../support/everyCase';
import { numbered, translatedLocales, translation } from '../../support/l10n/locales';
import { pseudoLocale } from '../../support/l10n/pseudo';
import { takePicture } from '../../support/picture';
import type { Built } from '../support/builtPage';
import { themes } from '../support/themes';
import { cutOff } from './cutOff';

const widths = [320, 400, 1000];

/** Options for opening a page in a language. */
const viewOf = (locale: string, width: number) => ({
  theme: themes[0]!,
  width,
  height: 900,
  language: locale,
  translations: numbered(translation(locale).bundle),
});

/** Takes a picture of the page, and records what doesn’t fit. */
type Look = (name: string, fullPage?: boolean) => Promise<void>;

interface Fitting<Shown> {
  /** Prefix of the pictures’ names. */
  name: string;
  build: () => Promise<Built>;
  open: (built: Built, view: ReturnType<typeof viewOf>) => Promise<Shown>;
  /** Selector of elements that may end in “…”. */
  shortened: string;
  /** Takes the page through everything it can show. */
  visit: (shown: Shown, look: Look, locale: string) => Promise<void>;
}

/** Tests a page in each language, at each width. */
export function itFits<Shown extends { readonly page: Page }>(fitting: Fitting<Shown>): void {
  const only = process.env['AW_TEST_LOCALE'];
  let built: Built;

  before(async () => {
    built = await fitting.build();
  });
  after(() => built.close());

  for (const locale of only === undefined ? [pseudoLocale, ...translatedLocales()] : [only]) {
    it(`has room for every word of ${locale} at every width`, () =>
      everyCase(
        widths,
        (width) => `${width} px`,
        async (width) => {
          const misfits: string[] = [];
          const shown = await fitting.open(built, viewOf(locale, width));
          const look: Look = async (name, fullPage = false) => {
            await takePicture(shown.page, `${fitting.name}-${locale}-${width}-${name}`, { fullPage });
            misfits.push(...(await cutOff(shown.page, fitting.shortened)).map((one) => `${name}: ${one}`));
          };
          await fitting.visit(shown, look, locale);
          assert.deepEqual(misfits, []);
        },
      )).timeout(180_000);
  }
}
