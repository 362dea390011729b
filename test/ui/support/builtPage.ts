import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { pageHtml } from '../../../src/editor/html';
import { launchChromium } from '../../support/chromium';
import { changeScript, takeReached } from '../../support/mutation/inPage';
import { projectFolder } from '../../support/paths';
import type { Theme } from './themes';

/** Never reached: the test answers every request of the page. */
const origin = 'https://page.invalid';

/** The editor’s default styles for webviews, as far as they affect the pages. */
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
  /** Where the page was opened last. */
  tab?: Tab;
  close: () => Promise<void>;
}

/** Builds a page as in the package, and starts the browser. */
export async function buildPage(name: 'settings' | 'conversation' | 'compare' | 'usage'): Promise<Built> {
  const { outputFiles } = await build({
    entryPoints: ['src/core/kit/base.css', `src/features/${name}/page/main.ts`].map((file) =>
      path.join(projectFolder, file),
    ),
    tsconfig: path.join(projectFolder, 'src/tsconfig.pages.json'),
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
  const style = text('base.css') + text('main.css');
  const browser = await launchChromium();
  return { browser, script: text('.js'), style, close: () => browser.close() };
}

/** What the editor does before the page runs. Each message goes with the `opening` that it comes from. */
function editorScript(opening: string, { theme, state }: OpenOptions): string {
  const variables = {
    ...theme.colours,
    'font-family': '"Segoe UI", system-ui, "Liberation Sans", sans-serif',
    'font-size': '13px',
    'font-weight': 'normal',
    'editor-font-family': '"DejaVu Sans Mono", monospace',
  };
  return `${changeScript()}{
    document.currentScript.remove();
    let kept = ${state === undefined ? 'undefined' : JSON.stringify(state)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.postToTest(${JSON.stringify(opening)}, message),
      getState: () => kept,
      setState: (value) => { kept = JSON.parse(JSON.stringify(value)); window.keptState = kept; },
    });
    document.addEventListener('DOMContentLoaded', () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(${JSON.stringify(editorStyles)});
      document.adoptedStyleSheets.unshift(sheet);
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
  /** The state that the page kept before it was hidden. */
  state?: unknown;
  /** Defaults to English. Other languages need `translations`. */
  language?: string;
  translations?: Record<string, string>;
  /** Takes each message to the extension host, instead of `posted`. */
  receive?: (message: unknown) => void;
}

/** A page as the editor shows it. */
export interface ShownPage {
  page: Page;
  /** Content security policy violations and page errors in this tab. */
  complaints: string[];
  /** Messages to the extension host. */
  posted: unknown[];
}

type PageOptions = OpenOptions & { title: string };

/** Opens a built page in place of what its tab showed before, or in a new tab if that was closed. */
export async function openPage(built: Built, options: PageOptions): Promise<ShownPage> {
  if (!built.tab || built.tab.page.isClosed()) built.tab = await Tab.open(built);
  return built.tab.show(options);
}

/** Shows one page after the other, each with nothing left from the one before, three times as fast as new tabs. */
class Tab {
  private readonly complaints: string[] = [];
  private receive: (message: unknown) => void = () => undefined;
  private opening = '';
  private answers: Record<string, { contentType: string; body: string }> = {};

  private constructor(
    readonly page: Page,
    private readonly built: Built,
  ) {
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
  }

  static async open(built: Built): Promise<Tab> {
    const tab = new Tab(await built.browser.newPage(), built);
    await tab.page.exposeFunction('postToTest', (opening: string, message: unknown) => {
      // The page before may post something as it goes.
      if (opening === tab.opening) tab.receive(message);
    });
    await takeReached(tab.page);
    await tab.page.route('**/*', (route) => {
      const answer = tab.answers[new URL(route.request().url()).pathname];
      return answer ? route.fulfill(answer) : route.abort();
    });
    return tab;
  }

  async show(options: PageOptions): Promise<ShownPage> {
    const { page, built } = this;
    const { width = 1000, height = 800, language = 'en', title, translations } = options;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: null });
    await page.mouse.move(-1, -1);

    const posted: unknown[] = [];
    this.receive = options.receive ?? ((message) => posted.push(message));
    this.opening = randomBytes(16).toString('hex');
    const html = pageHtml({
      cspSource: origin,
      scriptUri: `${origin}/main.js`,
      styleUris: [`${origin}/main.css`],
      nonce: this.opening,
      language,
      title,
      translations,
    });
    this.answers = {
      // The page's policy, which comes later, isn't for the editor's script.
      '/': {
        contentType: 'text/html',
        body: html.replace('<head>', '<head><script src="/editor.js"></script>'),
      },
      '/editor.js': { contentType: 'text/javascript', body: editorScript(this.opening, options) },
      '/main.js': { contentType: 'text/javascript', body: built.script },
      '/main.css': { contentType: 'text/css', body: built.style },
    };
    await page.goto(`${origin}/`);
    return { page, complaints: this.complaints, posted };
  }
}

/** Axe’s serious and critical findings, in words. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
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
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
}

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
