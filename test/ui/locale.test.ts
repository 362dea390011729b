import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { commandIds } from '../../src/ids';
import { pseudoLocale } from '../support/l10n/pseudo';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

/** `AW_TEST_LOCALE=de` shows German; else a made-up language, in which whatever was not translated stands out. */
const locale = process.env['AW_TEST_LOCALE'] ?? pseudoLocale;

/** All that is to be read in a part of the window, by eye or by ear. */
async function texts(part: Locator | FrameLocator): Promise<string[]> {
  const root = 'evaluateAll' in part ? part : part.locator('body');
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

uiSuite(
  `in another language, ${locale},`,
  (ui) => {
    const assertTranslated = async (part: Locator | FrameLocator) => {
      const found = await texts(part);
      assert.ok(
        found.some((text) => text.length > 3),
        'there is something to read',
      );
      assert.deepEqual(ui.workbench.words.leftInEnglish(found), []);
    };
    const picture = (name: string) => ui.workbench.screenshot(`${locale}-${name}-${ui.profile}`);

    it('welcomes', async () => {
      await ui.workbench.openAgentWorkspace();
      const { welcome } = ui.workbench.view('Sandboxes');
      await welcome.getByRole('button', { name: ui.workbench.words.say('Connect…') }).waitFor();
      await assertTranslated(ui.workbench.page.locator('.sidebar'));
      await picture('welcome');
    });

    it('connects and shows the lists', async () => {
      await connect(ui);
      const { words, notifications } = ui.workbench;
      await notifications.waitFor(words.say('Connected to {0}.', 'Team'));
      await notifications.clear();
      const [sandbox] = [...ui.service.state.sandboxes.keys()];
      await ui.workbench
        .view('Sandboxes')
        .row(sandbox ?? '')
        .waitFor();
      await ui.workbench.view('Conversations').pane.getByRole('treeitem').first().waitFor();
      await ui.workbench.view('Sandbox Specs').expand();
      await ui.workbench.view('Sandbox Specs').pane.getByRole('treeitem').first().waitFor();
      await assertTranslated(ui.workbench.page.locator('.sidebar'));
      await assertTranslated(ui.workbench.statusBarItem());
      await picture('lists');
    });

    it('asks', async () => {
      const { quickInput } = ui.workbench;
      await ui.workbench.runCommand(commandIds.sandboxStart);
      await quickInput.widget.locator('.monaco-list-row').first().waitFor();
      await assertTranslated(quickInput.widget);
      await picture('start');
      await quickInput.cancel();
    });

    it('shows the form', async () => {
      await ui.workbench.runCommand(commandIds.settingsOpen);
      await ui.workbench.tab(ui.workbench.words.say('Service Settings')).waitFor();
      const form = ui.workbench.webview();
      await form.locator('[data-section="model"]').waitFor();
      await assertTranslated(form);
      await form.locator('[data-mcp]').first().getByRole('button').first().click();
      await assertTranslated(form);
      assert.equal(await form.locator('html').getAttribute('lang'), locale);
      await picture('form');
    });
  },
  { locale },
);
