import type { FrameLocator, Locator } from 'playwright-core';
import { commandIds } from '../../../src/ids';
import type { Workbench } from '../workbench';

/** The settings form in a window, and the questions it asks in the editor around it. */
export class SettingsForm {
  readonly frame: FrameLocator;
  /** What a save would change, shown before the first save of a panel. */
  readonly review: Locator;
  /** The offer to restore unsaved changes from earlier. */
  readonly draft: Locator;

  constructor(private readonly workbench: Workbench) {
    this.frame = workbench.webview();
    this.review = this.frame.getByRole('dialog', { name: this.say('Review changes') });
    this.draft = this.frame.getByRole('group', { name: this.say('Draft') });
  }

  private say(text: string): string {
    return this.workbench.words.say(text);
  }

  /** The control of a field, by its name in the API. */
  field(name: string): Locator {
    return this.frame.locator(`[data-field="${name}"]`);
  }

  section(name: string): Locator {
    return this.frame.locator(`[data-section="${name}"]`);
  }

  /** An MCP server's row by its name or URL. */
  server(label: string): Locator {
    return this.frame.locator(`[data-mcp="${label}"]`);
  }

  /** The row of a server that's parked on this computer. */
  parked(label: string): Locator {
    return this.frame.locator(`.parked [data-mcp="${label}"]`);
  }

  /** Parks or restores a server, confirming if asked, and waits for the message that it's done. */
  async move(label: string, button: 'Park' | 'Restore'): Promise<void> {
    const row = button === 'Park' ? this.server(label) : this.parked(label);
    await row.getByRole('button', { name: this.say(button), exact: true }).click();
    const agree = this.workbench.dialog().getByRole('button', { name: this.say('Save Anyway') });
    const said =
      button === 'Park'
        ? '{0} is parked: off the service, but kept on this computer.'
        : '{0} is back on the service.';
    const done = this.frame.getByText(this.workbench.words.say(said, label));
    await Promise.race([agree.waitFor(), done.waitFor()]);
    if (await agree.isVisible()) await agree.click();
    await done.waitFor();
  }

  provider(name: string): Locator {
    return this.frame.locator(`[data-provider="${name}"]`);
  }

  /** A button of the form by its English name. */
  button(name: string): Locator {
    return this.frame.getByRole('button', { name: this.say(name), exact: true });
  }

  /** Opens the form, and waits until it shows the settings. */
  async open(): Promise<void> {
    await this.workbench.runCommand(commandIds.settingsOpen);
    await this.section('model').waitFor();
  }

  /** Opens the form at the git providers, and waits until it has scrolled to them. */
  async openProviders(): Promise<void> {
    await this.workbench.runCommand(commandIds.settingsManageGitProviders);
    await this.frame.locator('#section-providers-title:focus').waitFor();
  }

  /** Closes the panel. */
  async close(): Promise<void> {
    const tab = this.workbench.tab(this.say('Service Settings'));
    await tab.click();
    await this.workbench.runCommand('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
  }

  /** Saves, confirming whatever the editor asks. Resolves when the save has succeeded or failed. */
  async save(): Promise<void> {
    await this.button('Save').click();
    const agree = this.workbench.dialog().getByRole('button', { name: this.say('Save Anyway') });
    const agreeToSend = this.workbench.dialog().getByRole('button', { name: this.say('Save'), exact: true });
    const fromReview = this.review.getByRole('button', { name: this.say('Save'), exact: true });
    const ended = this.frame.locator('.status[data-tone="good"], .status[data-tone="bad"]');
    for (;;) {
      await Promise.race([ended, agree, agreeToSend, fromReview].map((locator) => locator.waitFor()));
      if (await agree.isVisible()) await agree.click();
      else if (await agreeToSend.isVisible()) await agreeToSend.click();
      else if (await fromReview.isVisible()) await fromReview.click();
      else return;
    }
  }

  /** Saves and waits for success. */
  async saved(): Promise<void> {
    await this.save();
    await this.frame.locator('.status[data-tone="good"]').waitFor();
  }

  /** Reverts every unsaved change, confirming if asked. */
  async revert(): Promise<void> {
    await this.button('Revert').click();
    const agree = this.workbench.dialog().getByRole('button', { name: this.say('Discard'), exact: true });
    const ended = this.frame.locator('.status', { hasText: this.say('No unsaved changes') });
    await Promise.race([agree, ended].map((locator) => locator.waitFor()));
    if (await agree.isVisible()) await agree.click();
    await ended.waitFor();
  }

  /** Reads the settings again; only with nothing unsaved. */
  async reload(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** Clicks Replace in `place` and enters the value in the editor's own password input. */
  async replaceSecret(place: Locator, value: string): Promise<void> {
    const { quickInput } = this.workbench;
    await place
      .getByRole('button', { name: this.say('Replace') })
      .first()
      .click();
    await quickInput.input.waitFor();
    if (!(await quickInput.isPassword())) throw new Error('The input for a secret doesn’t hide it.');
    await quickInput.type(value);
    await quickInput.accept();
    await quickInput.waitForClosed();
  }

  /** Opens a server's row for editing. */
  openServer(label: string): Promise<Locator> {
    return openServerRow(this.server(label));
  }
}

/** Opens the row of a server for editing, and returns it. */
export async function openServerRow(row: Locator): Promise<Locator> {
  const toggle = row.locator('.row-toggle');
  if ((await toggle.getAttribute('aria-expanded')) !== 'true') await toggle.click();
  await row.locator('.row-editor').waitFor();
  return row;
}
