import type { FrameLocator, Locator } from 'playwright-core';
import { commandIds } from '../../../src/ids';
import type { Workbench } from '../../support/workbench';

/** The tab of a conversation in a window on a real server. */
export class ConversationPage {
  readonly frame: FrameLocator;
  readonly composer: Locator;
  readonly steps: Locator;
  /** The actions that wait for approval. */
  readonly pending: Locator;

  constructor(private readonly workbench: Workbench) {
    this.frame = workbench.webview();
    this.composer = this.frame.locator('[data-composer]');
    this.steps = this.frame.locator('[data-event][data-kind="step"]');
    this.pending = this.frame.locator('[data-pending]');
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** Waits for a state of the agent. */
  execution(state: string): Promise<void> {
    return this.frame.locator(`[data-execution="${state}"]`).waitFor();
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.button('Send').click();
  }

  /** Rejects what waits, and waits until the transcript has the reason. */
  async reject(reason: string): Promise<void> {
    await this.button('Reject…').click();
    await this.frame.getByRole('textbox', { name: 'What should the agent do instead?' }).fill(reason);
    await this.button('Reject').click();
    await this.pending.waitFor({ state: 'detached' });
    await this.frame.getByText(reason).first().waitFor();
  }

  /** Approves until the agent has finished: a busy server ignores an approval while the step before still ends. */
  async approve(): Promise<void> {
    const isOver = this.frame.locator('[data-execution="finished"]');
    do {
      await this.button('Approve').click();
      await this.pending.waitFor({ state: 'detached' });
      await isOver.or(this.pending).first().waitFor();
    } while (!(await isOver.isVisible()));
  }

  /** Chooses when the agent asks, and waits for the words of the header. */
  async choosePolicy(choice: string, shown: string): Promise<void> {
    const { quickInput } = this.workbench;
    await this.workbench.runCommand(commandIds.conversationPolicy);
    await quickInput.waitFor('Select when the agent asks before it acts');
    await quickInput.pick(choice);
    await this.button(shown).waitFor();
  }
}
