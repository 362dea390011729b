import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fromPageSchema, type FromPage } from '../../../src/shared/conversationFromPage';
import type { ToPage } from '../../../src/shared/conversationMessages';
import type { Entry, Head } from '../../../src/shared/transcript';
import { head } from '../../support/conversation/entries';
import { axeFindings, buildPage, openPage, type Built, type OpenOptions } from '../support/builtPage';
import { themes } from '../support/themes';

/** A conversation’s page in a browser, with the test as its extension host. */
export class ConversationPage {
  private head = head();

  private constructor(
    readonly page: Page,
    /** Content security policy violations and page errors in this tab. */
    readonly complaints: string[],
    private readonly posted: unknown[],
  ) {}

  static async open(built: Built, options: Partial<OpenOptions> = {}): Promise<ConversationPage> {
    const shown = await openPage(built, { theme: themes[0]!, title: 'Conversation', ...options });
    return new ConversationPage(shown.page, shown.complaints, shown.posted);
  }

  /** Answers the page's first message with a transcript. */
  async begin(
    entries: readonly Entry[],
    change: Partial<Head> = {},
    { hasOlder = false, draft = '' } = {},
  ): Promise<void> {
    await this.next('ready');
    await this.send({
      type: 'begin',
      id: 'c-1',
      service: 'http://service.invalid',
      draft: { text: draft, revision: 0 },
    });
    await this.setHead(change);
    await this.send({ type: 'entries', at: 0, removed: 0, added: [...entries], hasOlder });
    await this.frame();
  }

  async setHead(change: Partial<Head>): Promise<void> {
    this.head = { ...this.head, ...change };
    await this.send({ type: 'head', head: this.head });
  }

  /** Adds entries after the `count` that the page has. */
  append(count: number, ...added: Entry[]): Promise<void> {
    return this.send({ type: 'entries', at: count, removed: 0, added, hasOlder: false });
  }

  /** Sends messages as the extension host; accepts anything, to forge messages. */
  async send(...messages: readonly (ToPage | Record<string, unknown>)[]): Promise<void> {
    await this.page.evaluate((list) => {
      for (const message of list) window.dispatchEvent(new MessageEvent('message', { data: message }));
    }, messages as unknown[]);
  }

  /** Waits for the next message of a type; removes it and everything before it. */
  async next<T extends FromPage['type']>(type: T): Promise<Extract<FromPage, { type: T }>> {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const index = this.posted.findIndex((message) => (message as { type?: unknown }).type === type);
      if (index >= 0) {
        const [message] = this.posted.splice(0, index + 1).slice(-1);
        return fromPageSchema.parse(message) as Extract<FromPage, { type: T }>;
      }
      if (Date.now() > deadline)
        throw new Error(`No message "${type}"; there were ${JSON.stringify([this.posted, this.complaints])}`);
      await this.frame();
    }
  }

  /** Types of the posted messages that haven’t been taken. */
  async waiting(): Promise<unknown[]> {
    await this.frame();
    return this.posted.map((message) => (message as { type?: unknown }).type);
  }

  /** Lets the page draw and send what’s due. */
  async frame(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  entry(id: string) {
    return this.page.locator(`[data-event="${id}"]`);
  }

  get composer() {
    return this.page.locator('[data-composer]');
  }

  get scroller() {
    return this.page.locator('#feed');
  }

  /** Scrolls the transcript like the mouse wheel does, and waits until it’s drawn. */
  async scrollBy(pixels: number): Promise<void> {
    await this.scroller.evaluate((element, by) => element.scrollBy(0, by), pixels);
    await this.frame();
  }

  keptState(): Promise<unknown> {
    return this.page.evaluate(() => (window as unknown as { keptState?: unknown }).keptState);
  }

  axe(): Promise<string[]> {
    return axeFindings(this.page);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

/** Builds the page once per suite, opens it for each test, and fails on complaints. */
export function openConversation(take: (conversation: ConversationPage, built: Built) => void): void {
  let built: Built;
  let conversation: ConversationPage;
  before(async () => {
    built = await buildPage('conversation');
  });
  after(() => built.close());
  beforeEach(async () => {
    conversation = await ConversationPage.open(built);
    take(conversation, built);
  });
  afterEach(() => assert.deepEqual(conversation.complaints.splice(0), []));
}
