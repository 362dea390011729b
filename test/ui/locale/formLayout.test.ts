import { sections } from '../../../src/shared/fields';
import { Words } from '../../support/l10n/words';
import { buildForm, FormPage } from '../form/formPage';
import { formMessage, noEdits, reviewMessage, sampleModel, search, server, sleeping } from '../form/samples';
import { itFits } from './fitting';

describe('the form’s layout in other languages', () => {
  itFits({
    name: 'layout',
    build: buildForm,
    open: (built, view) => FormPage.open(built, view),
    // Values and addresses may end in “…”, since they’re shown in full elsewhere.
    shortened: '.bar-title .help, .row-label, .row-summary, .visually-hidden',
    visit: async (form, look, locale) => {
      const words = new Words(locale);
      const say = (text: string, ...values: string[]) => words.say(text, ...values);
      await form.send(...withTroubles(say));
      for (const toggle of await form.page.locator('button.row-toggle').all()) await toggle.click();
      for (const section of sections) await form.section(section).waitFor();
      await look('troubles', true);
      await form.button(say('Review changes')).click();
      await form.send(reviewMessage({ notes: [say('No changes: the form matches the service.')] }));
      await look('review');
    },
  });
});

/** A form with a bit of everything, in the language’s own words. */
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
            previous: 'Ada Lovelace',
          },
        ],
      },
    }),
    { type: 'test', id: 'one', about: [], result: null } as const,
  ];
}
