import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium';
import { SettingsDocument } from '../../src/features/settings/model/document';
import { checkConnection } from '../../src/api/service/connectionCheck';
import { safeguards } from '../unit/core/settings/safeguards';
import { saveAs } from '../unit/settings/support';
import { readState, restore, type State } from './support/agentState';
import { real, realClient, realSuite } from './support/suite';

const keepFirst = 'agent_settings.condenser.keep_first';

realSuite('Agent Canvas’s own page beside the form', ['agentServer'], function () {
  if (!real().release.isCanvas) return;
  this.timeout(180_000);
  let browser: Browser;
  let page: Page;

  let first: State;
  before(async () => {
    first = await readState();
    const { origin } = new URL(real().service.url);
    browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(60_000);
    await context.addInitScript(() => localStorage.setItem('openhands-onboarded', 'true'));
    // The page would also ask for things from the web.
    await context.route(
      (url) => url.origin !== origin,
      (route) => route.abort(),
    );
    page = await context.newPage();
    // Its answer makes the page read its settings again, and forget which ones it showed.
    await open('condenser');
    await saveInPage('confirm-telemetry-preferences', '/api/settings');
    await page.getByTestId('confirm-telemetry-preferences').waitFor({ state: 'detached' });
  });
  after(async () => {
    await browser.close();
    await restore(first);
  });

  const open = async (section: string) => {
    await page.goto(`${real().service.url}/settings/${section}`);
    await page.getByTestId('settings-screen').waitFor();
  };
  /** A field of the page’s section about the condenser. */
  const field = (name: string) => page.getByTestId(`sdk-settings-condenser.${name}`);
  const openCondenser = async () => {
    await open('condenser');
    await page.getByTestId('sdk-section-all-toggle').click();
    await field('keep_first').waitFor();
  };
  const saveInPage = async (button: string, route: string) => {
    const answered = page.waitForResponse(
      (answer) => answer.url().endsWith(route) && answer.request().method() !== 'GET',
    );
    await page.getByTestId(button).click();
    assert.ok((await answered).ok());
  };
  const load = async () => {
    const client = realClient();
    await checkConnection(client);
    return SettingsDocument.load(client, safeguards());
  };

  it('keeps what the page saves while the form has changes, and shows there what the form saves', async () => {
    const form = await load();
    await openCondenser();
    await field('max_size').fill('111');
    await saveInPage('save-button', '/api/settings');
    await open('secrets');
    await page.getByTestId('add-secret-button').click();
    await page.getByTestId('name-input').fill('FROM_PAGE');
    await page.getByTestId('value-input').fill('page-value');
    await page.getByTestId('description-input').fill('From the page');
    await saveInPage('submit-button', '/api/settings/secrets');

    const before = await readState();
    const values = { max_iterations: 41 };
    const { notes } = await saveAs('saved', form, { values, more: { [keepFirst]: 5 } });
    assert.deepEqual(notes, []);
    assert.deepEqual(before.secrets['FROM_PAGE'], { value: 'page-value', description: 'From the page' });
    assert.equal(before.condenser['max_size'], 111);
    assert.deepEqual(await readState(), {
      ...before,
      condenser: { ...before.condenser, keep_first: 5 },
      conversation: { ...before.conversation, max_iterations: 41 },
    });
    await openCondenser();
    assert.deepEqual(await Promise.all(['keep_first', 'max_size'].map((name) => field(name).inputValue())), [
      '5',
      '111',
    ]);
  });

  it('keeps what the form saves while the page has changes, and asks about what both changed', async () => {
    await openCondenser();
    await field('max_size').fill('112');
    const form = await load();
    const { document } = await saveAs('saved', form, { more: { [keepFirst]: 6 } });
    await saveInPage('save-button', '/api/settings');
    const { condenser } = await readState();
    assert.deepEqual([condenser['keep_first'], condenser['max_size']], [6, 112]);
    const more = { 'agent_settings.condenser.max_size': 113 };
    const { conflicts } = await saveAs('conflict', document, { more });
    assert.deepEqual(
      conflicts.map(({ mine, theirs }) => [mine, theirs]),
      [['113', '112']],
    );
    assert.deepEqual((await readState()).condenser, condenser);
  });
});
