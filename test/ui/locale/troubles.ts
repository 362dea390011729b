import { sandboxLabel } from '../../support/sandboxLabel';
import { SettingsForm } from '../../support/workbench/settingsForm';
import type { Abroad } from './support';
import { pauseSandbox } from '../support/pauseSandbox';

/** What users see when the service fails. */
export function troubles(ui: Abroad): void {
  const say = (text: string) => ui.workbench.words.say(text);
  const conversations = () => ui.workbench.view('Conversations');
  const sandboxes = () => ui.workbench.view('Sandboxes');

  it('says that the rows are stale', async () => {
    ui.service.fail({
      times: 'always',
      path: '/api/v1/*',
      effect: { kind: 'answer', status: 503, text: 'down', headers: { 'retry-after': '0' } },
    });
    await sandboxes().clickTitleAction(say('Refresh'));
    await ui.workbench.view('Conversations').message.waitFor();
    await ui.assertTranslated(ui.workbench.page.locator('.sidebar'));
    await ui.assertTranslated(ui.workbench.statusBarItem());
    await ui.picture('stale');
    ui.service.clearFailures();
  });

  it('says why an action failed', async () => {
    const [sandbox] = [...ui.service.state.sandboxes.values()].filter(({ status }) => status === 'RUNNING');
    const { id } = sandbox ?? { id: '' };
    await sandboxes().clickTitleAction(say('Refresh'));
    await ui.workbench.view('Conversations').message.waitFor({ state: 'hidden' });
    ui.service.fail({
      method: 'POST',
      path: `/api/v1/sandboxes/${id}/pause`,
      effect: { kind: 'answer', status: 403, body: { error: 'not today' } },
    });
    await pauseSandbox(ui, sandboxLabel(ui.service, id));
    const { notifications } = ui.workbench;
    await ui.assertTranslated(
      await notifications.waitFor(
        say('Couldn’t pause {0}.').replace('{0}', say('“{0}”').replace('{0}', sandboxLabel(ui.service, id))),
      ),
    );
    await ui.picture('refused');
    await notifications.clear();
  });

  it('reports a refused key', async () => {
    ui.service.fail({ times: 'always', effect: { kind: 'answer', status: 401, body: { error: 'no' } } });
    await ui.workbench.reload();
    await ui.workbench.openAgentWorkspace();
    await conversations()
      .welcome.getByRole('button', { name: say('Set Session Key…') })
      .waitFor();
    await ui.assertTranslated(ui.workbench.page.locator('.sidebar'));
    await ui.assertTranslated(ui.workbench.statusBarItem());
    await ui.assertButtonsFit();
    await ui.picture('refused-key');
  });

  it('reports that nothing responds', async () => {
    await ui.service.close();
    await conversations()
      .welcome.getByRole('button', { name: say('Try Again') })
      .click();
    // A refused key has this button, too.
    const setKey = conversations().welcome.getByRole('button', { name: say('Set Session Key…') });
    await setKey.waitFor({ state: 'detached' });
    await conversations()
      .welcome.getByRole('button', { name: say('Try Again') })
      .waitFor();
    await ui.assertTranslated(ui.workbench.page.locator('.sidebar'));
    await ui.assertTranslated(ui.workbench.statusBarItem());
    await ui.assertButtonsFit();
    await ui.picture('nothing-answers');
    const form = new SettingsForm(ui.workbench);
    await ui.workbench.runCommand('agentWorkspace.settings.open');
    await form.button('Try Again').waitFor();
    await ui.assertTranslated(form.frame);
  });
}
