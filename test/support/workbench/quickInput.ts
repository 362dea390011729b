import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience';
import { clickUntilHit } from './clicks';

export interface QuickItem {
  label: string;
  description: string;
  detail: string;
  /** What a screen reader says. */
  ariaLabel: string;
  /** Whether its box is checked, where several can be selected. */
  checked: boolean;
}

/** The widget at the top of the window that palettes, quick picks and input boxes share. */
export class QuickInput {
  readonly widget: Locator;
  /** The text field. */
  readonly input: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget');
    this.input = this.widget.locator('.quick-input-box input');
  }

  isOpen(): Promise<boolean> {
    return this.widget.isVisible();
  }

  /** Waits for an input whose title, placeholder or prompt contains `words`. */
  async waitFor(words: string | RegExp): Promise<void> {
    const matches = (text: string): boolean =>
      typeof words === 'string' ? text.includes(words) : words.test(text);
    await this.poll(
      async () => matches(await this.words()),
      async () => `no input with ${String(words)} opened; the open one has: ${await this.words()}`,
    );
  }

  /** Waits until the widget is gone. */
  async waitForClosed(): Promise<void> {
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** Title, placeholder and prompt (or validation message) of the open input, one per line; empty if none is open. */
  async words(): Promise<string> {
    if (!(await this.isOpen())) return '';
    const parts = await Promise.all([this.title(), this.placeholder(), this.message()]);
    return parts.filter(Boolean).join('\n');
  }

  title(): Promise<string> {
    return this.visibleText('.quick-input-title');
  }

  async placeholder(): Promise<string> {
    return (await this.input.getAttribute('placeholder')) ?? '';
  }

  /** The prompt of an input box, or its validation message while there is one. */
  message(): Promise<string> {
    return this.visibleText('.quick-input-message');
  }

  /** Waits for a prompt or validation message that contains `words`. */
  async waitForMessage(words: string | RegExp): Promise<void> {
    await this.widget.locator('.quick-input-message', { hasText: words }).waitFor();
  }

  /** The severity of the validation message. */
  async severity(): Promise<'none' | 'info' | 'warning' | 'error'> {
    const classes =
      (await this.widget.locator('.quick-input-box .monaco-inputbox').getAttribute('class')) ?? '';
    return (
      (['error', 'warning', 'info'] as const).find((name) => classes.split(' ').includes(name)) ?? 'none'
    );
  }

  /** Whether the field hides what is typed. */
  async isPassword(): Promise<boolean> {
    return (await this.input.getAttribute('type')) === 'password';
  }

  value(): Promise<string> {
    return this.input.inputValue();
  }

  /** Replaces the field's text. */
  async type(text: string): Promise<void> {
    await this.input.fill(text);
  }

  /** Presses Enter in the field. */
  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  /** Closes the input, as Escape does. In the field: a key that comes before it has the focus goes elsewhere. */
  async cancel(): Promise<void> {
    await this.input.press('Escape');
    await this.waitForClosed();
  }

  /**
   * The rows on the screen, once there are any. A long list shows only some of them: type to narrow it. The palette's
   * rows stay until those of the command appear.
   */
  async items(): Promise<QuickItem[]> {
    const rows = this.widget.locator('.quick-input-list .monaco-list-row');
    if (!(await this.value()).startsWith('>')) {
      const palettes = this.widget.locator('[data-quick-input-id^="agentWorkspace."]');
      await palettes.first().waitFor({ state: 'detached' });
      await rows.first().waitFor();
    }
    return rows.evaluateAll((elements) =>
      elements.map((row) => {
        const text = (selector: string): string => row.querySelector(selector)?.textContent ?? '';
        return {
          label: text('.label-name'),
          description: text('.label-description'),
          detail: text('.quick-input-list-label-meta .label-name'),
          ariaLabel: row.getAttribute('aria-label') ?? '',
          checked: row.querySelector('[role="checkbox"]')?.getAttribute('aria-checked') === 'true',
        };
      }),
    );
  }

  /** The row with exactly this label. */
  row(label: string): Locator {
    return this.widget.locator('.quick-input-list .monaco-list-row', {
      has: this.page
        .locator('.quick-input-list-row:first-child .label-name')
        .getByText(label, { exact: true }),
    });
  }

  /** Waits for the row with exactly this label and selects it. */
  async pick(label: string): Promise<void> {
    const row = this.row(label).first();
    await row.waitFor();
    // A pointer that rests on another row would open a hover over this one.
    await this.page.mouse.move(0, 0);
    await clickUntilHit(row, 'row', label);
  }

  /** Checks or unchecks a row, where several can be selected; `accept` confirms. */
  async toggle(label: string): Promise<void> {
    await clickUntilHit(this.row(label).first().getByRole('checkbox'), 'row', label);
  }

  /** A button of the title bar or inside the field, by its accessible name ("Back"). */
  button(name: string): Locator {
    return this.widget.getByRole('button', { name });
  }

  /** Clicks a button of a row by its accessible name; the button appears when the row is hovered. */
  async clickRowButton(label: string, name: string): Promise<void> {
    const row = this.row(label).first();
    await row.hover();
    await row.getByRole('button', { name }).click();
  }

  /** Waits until the field's text begins with `start`. */
  async waitForValue(start: string, timeoutMs?: number): Promise<void> {
    await this.poll(
      async () => (await this.isOpen()) && (await this.value()).startsWith(start),
      async () => `the input’s text isn’t ${start}…: ${await this.words()}`,
      timeoutMs,
    );
  }

  /** Waits until no input is open whose text begins with `start`. */
  async waitForLeaving(start: string): Promise<void> {
    await this.poll(
      async () => !(await this.isOpen()) || !(await this.value()).startsWith(start),
      () => Promise.resolve(`the input’s text is still ${start}…`),
    );
  }

  private async visibleText(selector: string): Promise<string> {
    const element = this.widget.locator(selector).first();
    return (await element.isVisible()) ? (await element.innerText()).trim() : '';
  }

  private async poll(
    done: () => Promise<boolean>,
    describe: () => Promise<string>,
    timeoutMs = patienceMs,
  ): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (!(await done())) {
      if (Date.now() > end) throw new Error(`After ${timeoutMs} ms ${await describe()}`);
      await this.page.waitForTimeout(30);
    }
  }
}
