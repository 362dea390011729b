import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { findOnPath } from '../support/processes';
import { installSystemPackages } from '../support/systemPackages';
import { uiSuite } from '../support/ui';
import { conversationTab } from './support/conversationTab';
import { eventually, patienceMs } from '../support/patience';

const title = 'Mend the checkout';
const work = '/workspace/project';

/** Full-screen programs that people use in terminals, with the packages that have them. */
const programs = { vim: 'vim', less: 'less', top: 'procps' };

/** A web server, as a project has one for its development. */
const devServer = `
const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');
const html = '<link rel=stylesheet href=style.css><h1>The shop is open</h1>';
const server = createServer(({ url }, answer) => {
  const isStyle = url.endsWith('style.css');
  answer.setHeader('content-type', isStyle ? 'text/css' : 'text/html');
  answer.end(isStyle ? readFileSync('style.css') : html);
});
server.listen(0, '127.0.0.1', () => console.log('port is', server.address().port, 'now'));
`;

uiSuite(
  'being where the agent works',
  (ui) => {
    const { choose, connect } = conversationTab(ui);
    const page = () => ui.workbench.page;
    /** The terminal in front. */
    const front = () => page().locator('.terminal-wrapper.active');
    const shows = (text: string | RegExp) =>
      front().locator('.xterm-rows').filter({ hasText: text }).waitFor();
    const type = async (text: string) => {
      // Not by a click, which a program may take for its own.
      await front().locator('.xterm-helper-textarea').focus();
      await page().keyboard.type(text);
    };
    const run = (command: string) => type(`${command}\n`);
    /** Shows that the shell is the one that was opened, with nothing else on screen. */
    const isBack = async () => {
      // A program that ends may discard what was typed before.
      await front()
        .locator('.xterm-rows > div:has(.xterm-cursor)')
        .filter({ hasText: /^(?:\^C)?\$\s*$/ })
        .waitFor();
      await run('clear; echo "back with $kept"');
      await shows('back with 42');
    };
    const picture = (name: string) => ui.workbench.screenshot(`place-${name}`);
    const explorer = () => page().locator('.explorer-folders-view');
    const row = (name: string) => explorer().getByRole('treeitem', { name, exact: true });
    /** The editor leaves a folder that has just been added folded or unfolded, depending on what it loads first. */
    const unfold = async () => {
      const folded = explorer().locator(`[role="treeitem"][aria-expanded="false"]`, { hasText: title });
      await row('cart.ts').or(folded).first().waitFor();
      for (const end = Date.now() + patienceMs; !(await row('cart.ts').isVisible());) {
        if (Date.now() > end) throw new Error(`The Explorer doesn’t show what is in ${title}`);
        if (await folded.isVisible()) await folded.click();
        await row('cart.ts')
          .waitFor({ timeout: 5_000 })
          .catch(() => undefined);
      }
    };
    /** Where the sandbox’s folder really is. */
    let real: string;
    const write = (name: string, content: string) => writeFile(path.join(real, name), content);

    before(async () => {
      for (const [program, name] of Object.entries(programs))
        if (findOnPath(program) === undefined) await installSystemPackages([name], 'for terminals');
      const edit = { path: `${work}/cart.ts`, before: 'one\n', after: 'export const total = 2;\n' };
      await connect(title, 'Mend it.', [{ act: [edit] }]);
    });

    it('opens a shell in the agent’s folder, named by its conversation', async () => {
      await ui.workbench.runCommand(commandIds.placeOpenTerminal);
      await choose(title);
      await shows('The agent can see what happens in this terminal.');
      await page().locator('.single-terminal-tab', { hasText: title }).waitFor();
      await run('PS1="\\$ "; kept=42; clear; pwd');
      await shows(/\/agent-workspace-sandbox-\w+\/project\b/);
      [real = ''] = /\/\S+\/project\b/.exec(await front().locator('.xterm-rows').innerText()) ?? [];
      await run('ls');
      await shows('cart.ts');
      await picture('terminal');
    });

    it('draws full screens, in colors, and with the mouse', async () => {
      const lines = Array.from({ length: 99 }, (_, n) => `export const price${n} = ${n}; // für 10 €\n`);
      await write('cart.ts', lines.join(''));
      await run('vim -Nu NONE -c "syntax on" -c "set mouse=a number ruler" cart.ts');
      await shows('price3 = 3; // für 10 €');
      const [top, height] = await front()
        .locator('.xterm-rows > div')
        .nth(4)
        .evaluate((line: HTMLElement) => [line.offsetTop, line.offsetHeight] as const);
      await front()
        .locator('.xterm-screen')
        .click({ position: { x: 150, y: top + height / 2 } });
      await shows(/\b5,\d/);
      await page().keyboard.type('ifine');
      await picture('vim');
      await page().keyboard.press('Escape');
      await ui.workbench.resize(1000, 700);
      await page().keyboard.press('Control+g');
      await picture('vim-narrow');
      await ui.workbench.resize(1280, 800);
      await page().keyboard.type(':wq\n');
      await shows('set mouse=a');
      await run('less cart.ts');
      await shows('fine');
      await page().keyboard.type('/price42\n');
      await shows('price42 = 42');
      await picture('less');
      await page().keyboard.type('q');
      await run('top');
      await shows('PID');
      await picture('top');
      await page().keyboard.type('q');
      await isBack();
    });

    it('runs tests again whenever a file changes', async () => {
      const test = (sum: number) =>
        `require('node:test')('adds', () => require('node:assert').equal(1 + 1, ${sum}));\n`;
      await write('sum.test.js', test(2));
      await run('node --test --watch --test-reporter=spec sum.test.js');
      await shows('pass 1');
      await write('sum.test.js', test(3));
      await shows('fail 1');
      await picture('watcher');
      await page().keyboard.press('Control+c');
      await isBack();
    });

    it('opens the page of a development server, with what it loads', async () => {
      await write('style.css', 'body { background: #0a5; color: white; font: 2em sans-serif; margin: 2em; }');
      await write('serve.js', devServer);
      await run('node serve.js');
      await shows(/port is \d+ now/);
      const [, port = ''] = /port is (\d+) now/.exec(await front().locator('.xterm-rows').innerText()) ?? [];
      await ui.workbench.runCommand(commandIds.placePorts);
      await choose(title);
      const opened = page().context().waitForEvent('page');
      await ui.workbench.quickInput.pick(port);
      await ui.workbench.notifications.press('can’t be reached from here', 'Show the Page Anyway (Slow)');
      const site = await opened;
      const heading = site.getByRole('heading', { name: 'The shop is open' });
      await heading.waitFor();
      const colorOf = () => heading.evaluate((element) => getComputedStyle(element).color);
      await eventually(async () => (await colorOf()) === 'rgb(255, 255, 255)', colorOf);
      await ui.workbench.screenshot('place-page', site);
      await site.close();
      await front().locator('.xterm-helper-textarea').focus();
      await page().keyboard.press('Control+c');
      await isBack();
    });

    it('shows the same shell after a reload', async () => {
      await run('clear; echo "before the re""load"');
      await shows('before the reload');
      await ui.workbench.reloadWindow();
      await shows('before the reload');
      await isBack();
    });

    it('shows the same shell in front after a reload, although a local one is there, too', async () => {
      await run('clear; echo "before the re""load"');
      await shows('before the reload');
      await ui.workbench.runCommand('Terminal: Create New Terminal');
      await page().locator('.terminal-tabs-entry').nth(1).waitFor();
      await page().locator('.terminal-tabs-entry', { hasText: title }).click();
      await shows('before the reload');
      await ui.workbench.reloadWindow();
      await shows('before the reload');
      await picture('terminal-reloaded');
      await run('echo "it is $kept"');
      await shows('it is 42');
    });

    it('has the agent’s folder in the Explorer, also after a reload', async () => {
      await ui.workbench.runCommand(commandIds.placeOpenFolder);
      await choose(title);
      await ui.workbench.quickInput.pick('Add to This Window');
      await ui.workbench.runCommand('View: Show Explorer');
      await unfold();
      await row('cart.ts').dblclick();
      await ui.workbench.tab('cart.ts').waitFor();
      await ui.workbench.reloadWindow();
      await unfold();
      await page().locator('.view-lines', { hasText: 'price1 =' }).first().waitFor();
      await row('.agent-workspace').waitFor({ state: 'detached' });
      await picture('folder-reloaded');
    });

    it('leaves nothing behind when its terminal ends', async () => {
      await isBack();
      await run('exit');
      await eventually(
        () => !existsSync(path.join(real, '.agent-workspace')),
        () => 'the terminal’s folder is still there',
      );
    });
  },
  {
    service: { agents: '1.58.0' },
    editor: { settings: { 'terminal.integrated.gpuAcceleration': 'off' } },
    workspace: async (folder) => {
      const file = path.join(folder, 'shop.code-workspace');
      await writeFile(file, JSON.stringify({ folders: [{ path: folder }] }));
      return file;
    },
  },
);
