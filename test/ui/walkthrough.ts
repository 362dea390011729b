import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { takesPictures } from '../support/picture';
import type { UiSuite } from '../support/ui';
import type { Theme } from '../support/workbench';
import { connectGrouped } from './support/connect';

/** The walkthrough, in a window that isn’t connected yet. */
export function walkthrough(ui: UiSuite): void {
  const page = () => ui.workbench.page;
  const step = (title: string) => page().locator('.getting-started-step').filter({ hasText: title }).first();
  const done = (title: string) => step(title).locator('.codicon.complete').first();
  const titles = [
    'Connect to your service',
    'See your sandboxes and agents',
    'Give an agent work',
    'Read and approve',
    'Bring changes home',
    'Configure the service',
  ];

  const picture = () => ui.workbench.webview().locator('svg');

  async function openWalkthrough(): Promise<void> {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand('Welcome: Open Walkthrough...');
    await quickInput.waitFor('Select a walkthrough');
    await quickInput.type('Get Started with Agent Workspace');
    await quickInput.pick('Get Started with Agent Workspace');
    await quickInput.waitForClosed();
    await step(titles[0] ?? '').waitFor();
  }

  it('has six steps, each with a button and a picture', async () => {
    // A narrow editor hides the pictures.
    await ui.workbench.resize(1700, 950);
    await openWalkthrough();
    assert.equal(await page().locator('.getting-started-step').count(), titles.length);
    for (const [index, title] of titles.entries()) {
      await step(title).click();
      await step(title).locator('.monaco-button').first().waitFor();
      await picture().waitFor();
      await ui.workbench.screenshot(`walkthrough-${index + 1}`);
    }
    const themes: Theme[] = takesPictures ? ['dark', 'hc-dark', 'hc-light', 'light'] : [];
    for (const theme of themes) {
      await ui.workbench.setTheme(theme);
      await step(titles[1] ?? '').click();
      await step(titles[1] ?? '')
        .locator('.monaco-button')
        .first()
        .waitFor();
      await ui.workbench.screenshot(`walkthrough-${theme}`);
    }
  });

  it('marks no step that can’t be done before there is a connection', async () => {
    await ui.workbench.resize(1280, 800);
    for (const title of titles.slice(3)) {
      await step(title).click();
      await step(title).locator('.monaco-button').first().click();
      await ui.workbench.notifications.waitFor('This window isn’t connected');
      await ui.workbench.notifications.clear();
      await openWalkthrough();
      assert.equal(await done(title).count(), 0, title);
    }
  });

  it('marks completed steps', async () => {
    for (const title of [titles[0], titles[5]]) assert.equal(await done(title ?? '').count(), 0);
    await connectGrouped(ui);
    await ui.workbench.notifications.waitFor('Connected to Team');
    await ui.workbench.notifications.clear();
    await done(titles[0] ?? '').waitFor({ state: 'attached' });
    await done(titles[1] ?? '').waitFor({ state: 'attached' });
    assert.equal(await done(titles[2] ?? '').count(), 0);
    await ui.workbench.runCommand(commandIds.sandboxStart);
    await ui.workbench.quickInput.pick('Service default');
    await ui.service.waitForRequest(({ method, path }) => method === 'POST' && path === '/api/v1/sandboxes', {
      after: 0,
    });
    await done(titles[2] ?? '').waitFor({ state: 'attached' });
    await step(titles[5] ?? '').click();
    await step(titles[5] ?? '')
      .locator('.monaco-button')
      .first()
      .click();
    await ui.workbench.tab('Service Settings').waitFor();
    await ui.workbench.closeAllEditors();
    await openWalkthrough();
    await done(titles[5] ?? '').waitFor({ state: 'attached' });
    await ui.workbench.screenshot(`walkthrough-done-${ui.profile}`);
  });
}
