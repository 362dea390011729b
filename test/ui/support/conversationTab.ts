import assert from 'node:assert/strict';
import type { ScriptStep } from '../../service/agent/script';
import { makeConversation, makeSandbox } from '../../service/service';
import type { UiSuite } from '../../support/ui';
import { connect } from './connect';

/** The conversation in these suites, alone in its sandbox. */
export const conversationId = '0123456789abcdef0123456789abcdef';
export const sandboxId = 'box';

/** Opens the turns that are folded, once there are entries. */
export async function unfoldTurns(ui: UiSuite): Promise<void> {
  const page = ui.workbench.webview();
  await page.locator('[data-event]').first().waitFor();
  const folded = page.locator('[data-key^="turn:"] button[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().click();
}

/**
 * The tab of the current conversation, and its agent.
 * @param id the conversation’s, if it isn’t the one that `connect` makes
 */
export const conversationTab = (ui: UiSuite, id = () => conversationId) => {
  const page = () => ui.workbench.webview();
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const composer = () => page().locator('[data-composer]');
  /** The first message with these words; an answer may quote them. */
  const said = (text: string) => page().locator('[data-kind="message"]', { hasText: text }).first();
  const agent = () => {
    const found = ui.service.agentOf(id());
    assert.ok(found);
    return found;
  };
  return {
    page,
    button,
    composer,
    said,
    agent,
    feed: () => page().locator('#feed'),
    step: (kind: string, text: string) => page().locator(`[data-step="${kind}"]`, { hasText: text }),
    /** Sends a message; the agent then does `script`. */
    send: async (text: string, ...script: ScriptStep[]) => {
      agent().script.splice(0, Infinity, ...script);
      await composer().fill(text);
      await button('Send').click();
      await said(text).waitFor();
    },
    /** Selects a conversation when a command asks for it. */
    choose: async (title: string) => {
      await ui.workbench.quickInput.waitFor('Select a conversation');
      await ui.workbench.quickInput.type(title);
      await ui.workbench.quickInput.pick(title);
    },
    /** Connects to a service with the conversation, in which `past` has already happened. */
    connect: async (title: string, asked: string, past: readonly ScriptStep[]) => {
      ui.service.state.sandboxes.set(sandboxId, makeSandbox({ id: sandboxId }));
      const record = makeConversation({
        id: conversationId,
        title,
        sandbox_id: sandboxId,
        execution_status: 'idle',
      });
      ui.service.state.conversations.set(conversationId, record);
      agent().replay(asked, past);
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    },
  };
};
