import { commandIds } from '../../../src/ids';
import { closeServers, serve } from '../../unit/api/support/servers';
import { connectGrouped, enterConnection, ungroup } from '../support/connect';
import type { Abroad } from './support';

/** A new user’s path: welcome, walkthrough, and the steps of connecting, with everything that can go wrong. */
export function connecting(ui: Abroad): void {
  it('shows the welcome view', async () => {
    await ui.workbench.openAgentWorkspace();
    const { words, page } = ui.workbench;
    const { welcome } = ui.workbench.view('Conversations');
    await welcome.getByRole('button', { name: words.say('Connect…') }).waitFor();
    await ui.assertTranslated(page.locator('.sidebar'));
    await ui.assertButtonsFit();
    await ui.picture('welcome');
  });

  it('shows the walkthrough', async () => {
    const { words, page, quickInput } = ui.workbench;
    await ui.workbench.runCommand('Welcome: Open Walkthrough...');
    await quickInput.waitFor('Select a walkthrough');
    await quickInput.type(words.say('Get Started with Agent Workspace'));
    await quickInput.pick(words.say('Get Started with Agent Workspace'));
    for (const title of ['Connect to your service', 'Give an agent work', 'Configure the service']) {
      const step = page.locator('.getting-started-step').filter({ hasText: words.say(title) });
      await step.first().click();
      await step.locator('.monaco-button').first().waitFor();
      await ui.assertTranslated(step);
    }
    await ui.picture('walkthrough');
    await ui.workbench.closeAllEditors();
  });

  it('reports an invalid address', async () => {
    const { words, quickInput } = ui.workbench;
    const page = await serve((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title>'),
    );
    const gone = await serve(() => undefined);
    await gone.close();
    await ui.workbench.runCommand(commandIds.connectionConnect);
    await quickInput.waitFor(words.say('Enter the address of the service'));
    await ui.assertTranslated(quickInput.widget);
    for (const address of ['ftp://example.com', gone.origin, page.origin]) {
      await quickInput.type('http://');
      const wrong = quickInput.widget.locator('.monaco-inputbox.error');
      await wrong.waitFor();
      await quickInput.type(address);
      if (address.startsWith('http')) {
        // Enter works once the previous error is gone.
        await wrong.waitFor({ state: 'detached' });
        await quickInput.accept();
      }
      await wrong.waitFor();
      await ui.assertTranslated(quickInput.widget);
    }
    await quickInput.cancel();
    await closeServers();
  });

  it('reports a refused key', async () => {
    const { words, quickInput } = ui.workbench;
    await enterConnection(ui, { sessionKey: 'not-the-key' });
    await quickInput.waitForMessage(
      words.say('Enter another key, or press Enter again to save this one anyway.'),
    );
    await ui.assertTranslated(quickInput.widget);
    await ui.picture('key-refused');
    await quickInput.cancel();
  });

  it('connects', async () => {
    const { words, notifications } = ui.workbench;
    await connectGrouped(ui);
    await ui.assertTranslated(await notifications.waitFor(words.say('Connected to {0}.', 'Team')));
    await notifications.clear();
    await ungroup(ui.workbench);
  });
}
