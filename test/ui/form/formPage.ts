import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { pageHtml } from '../../../src/panels/html';
import type { FormEdits } from '../../../src/shared/form';
import { webviewMessageSchema, type HostMessage, type WebviewMessage } from '../../../src/shared/messages';
import { launchChromium } from '../../support/chromium';
import { projectFolder } from '../../support/paths';
import { reviewMessage } from './samples';
import type { Theme } from './themes';

/** The address is never asked for: every request of the page is answered here. */
const origin = 'https://form.invalid';

/** What the editor itself puts before the styles of every webview, as far as it touches what the form uses. */
const editorStyles = `@layer vscode-default {
  body { background-color: transparent; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family);
    font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size); margin: 0; padding: 0 20px; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background);
    padding: 1px 3px; border-radius: 4px; }
}`;

export interface Built {
  browser: Browser;
  script: string;
  style: string;
  close: () => Promise<void>;
}

/** Builds the form as it is packaged, and starts the browser that shows it. */
export async function buildForm(): Promise<Built> {
  const { outputFiles } = await build({
    entryPoints: [path.join(projectFolder, 'src/webview/settings/main.ts')],
    tsconfig: path.join(projectFolder, 'src/webview/tsconfig.json'),
    outdir: '/webview',
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'chrome140',
    legalComments: 'none',
    write: false,
  });
  const text = (ending: string) => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  const browser = await launchChromium();
  return { browser, script: text('.js'), style: text('.css'), close: () => browser.close() };
}

/** What the editor does before the page runs. A text, because the test's compiler would put helpers into a function. */
function editorScript(theme: Theme, state: unknown): string {
  const variables = {
    ...theme.colours,
    'font-family': '"Segoe UI", system-ui, "Liberation Sans", sans-serif',
    'font-size': '13px',
    'font-weight': 'normal',
    'editor-font-family': '"DejaVu Sans Mono", monospace',
  };
  return `{
    let kept = ${state === undefined ? 'undefined' : JSON.stringify(state)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.postToTest(message),
      getState: () => kept,
      setState: (value) => { kept = JSON.parse(JSON.stringify(value)); window.keptState = kept; },
    });
    document.addEventListener('DOMContentLoaded', () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(${JSON.stringify(editorStyles)});
      document.adoptedStyleSheets = [sheet];
      for (const [name, value] of Object.entries(${JSON.stringify(variables)})) {
        document.documentElement.style.setProperty('--vscode-' + name, value);
      }
      document.body.className = ${JSON.stringify(theme.bodyClass)};
    });
  }`;
}

export interface OpenOptions {
  theme: Theme;
  width?: number;
  height?: number;
  /** What the page kept from before it was hidden. */
  state?: unknown;
  /** English unless given, with its words. */
  language?: string;
  translations?: Record<string, string>;
  /** True when the test takes the form's first message itself. */
  greeted?: boolean;
}

/** The form in a browser page, with the test as its extension host. */
export class FormPage {
  /** Breaches of the content security policy, and errors of the page. */
  readonly complaints: string[] = [];
  private readonly posted: unknown[] = [];
  /** The reading of the settings that the page was last sent. */
  private document: string | undefined;

  private constructor(readonly page: Page) {}

  static async open(built: Built, options: OpenOptions): Promise<FormPage> {
    const { theme, width = 1000, height = 800 } = options;
    const page = await built.browser.newPage({ viewport: { width, height } });
    const form = new FormPage(page);
    page.on('pageerror', (error) => form.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') form.complaints.push(message.text());
    });
    await page.exposeFunction('postToTest', (message: unknown) => void form.posted.push(message));
    await page.addInitScript({ content: editorScript(theme, options.state) });
    const html = pageHtml({
      cspSource: origin,
      scriptUri: `${origin}/main.js`,
      styleUri: `${origin}/main.css`,
      nonce: randomBytes(16).toString('hex'),
      language: options.language ?? 'en',
      title: 'Service Settings',
      translations: options.translations,
    });
    const answers: Record<string, { contentType: string; body: string }> = {
      '/': { contentType: 'text/html', body: html },
      '/main.js': { contentType: 'text/javascript', body: built.script },
      '/main.css': { contentType: 'text/css', body: built.style },
    };
    await page.route('**/*', (route) => {
      const answer = answers[new URL(route.request().url()).pathname];
      return answer ? route.fulfill(answer) : route.abort();
    });
    await page.goto(`${origin}/`);
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
   * about the settings must name those on screen, and is returned without that.
   */
  async next<T extends WebviewMessage['type']>(
    type: T,
  ): Promise<Omit<Extract<WebviewMessage, { type: T }>, 'document'>> {
    const deadline = Date.now() + 5_000;
    for (;;) {
      const index = this.posted.findIndex((message) => (message as { type?: unknown }).type === type);
      if (index >= 0) {
        const [message] = this.posted.splice(0, index + 1).slice(-1);
        const parsed = webviewMessageSchema.parse(message);
        if (!('document' in parsed)) return parsed as Extract<WebviewMessage, { type: T }>;
        const { document, ...action } = parsed;
        assert.equal(document, this.document, type);
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
  async axe(): Promise<string[]> {
    await this.page.evaluate(axeSource);
    const found = await this.page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: {
          run: () => Promise<{
            violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
          }>;
        };
      };
      return (await axe.run()).violations;
    });
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
      );
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
