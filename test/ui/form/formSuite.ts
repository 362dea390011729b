import assert from 'node:assert/strict';
import type { HostMessage } from '../../../src/shared/messages';
import { buildForm, FormPage, type Built } from './formPage';
import { formMessage } from './samples';
import { themes } from '../support/themes';

/**
 * Builds the form once for a suite, opens it in a page of its own for each test with everything drawn, and fails if the
 * page complained.
 *
 * @param take is given each page, and what was built
 * @param first the message that the page has got when a test begins; null for none
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
  afterEach(async () => {
    assert.deepEqual(form.complaints, []);
    await form.close();
  });
}
