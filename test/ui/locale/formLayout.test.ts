import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { sections } from '../../../src/shared/fields';
import { translatedLocales, translation } from '../../support/l10n/locales';
import { pseudoLocale } from '../../support/l10n/pseudo';
import { Words } from '../../support/l10n/words';
import { screenshotFolder } from '../../support/paths';
import { buildForm, FormPage, type Built } from '../form/formPage';
import { formMessage, noEdits, reviewMessage, sampleModel, search, server, sleeping } from '../form/samples';
import { themes } from '../support/themes';
import { cutOff } from './cutOff';

const widths = [320, 400, 1000];
/** Values and addresses may end in “…”; they are in full elsewhere. */
const shortened = '.bar-title .help, .row-label, .row-summary, .visually-hidden';
const only = process.env['AW_TEST_LOCALE'];

describe('the form’s layout in other languages', function () {
  this.timeout(60_000);
  let built: Built;

  before(async () => {
    mkdirSync(screenshotFolder, { recursive: true });
    built = await buildForm();
  });
  after(() => built.close());

  for (const locale of only === undefined ? [pseudoLocale, ...translatedLocales()] : [only]) {
    for (const width of widths) {
      it(`has room for every word of ${locale} in ${width} px`, async () => {
        const form = await FormPage.open(built, {
          theme: themes[0]!,
          width,
          height: 900,
          language: locale,
          translations: translation(locale).bundle,
        });
        const words = new Words(locale);
        const say = (text: string, ...values: string[]) => words.say(text, ...values);
        const fits = async (name: string, fullPage: boolean) => {
          await form.page.screenshot({
            path: path.join(screenshotFolder, `layout-${locale}-${width}-${name}.png`),
            fullPage,
          });
          assert.deepEqual(await cutOff(form.page, shortened), [], name);
        };

        await form.send(...withTroubles(say));
        for (const toggle of await form.page.locator('button.row-toggle').all()) await toggle.click();
        for (const section of sections) await form.section(section).waitFor();
        await fits('troubles', true);
        await form.button(say('Review changes')).click();
        await form.send(reviewMessage({ notes: [say('No changes: the form matches the service.')] }));
        await fits('review', false);
        await form.close();
      });
    }
  }
});

/** A form with a bit of everything, in words as long as the language has them. */
function withTroubles(say: (text: string, ...values: string[]) => string) {
  const model = sampleModel();
  const [, ...others] = model.mcpServers;
  const refusal = say('Can’t connect: nothing is listening at this address.');
  return [
    formMessage(model, {
      providerChanges: [{ name: 'github', busy: true, error: refusal }],
      parked: [sleeping],
      notices: [say('Your unsaved changes from {0} are back.', '21/11/2026, 10:12:31')],
      offers: [{ id: 'a', words: [say('You left unsaved changes {0} ({1}).', say('just now'), '10:12')] }],
      edits: {
        ...noEdits,
        values: {
          llm_base_url: 'example.com',
          git_user_name: 'Grace Hopper',
          enable_sound_notifications: true,
        },
        secrets: { llm_api_key: 'replace', sandbox_api_key: 'clear' },
        mcpServers: [{ ...search, url: 'no address' }, ...others.slice(1), server({ id: 'new-1' })],
      },
      result: {
        kind: 'conflict',
        conflicts: [
          {
            key: 'git_user_name',
            label: say('Name'),
            mine: 'Grace',
            theirs: 'Ada King',
            former: 'Ada Lovelace',
          },
        ],
      },
    }),
    { type: 'test', id: 'one', result: null } as const,
  ];
}
