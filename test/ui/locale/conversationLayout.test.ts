import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { limitSchema } from '../../../src/shared/transcript';
import { action, lifelike, message, smallPicture } from '../../support/conversation/entries';
import { translatedLocales, translation } from '../../support/l10n/locales';
import { pseudoLocale } from '../../support/l10n/pseudo';
import { screenshotFolder } from '../../support/paths';
import { ConversationPage } from '../conversation/conversationPage';
import { buildPage, type Built } from '../support/builtPage';
import { themes } from '../support/themes';
import { cutOff } from './cutOff';

const widths = [320, 400, 1000];
const only = process.env['AW_TEST_LOCALE'];
/** What agents wrote scrolls or ends in “…”. */
const shortened =
  '.text, pre, code, .said, .summary, .title, .live-text, .outgoing-text, .attachments span, .scroller, .visually-hidden';

describe('a conversation’s layout in other languages', function () {
  this.timeout(60_000);
  let built: Built;

  before(async () => {
    mkdirSync(screenshotFolder, { recursive: true });
    built = await buildPage('conversation');
  });
  after(() => built.close());

  for (const locale of only === undefined ? [pseudoLocale, ...translatedLocales()] : [only]) {
    for (const width of widths) {
      it(`has room for every word of ${locale} in ${width} px`, async () => {
        const conversation = await ConversationPage.open(built, {
          theme: themes[0]!,
          width,
          height: 900,
          language: locale,
          translations: translation(locale).bundle,
        });
        const fits = async (name: string) => {
          await conversation.frame();
          await conversation.page.screenshot({
            path: path.join(screenshotFolder, `conversation-layout-${locale}-${width}-${name}.png`),
          });
          assert.deepEqual(await cutOff(conversation.page, shortened), [], name);
        };
        await conversation.begin([...lifelike(), message('user', 'Look', { id: 'm', images: 2 })], {
          execution: 'waiting_for_confirmation',
          sendEffect: 'rejects',
          masked: 2,
          pending: [action('a', 'rm -rf build', { risk: 'HIGH' })],
          outgoing: [{ id: 'o', text: 'Next', state: 'unknown', problem: '' }],
        });
        await conversation.send({
          type: 'attachments',
          attachments: [{ id: 'p', kind: 'picture', label: 'a.png', preview: smallPicture }],
        });
        await fits('waiting');
        for (const limit of limitSchema.options) {
          await conversation.setHead({ pending: [], execution: 'running', canInterrupt: true, limit });
          await fits(`limit-${limit}`);
        }
        await conversation.close();
      });
    }
  }
});
