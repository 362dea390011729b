import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FormEdits } from '../../../src/shared/form';
import { webviewMessageSchema, type HostMessage, type WebviewMessage } from '../../../src/shared/messages';
import { axeFindings, buildPage, openPage, type Built, type OpenOptions } from '../support/builtPage';
import { reviewMessage } from './samples';

export type { Built };

/** Builds the form as it is packaged, and starts the browser that shows it. */
export const buildForm = () => buildPage('settings');

/** The form in a browser page, with the test as its extension host. */
export class FormPage {
  /** The reading of the settings that the page was last sent. */
  private document: string | undefined;

  private constructor(
    readonly page: Page,
    /** Breaches of the content security policy, and errors of the page. */
    readonly complaints: readonly string[],
    private readonly posted: unknown[],
  ) {}

  /** @param options.greeted true when the test takes the form's first message itself */
  static async open(built: Built, options: OpenOptions & { greeted?: boolean }): Promise<FormPage> {
    const { page, complaints, posted } = await openPage(built, { ...options, title: 'Service Settings' });
    const form = new FormPage(page, complaints, posted);
    if (!options.greeted) await form.next('ready');
    return form;
  }

  /** Sends what the extension host would send; anything at all, for a forged message. */
  async send(...messages: readonly (HostMessage | Record<string, unknown>)[]): Promise<void> {
    for (const message of messages)
      if (message.type === 'model' && 'document' in message) this.document = message.document as string;
    await this.page.evaluate((list) => {
      for (const message of list) window.dispatchEvent(new MessageEvent('message', { data: message }));
    }, messages as unknown[]);
  }

  /**
   * Waits for the next message of a type and takes it and all before it. Each must be one the host would accept; one
   * about the settings must name those on screen, or `about`, and is returned without that.
   */
  async next<T extends WebviewMessage['type']>(
    type: T,
    about?: string,
  ): Promise<Omit<Extract<WebviewMessage, { type: T }>, 'document'>> {
    const deadline = Date.now() + 5_000;
    for (;;) {
      const index = this.posted.findIndex((message) => (message as { type?: unknown }).type === type);
      if (index >= 0) {
        const [message] = this.posted.splice(0, index + 1).slice(-1);
        const parsed = webviewMessageSchema.parse(message);
        if (!('document' in parsed)) return parsed as Extract<WebviewMessage, { type: T }>;
        const { document, ...action } = parsed;
        assert.equal(document, about ?? this.document, type);
        return action as Omit<Extract<WebviewMessage, { type: T }>, 'document'>;
      }
      if (Date.now() > deadline) {
        throw new Error(`No message "${type}"; there were ${JSON.stringify([this.posted, this.complaints])}`);
      }
      // A turn in the page lets what it has posted arrive.
      await this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 5)));
    }
  }

  /**
   * The edits as the form reports them now. It does so by itself a moment after the last of several changes, or between
   * them where those are slow, so a test of what they add up to must not take the next report that comes.
   */
  async edits(): Promise<FormEdits> {
    await this.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const reports = this.posted.filter((message) => (message as { type?: unknown }).type === 'edits').length;
    for (let count = 1; count < reports; count += 1) await this.next('edits');
    return (await this.next('edits')).edits;
  }

  /** Types of the messages that were posted and not taken yet. */
  async waiting(): Promise<unknown[]> {
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    return this.posted.map((message) => (message as { type?: unknown }).type);
  }

  keptState(): Promise<unknown> {
    return this.page.evaluate(() => (window as unknown as { keptState?: unknown }).keptState);
  }

  field(name: string) {
    return this.page.locator(`[data-field="${name}"]`);
  }

  section(name: string) {
    return this.page.locator(`[data-section="${name}"]`);
  }

  server(label: string) {
    return this.page.locator(`[data-mcp="${label}"]`);
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  get review() {
    return this.page.getByRole('dialog', { name: 'Review changes' });
  }

  /** Saves as in a panel in which nothing was saved yet: by way of the review. */
  async saveReviewed(): Promise<void> {
    await this.button('Save').click();
    await this.next('review');
    await this.send(reviewMessage());
    await this.review.getByRole('button', { name: 'Save', exact: true }).click();
  }

  get status() {
    return this.page.locator('.status');
  }

  /** Serious and critical findings of axe, in words. */
  axe(): Promise<string[]> {
    return axeFindings(this.page);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
