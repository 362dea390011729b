import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { type FormEdits, type SecretTarget, withIntention } from '../../../src/features/settings/shared/form';
import {
  webviewMessageSchema,
  type HostMessage,
  type KeptEdits,
  type ShownForm,
  type WebviewMessage,
} from '../../../src/features/settings/shared/messages';
import type { SecretIntention } from '../../../src/shared/settings';
import { axeFindings, buildPage, openPage, type Built, type OpenOptions } from '../support/builtPage';
import { formMessage, reviewMessage } from './samples';

export type { Built };

/** Builds the form as in the package, and starts the browser. */
export const buildForm = () => buildPage('settings');

/** The members of a message that say which state of the form it’s about. */
type Place = 'document' | 'steps' | 'revision';

/** What a test finds in the form. */
export class FormControls {
  constructor(
    readonly page: Page,
    /** Content security policy violations and page errors in this tab. */
    readonly complaints: string[],
  ) {}

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

  get status() {
    return this.page.locator('.status');
  }
}

/** Has the form in a browser page do what the extension host says. */
export function deliver(page: Page, messages: readonly unknown[]): Promise<void> {
  return page.evaluate((list) => {
    for (const message of list) window.dispatchEvent(new MessageEvent('message', { data: message }));
  }, messages);
}

/** The form in a browser page, with the test as its extension host. */
export class FormPage extends FormControls {
  /** The last form sent to the page, with the edits reported since. */
  private shown: ShownForm = formMessage();

  private constructor(
    page: Page,
    complaints: string[],
    private readonly posted: unknown[],
  ) {
    super(page, complaints);
  }

  /** @param options.greeted true if the test takes the form's first message itself */
  static async open(built: Built, options: OpenOptions & { greeted?: boolean }): Promise<FormPage> {
    const { page, complaints, posted } = await openPage(built, { ...options, title: 'Service Settings' });
    const form = new FormPage(page, complaints, posted);
    if (!options.greeted) await form.next('ready');
    return form;
  }

  /** Sends messages as the extension host; accepts anything, to forge messages. */
  async send(...messages: readonly (HostMessage | Record<string, unknown>)[]): Promise<void> {
    this.learn();
    const sent = messages.map((message) => {
      if (message.type !== 'form' || !('document' in message)) return message;
      return (this.shown = this.placed(message as ShownForm));
    });
    await deliver(this.page, sent);
  }

  /** The message as it follows the last: another model means another document, and reported edits are known. */
  private placed(message: ShownForm): ShownForm {
    const { document, model, revision } = this.shown;
    const isOther = !isDeepStrictEqual({ ...message.model, providers: [] }, { ...model, providers: [] });
    return {
      ...message,
      document: isOther && message.document === document ? `${document}+` : message.document,
      revision: message.revision === formMessage().revision ? revision : message.revision,
    };
  }

  /** Sends the form with its edits and a change, as the extension host does once it knows every edit. */
  async tell(change: Partial<ShownForm>): Promise<void> {
    await this.reportAll();
    this.learn();
    await this.send({ ...this.shown, result: null, goTo: null, ...change });
  }

  /** What the extension host does with the user's decision about a secret. */
  async decide(target: SecretTarget, intention: SecretIntention): Promise<void> {
    await this.reportAll();
    this.learn();
    const { steps, edits, model } = this.shown;
    await this.tell({
      steps: steps + 1,
      edits: withIntention(edits, model.mcpServers, target, intention),
    });
  }

  /** Records the edits that the page has reported. */
  private learn(): void {
    for (const message of this.posted as Partial<ShownForm>[]) {
      const { revision, edits, document } = message;
      if (revision === undefined || edits === undefined || revision <= this.shown.revision) continue;
      this.shown = { ...this.shown, revision, ...(document === this.shown.document && { edits }) };
    }
  }

  private async reportAll(): Promise<void> {
    await this.page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'));
      return new Promise((resolve) => setTimeout(resolve, 5));
    });
  }

  /**
   * Waits for the next message of a type; removes it and everything before it. The host must accept the message, and a
   * message about settings must name the document on screen, or `about`. Returns it without the members in `Place`.
   */
  async next<T extends WebviewMessage['type']>(
    type: T,
    about?: string,
  ): Promise<Omit<Extract<WebviewMessage, { type: T }>, Place>> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const index = this.posted.findIndex((message) => (message as { type?: unknown }).type === type);
      if (index >= 0) {
        this.learn();
        const [message] = this.posted.splice(0, index + 1).slice(-1);
        const parsed = webviewMessageSchema.parse(message);
        if (!('document' in parsed)) return parsed as Extract<WebviewMessage, { type: T }>;
        const { document, ...action } = parsed;
        assert.equal(document, about ?? this.shown.document, type);
        if ('edits' in action) Object.assign(action, { steps: undefined, revision: undefined });
        return JSON.parse(JSON.stringify(action)) as Omit<Extract<WebviewMessage, { type: T }>, Place>;
      }
      if (Date.now() > deadline) {
        throw new Error(`No message "${type}"; there were ${JSON.stringify([this.posted, this.complaints])}`);
      }
      // A turn of the page’s event loop delivers what it has posted.
      await this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 5)));
    }
  }

  /** The current edits; fails if the form hasn’t reported all of them. */
  async edits(): Promise<FormEdits> {
    await this.reportAll();
    this.learn();
    const reports = this.posted.filter((message) => (message as { type?: unknown }).type === 'edits').length;
    for (let count = 0; count < reports; count += 1) await this.next('edits');
    const { edits } = (await this.keptState()) as { edits: KeptEdits };
    assert.deepEqual(this.shown.edits, edits.edits);
    return edits.edits;
  }

  /** Types of the posted messages that haven’t been taken. */
  async waiting(): Promise<unknown[]> {
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    return this.posted.map((message) => (message as { type?: unknown }).type);
  }

  keptState(): Promise<unknown> {
    return this.page.evaluate(() => (window as unknown as { keptState?: unknown }).keptState);
  }

  /** Saves through the review, as the first save in a panel does. */
  async saveReviewed(): Promise<void> {
    await this.button('Save').click();
    await this.next('review');
    await this.send(reviewMessage());
    await this.review.getByRole('button', { name: 'Save', exact: true }).click();
  }

  /** Axe’s serious and critical findings, in words. */
  axe(): Promise<string[]> {
    return axeFindings(this.page);
  }
}
