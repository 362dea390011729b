import type { Page } from 'playwright-core';
import { buildForm, FormPage, type Built } from '../../ui/form/formPage';
import { formMessage, sampleModel, server } from '../../ui/form/samples';
import { themes } from '../../ui/support/themes';
import { atMost, pairFigures, type Pair } from '../support/figures';
import type { Section } from '../support/section';

const servers = 200;
const keystrokes = 20;

/** Ends the script of each page: resolves when the frame with the current content has been painted. */
const afterPaint = `window.benchPainted = new Promise((resolve) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve(performance.now());
  channel.port2.postMessage(null);
}));`;

/** A page with one field and no script of its own. */
const emptyScript = `document.body.append(Object.assign(document.createElement('input'), { id: 'plain' }));${afterPaint}`;

/** A page that only shows finished HTML, to see how long the browser itself takes for it. */
const finishedScript = (html: string) => `document.body.innerHTML = ${JSON.stringify(html)};${afterPaint}`;

export const form: Section = {
  title: `the settings form with ${servers} MCP servers in plain Chromium, compared with a page with one field`,
  measure: async (runs = 11) => {
    const built = await buildForm();
    const model = JSON.stringify(formMessage(sampleModel({ mcpServers: manyServers() })));
    // The form reports that it's ready while its script runs, and the model follows at once.
    const full = {
      ...built,
      script: `${built.script};window.dispatchEvent(new MessageEvent('message',{data:${model}}));${afterPaint}`,
    };
    const empty = { ...built, script: emptyScript, style: '' };
    const finished = { ...built, script: finishedScript(await drawn(full)) };

    const opened: Pair[] = [];
    const besideFinished: Pair[] = [];
    const typed: Pair[] = [];
    const inServer: Pair[] = [];
    const scripted: Pair[] = [];
    for (let index = -1; index < runs; index += 1) {
      const beside = await withPage(empty, async (page) => ({
        open: await openTime(page),
        key: await keystroke(page, '#plain'),
        script: await scriptTime(page, '#plain'),
      }));
      const ours = await withPage(full, async (page) => {
        const open = await openTime(page);
        // The page adds rows below the window when it's idle.
        await page
          .locator('[data-mcp]')
          .nth(servers - 1)
          .waitFor({ state: 'attached' });
        const [key, script] = [await keystroke(page, nameField), await scriptTime(page, nameField)];
        const row = page.locator('[data-mcp]').nth(servers / 2);
        await row.getByRole('button', { expanded: false }).click();
        await row.locator('input').first().waitFor();
        const urlField = `#${await row
          .locator('input')
          .first()
          .evaluate((input) => CSS.escape(input.id))}`;
        return { open, key, script, inServer: await keystroke(page, urlField) };
      });
      const finishedOpen = await withPage(finished, openTime);
      // The first round only warms up the browser.
      if (index < 0) continue;
      opened.push({ ours: ours.open, beside: beside.open });
      besideFinished.push({ ours: ours.open, beside: finishedOpen });
      typed.push({ ours: ours.key, beside: beside.key });
      inServer.push({ ours: ours.inServer, beside: beside.key });
      scripted.push({ ours: ours.script, beside: beside.script });
    }
    await built.close();
    return [
      ...pairFigures('open to interactive', 'page with one field', 'ms', opened, {
        ours: atMost(200),
        ratio: atMost(2),
      }),
      ...pairFigures(
        '  compared with its first frame as finished HTML',
        'finished HTML',
        'ms',
        besideFinished,
      ),
      ...pairFigures(`keystroke to paint, median of ${keystrokes}`, 'page with one field', 'ms', typed, {
        ours: atMost(16),
      }),
      ...pairFigures('  the same in an open server', 'page with one field', 'ms', inServer, {
        ours: atMost(16),
      }),
      ...pairFigures('  script alone', 'page with one field', 'ms', scripted).slice(0, 2),
    ];
  },
};

const nameField = '[data-field="git_user_name"]';

function manyServers() {
  return Array.from({ length: servers }, (_, index) =>
    index % 3 === 0
      ? server({
          id: `s${index}`,
          kind: 'stdio',
          name: `tools-${index}`,
          command: 'npx',
          args: ['-y', `@example/tools-${index}`, '--root', '/workspace'],
          env: [{ name: 'TOOLS_TOKEN', presence: 'set', intention: 'keep' }],
        })
      : server({
          id: `s${index}`,
          kind: index % 3 === 1 ? 'shttp' : 'sse',
          url: `https://tools-${index}.example.com/mcp`,
          apiKey: { presence: 'set', intention: 'keep' },
        }),
  );
}

/** The form's HTML as drawn for its first frame; the page adds more when it's idle. */
function drawn(built: Built): Promise<string> {
  const script = `${built.script};window.benchDrawn = document.body.cloneNode(true);`;
  return withPage({ ...built, script }, (page) =>
    page.evaluate(() => {
      const { benchDrawn: body } = window as unknown as { benchDrawn: HTMLElement };
      // The page's security policy doesn't allow styles in HTML.
      for (const styled of body.querySelectorAll('[style]')) styled.removeAttribute('style');
      // Template markers and indentation aren't part of the page.
      return body.innerHTML.replace(/<!--.*?-->/gs, '').replace(/\s+/g, ' ');
    }),
  );
}

async function withPage<T>(built: Built, use: (page: Page) => Promise<T>): Promise<T> {
  const opened = await FormPage.open(built, { theme: themes[0]!, greeted: true });
  // tsx compiles functions passed to `evaluate` to call this helper, which pages don't have.
  await opened.page.evaluate('globalThis.__name ??= (value) => value');
  const result = await use(opened.page);
  if (opened.complaints.length > 0) throw new Error(opened.complaints.join('\n'));
  await opened.page.close();
  return result;
}

/** Milliseconds from the start of navigation until the whole page is painted and responds. */
function openTime(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { benchPainted: Promise<number> }).benchPainted);
}

/** The median time from a key event to the next paint, in milliseconds. */
async function keystroke(page: Page, selector: string): Promise<number> {
  await page.locator(selector).focus();
  const times: number[] = [];
  for (let count = 0; count < keystrokes; count += 1) {
    const armed = await page.evaluateHandle(() => ({
      painted: new Promise<number>((resolve) => {
        window.addEventListener(
          'keydown',
          ({ timeStamp }) =>
            requestAnimationFrame(() => {
              const channel = new MessageChannel();
              channel.port1.onmessage = () => resolve(performance.now() - timeStamp);
              channel.port2.postMessage(null);
            }),
          { capture: true, once: true },
        );
      }),
    }));
    await page.keyboard.press('a');
    times.push(await armed.evaluate(({ painted }) => painted));
    await armed.dispose();
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

/**
 * The median time that the page's own script, including the layout it forces, takes for one change of a field, in
 * milliseconds.
 */
function scriptTime(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element, count) => {
    const field = element as HTMLInputElement;
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      field.value += 'b';
      const start = performance.now();
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[Math.floor(count / 2)]!;
  }, keystrokes);
}
