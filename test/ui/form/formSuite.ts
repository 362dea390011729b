import assert from 'node:assert/strict';
import type { HostMessage } from '../../../src/features/settings/shared/messages';
import { buildForm, FormPage, type Built } from './formPage';
import { formMessage } from './samples';
import { themes } from '../support/themes';

/**
 * Builds the form once per suite, opens it anew and fully drawn for each test, and fails on complaints.
 *
 * @param take gets each page, and the build
 * @param first the message sent before each test; null for none
 */
export function openForm(
  take: (form: FormPage, built: Built) => void,
  first: HostMessage | null = formMessage(),
): void {
  let built: Built;
  let form: FormPage;
  before(async () => {
    built = await buildForm();
  });
  after(() => built.close());
  beforeEach(async () => {
    form = await FormPage.open(built, { theme: themes[0]! });
    if (first) {
      await form.send(first);
      await form.page.locator('main[aria-busy="false"]').waitFor();
    }
    take(form, built);
  });
  afterEach(() => assert.deepEqual(form.complaints.splice(0), []));
}
