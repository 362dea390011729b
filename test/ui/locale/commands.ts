import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import { MessageEditor } from '../support/messageEditor';
import type { Abroad } from './support';

/** What commands ask and show. */
export function commands(ui: Abroad): void {
  const say = (text: string, ...values: string[]) => ui.workbench.words.say(text, ...values);
  /** Runs a command, checks its question, and cancels. */
  const asks = async (id: string, words: string, act?: () => Promise<void>) => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(id);
    await quickInput.waitFor(say(words));
    // The palette’s rows stay until the command’s rows appear.
    await quickInput.widget
      .locator(`[data-quick-input-id^="agentWorkspace."]`)
      .first()
      .waitFor({ state: 'detached' });
    await quickInput.widget.locator('.monaco-list-row').first().waitFor();
    await ui.assertTranslated(quickInput.widget);
    await ui.picture(`asks-${id}`);
    await act?.();
    await quickInput.cancel();
  };
  /** Runs a command, checks the question before it acts, and cancels. */
  const warns = async (id: string, agree: string, begin?: () => Promise<void>) => {
    await ui.workbench.runCommand(id);
    await begin?.();
    const dialog = ui.workbench.dialog();
    await dialog.getByRole('button', { name: say(agree) }).waitFor();
    await ui.assertTranslated(dialog.locator('.dialog-message-row'));
    await ui.picture(`warns-${id}`);
    await ui.workbench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };

  it('asks in quick picks', async () => {
    const { quickInput } = ui.workbench;
    await asks(commandIds.connectionSwitch, 'Select a connection', async () => {
      await quickInput.row('Team').getByText(say('Available, key accepted')).waitFor();
      await ui.assertTranslated(quickInput.widget);
    });
    await asks(commandIds.sandboxStart, 'Select a sandbox spec');
    await asks(commandIds.sandboxPause, 'Select a sandbox');
    await asks(commandIds.conversationOpen, 'Select a conversation');
    await asks(commandIds.conversationGroup, 'Group conversations by');
    await asks(commandIds.conversationSort, 'Sort conversations by (those waiting for you stay first)');
    await asks(commandIds.conversationFilter, 'Filter by', async () => {
      await quickInput.pick(say('State'));
      await quickInput.row(say('Any')).waitFor();
      await ui.assertTranslated(quickInput.widget);
    });
    await ui.workbench.runCommand(commandIds.sessionSetKey);
    await quickInput.waitFor(say('Leave empty to use the stored key'));
    await ui.assertTranslated(quickInput.widget);
    await quickInput.cancel();
  });

  it('asks before actions that can’t be undone', async () => {
    await warns(commandIds.sandboxPauseAll, 'Pause All');
    await warns(commandIds.sandboxResumeAll, 'Resume All');
    await warns(commandIds.sessionClearKey, 'Clear Key');
    await warns(commandIds.connectionRemove, 'Remove', () => ui.workbench.quickInput.pick('Team'));
  });

  it('shows that a filter is active', async () => {
    const { quickInput, page } = ui.workbench;
    await ui.workbench.runCommand(commandIds.conversationFilter);
    await quickInput.pick(say('Title'));
    await quickInput.waitFor(say('Part of the title. Leave empty for any.'));
    await ui.assertTranslated(quickInput.widget);
    await quickInput.type('there is no such title');
    await quickInput.accept();
    await quickInput.waitForClosed();
    const { welcome } = ui.workbench.view('Conversations');
    await welcome.getByRole('button', { name: say('Clear Filter') }).waitFor();
    await ui.assertTranslated(page.locator('.sidebar'));
    await ui.assertButtonsFit();
    await ui.picture('no-match');
    await ui.workbench.runCommand(commandIds.conversationClearFilter);
    await ui.workbench.view('Conversations').pane.getByRole('treeitem').first().waitFor();
  });

  it('takes a message and the options of a new conversation', async () => {
    const { quickInput, page } = ui.workbench;
    const message = new MessageEditor(ui.workbench);
    await message.open();
    await ui.assertTranslated(page.locator('.editor-group-container.active'));
    await ui.picture('message-empty');
    await message.type('Greet people by their first name');
    await message.send();
    await ui.assertTranslated(quickInput.widget);
    await ui.picture('message-choices');
    for (const [part, words] of [
      ['Sandbox', 'Select a sandbox'],
      ['Model', 'Select a model or enter its name'],
      ['Title', 'Enter a title, or leave it empty to let the service generate one'],
    ] as const) {
      await quickInput.pick(say(part));
      await quickInput.waitFor(say(words));
      await ui.assertTranslated(quickInput.widget);
      // The editor’s own button.
      await quickInput.button('Back').click();
      await quickInput.waitFor(say('Press Enter to start, or select an option to change it'));
    }
    await quickInput.cancel();
    await message.press(say('Discard'));
    const dialog = ui.workbench.dialog();
    await dialog.getByText(say('Discard this message?')).waitFor();
    await ui.assertTranslated(dialog.locator('.dialog-message-row'));
    await dialog.getByRole('button', { name: say('Discard') }).click();
    await message.waitForClosed();
  });

  it('diagnoses the connection', async () => {
    const { notifications } = ui.workbench;
    await ui.workbench.runCommand(commandIds.connectionDiagnose);
    await ui.assertTranslated(
      await notifications.waitFor(say('The report is ready. It contains no secrets.')),
    );
    const report = (await ui.workbench.wholeEditorText()).split('\n').map((line) => line.trim());
    assert.ok(report.includes(say('The service answers and accepts the session key.')));
    await ui.assertTranslated(report);
    await ui.picture('diagnosis');
    await notifications.clear();
    await ui.workbench.closeAllEditors();
  });
}
