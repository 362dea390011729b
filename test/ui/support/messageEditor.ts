import type { Locator } from 'playwright-core';
import { commandIds } from '../../../src/ids';
import type { Workbench } from '../../support/workbench';
import { clickUntilHit } from '../../support/workbench/clicks';

/** The editor for a new conversation’s message. */
export class MessageEditor {
  constructor(private readonly workbench: Workbench) {}

  get tab(): Locator {
    return this.workbench.tab(this.workbench.words.say('New Agent Conversation'));
  }

  /** Opens the editor with Start Conversation…. */
  async open(): Promise<void> {
    await this.workbench.runCommand(commandIds.conversationStart);
    await this.waitForOpen();
  }

  async waitForOpen(): Promise<void> {
    await this.tab.waitFor();
    await this.lines.waitFor();
  }

  async waitForClosed(): Promise<void> {
    await this.tab.waitFor({ state: 'detached' });
  }

  /** Types at the cursor, line breaks included. */
  async type(text: string): Promise<void> {
    await this.workbench.focusEditor();
    await this.workbench.page.keyboard.insertText(text);
    await this.workbench.page.locator('.tabs-container .tab.active.dirty').waitFor();
  }

  async clear(): Promise<void> {
    await this.workbench.focusEditor();
    await this.workbench.page.keyboard.press('ControlOrMeta+A');
    await this.workbench.page.keyboard.press('Delete');
  }

  /** Waits until the editor shows `words`. */
  async waitForText(words: string | RegExp): Promise<void> {
    await this.lines.getByText(words).first().waitFor();
  }

  /** Waits for the gray hint on the empty first line, and for the actions above. */
  async waitForHint(words: string): Promise<void> {
    await this.workbench.page.locator('.codelens-decoration').getByText('Start Conversation').waitFor();
    await this.workbench.page.waitForFunction(
      (hint) =>
        [...document.querySelectorAll('.view-line span')].some((part) =>
          getComputedStyle(part, '::after').content.includes(hint),
        ),
      words,
    );
  }

  /** Presses an action in the editor's title: "Start Conversation" or "Discard". */
  async press(action: string): Promise<void> {
    await clickUntilHit(this.action(action), 'action', action);
  }

  action(name: string): Locator {
    return this.workbench.page
      .locator('.editor-group-container.active .editor-actions')
      .getByRole('button', { name });
  }

  /** Starts with the keyboard, and waits for the question about options. */
  async send(): Promise<void> {
    await this.workbench.focusEditor();
    await this.workbench.page.keyboard.press('ControlOrMeta+Enter');
    await this.workbench.quickInput.waitFor(
      this.workbench.words.say('Press Enter to start, or select an option to change it'),
    );
  }

  /** Starts with the options that are shown. What the service may pause for it may be known only then, and shown first. */
  async start(): Promise<void> {
    const { quickInput, words } = this.workbench;
    const warning = quickInput.widget.getByPlaceholder(
      words.say('Check what the service may pause, then press Enter to start'),
    );
    await quickInput.accept();
    await Promise.race([this.waitForClosed(), this.workbench.dialog().waitFor(), warning.waitFor()]);
    if (await warning.isVisible()) await quickInput.accept();
  }

  private get lines(): Locator {
    return this.workbench.page.locator('.editor-group-container.active .editor-instance .view-lines').first();
  }
}
