import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { commandIds } from '../../src/ids';
import { sampleFiles } from '../service/agent/sampleRepository';
import { patienceMs } from '../support/patience';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import { conversationTab } from './support/conversationTab';

/** The title of a conversation whose agent waits for approval of two actions. */
const waiting = 'Move order history to the new pagination API';
const idea = 'Greet people by their first name';

/** Where the focus is. */
interface Focus {
  name: string;
  /** Whether it can be seen in one of our pages; the editor draws its own. */
  isVisible: boolean;
}

// From a new window to saved settings, and nothing may need a mouse.
uiSuite(
  'a day without a mouse',
  (ui) => {
    const at = (name: string) => path.join(ui.folder, name);
    const all = () => [...ui.service.state.conversations.values()];
    let conversation = '';
    const { page, said, agent } = conversationTab(ui, () => conversation);
    const keys = () => ui.workbench.page.keyboard;
    const dialog = () => page().getByRole('dialog', { name: 'Review changes' });

    /** What has the focus within a frame, in which other frames may be. */
    const inFrame = (frame: Frame): Promise<Focus | undefined> =>
      frame.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body || element.tagName === 'IFRAME' || !document.hasFocus())
          return undefined;
        const [label] = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        const name = element.getAttribute('aria-label') ?? (label ?? element).textContent;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const isOurs = document.body.matches('[data-vscode-theme-kind]');
        return {
          name: name.replaceAll(/\s+/g, ' ').trim(),
          isVisible: !isOurs || (outlineStyle !== 'none' && outlineWidth !== '0px'),
        };
      });
    const focus = async (): Promise<Focus> => {
      // A frame can be replaced meanwhile.
      const each = ui.workbench.page.frames().map((frame) => inFrame(frame).catch(() => undefined));
      const found = (await Promise.all(each)).filter((one) => one !== undefined);
      return found.at(-1) ?? { name: '', isVisible: true };
    };
    /** Waits until what has the focus fits. A key takes a moment to move it. */
    const waitForFocus = async (fits: (name: string) => boolean, wanted: string): Promise<Focus> => {
      const end = Date.now() + patienceMs;
      let now = await focus();
      while (!fits(now.name)) {
        assert.ok(Date.now() < end, `The focus is on “${now.name}”, not on ${wanted}`);
        await ui.workbench.page.waitForTimeout(30);
        now = await focus();
      }
      assert.ok(now.isVisible, `The focus on “${now.name}” can’t be seen`);
      return now;
    };
    /** Waits until something with this name has the focus. */
    const onFocus = (name: string | RegExp) =>
      waitForFocus((is) => (typeof name === 'string' ? is === name : name.test(is)), String(name));
    /** Goes on by Tab until something with this name has the focus. Each step must move it. */
    const tabTo = async (name: string, key = 'Tab'): Promise<void> => {
      const passed = [(await focus()).name];
      for (let last = passed[0]; last !== name; last = passed.at(-1)) {
        assert.ok(passed.length < 40, `${key} doesn’t lead to ${name}: ${passed.join(' | ')}`);
        await keys().press(key);
        passed.push((await waitForFocus((is) => is !== '' && is !== last, 'the next')).name);
      }
    };
    const focusView = () => ui.workbench.runByKeys('Agent Workspace: Focus on Conversations View');

    before(async () => {
      for (const [name, content] of Object.entries(sampleFiles)) {
        await mkdir(path.dirname(at(name)), { recursive: true });
        await writeFile(at(name), content);
      }
      const git = (...args: string[]) => run('git', args, { cwd: ui.folder });
      await git('remote', 'set-url', 'origin', 'https://github.com/northwind/webshop.git');
      await git('add', '.');
      await git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'Second');
      await git('update-ref', 'refs/remotes/origin/feature/greeting', 'HEAD');
      conversation = all().find(({ title }) => title === waiting)?.id ?? '';
      agent().script.splice(0, Infinity, { finish: 'Moved.' }, { say: 'Gladly.' });
    });

    it('connects, and is in the list then', async () => {
      await focusView();
      // The editor can’t focus what the view shows only once the extension runs.
      await ui.workbench.view('Conversations').welcome.getByRole('button', { name: 'Connect…' }).waitFor();
      await focusView();
      await onFocus('Welcome');
      await tabTo('Connect…');
      await keys().press('Enter');
      const { quickInput } = ui.workbench;
      await quickInput.waitFor('Enter the address of the service');
      // Escape leads back, and nothing has happened.
      await quickInput.cancel();
      await onFocus('Connect…');
      await keys().press('Enter');
      for (const [asked, text] of [
        ['Enter the address of the service', ui.service.url],
        ['Enter a name for this connection', 'Team'],
        ['Enter the session key', ui.service.sessionKey],
      ] as const) {
        await quickInput.waitFor(asked);
        await quickInput.type(text);
        await quickInput.accept();
      }
      await quickInput.waitForClosed();
      await onFocus('Conversations');
      await ui.workbench.view('Conversations').row(waiting).waitFor();
      // The focus comes to the first row a moment later.
      await ui.workbench
        .view('Conversations')
        .pane.locator('[role="treeitem"].focused[aria-level="1"][aria-posinset="1"]')
        .waitFor();
    });

    it('opens the conversation that waits, at what its agent asks for', async () => {
      await keys().press('Home');
      await keys().press('ArrowDown');
      await ui.workbench
        .view('Conversations')
        .row(waiting)
        .and(ui.workbench.page.locator('.focused'))
        .waitFor();
      await keys().press('Enter');
      await onFocus('The agent asks for your approval of 2 actions');
    });

    it('reads what was before, opens a step, finds a word, and comes back', async () => {
      // The card may be there before what is above it.
      await page().locator('[aria-expanded]', { hasText: 'Wants to edit package.json' }).waitFor();
      await tabTo('Wants to edit package.json', 'Shift+Tab');
      await keys().press('Enter');
      await page().locator('[aria-expanded="true"]', { hasText: 'Wants to edit package.json' }).waitFor();
      await onFocus('Wants to edit package.json');
      await keys().press('ControlOrMeta+F');
      await onFocus('Find in the conversation');
      await keys().press('Escape');
      await onFocus('Wants to edit package.json');
      await keys().press('Alt+PageUp');
      await onFocus(/^You, /);
    });

    it('approves, and answers', async () => {
      await page()
        .locator('[data-pending]')
        .getByRole('button', { name: 'Approve', disabled: false })
        .waitFor();
      // Out of the card, the keys lead to it first.
      await keys().press('ControlOrMeta+Shift+Enter');
      await onFocus('The agent asks for your approval of 2 actions');
      await keys().press('ControlOrMeta+Shift+Enter');
      await page().getByText('Moved.').first().waitFor();
      await keys().press('ControlOrMeta+ArrowDown');
      await onFocus('Message');
      await keys().insertText('Thank you');
      await keys().press('Enter');
      await said('Gladly.').waitFor();
      await onFocus('Message');
    });

    it('shows the changes, and applies them without saying whose', async () => {
      await ui.workbench.runByKeys(commandIds.changesShow);
      await ui.workbench.page.locator('.tab.active', { hasText: 'Changes: ' }).waitFor();
      await ui.workbench.page.locator('.monaco-editor.focused .view-line').first().waitFor();
      await ui.workbench.runByKeys(commandIds.changesApply);
      await onFocus('Bulk Edit');
      await tabTo('Apply');
      await keys().press('Enter');
      await ui.workbench.notifications.waitFor('files changed');
      assert.match(await readFile(at('src/slug.py'), 'utf8'), /a-z0-9/);
      await ui.workbench.runByKeys('Notifications: Clear All Notifications');
    });

    it('starts another one, and is in its composer then', async () => {
      await ui.workbench.runByKeys(commandIds.conversationStart);
      await onFocus('New Agent Conversation');
      await keys().insertText(idea);
      await keys().press('ControlOrMeta+Enter');
      await ui.workbench.quickInput.waitFor('Press Enter to start, or select an option to change it');
      await keys().press('Enter');
      await said(idea).waitFor();
      await onFocus('Message');
      await page().locator('[data-conversation]:not([data-conversation^="start:"])').waitFor();
    });

    it('changes a setting, saves it after a look at what changes, and goes back to the list', async () => {
      await ui.workbench.runByKeys(commandIds.settingsOpen);
      await page().locator('[data-field="llm_model"]').waitFor();
      await keys().press('ControlOrMeta+F');
      await onFocus('Search settings');
      await tabTo('Replace');
      await keys().press('Enter');
      await ui.workbench.quickInput.waitFor('Stays in memory');
      await keys().press('Escape');
      await onFocus('Replace');
      await keys().press('ControlOrMeta+F');
      await onFocus('Search settings');
      await tabTo('Language model');
      // Tab has selected what was there.
      await keys().insertText('openai/gpt-5');
      await keys().press('ControlOrMeta+S');
      await onFocus('Review changes');
      await keys().press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await onFocus('Language model');
      await keys().press('ControlOrMeta+S');
      await onFocus('Review changes');
      // It isn’t there before the changes have been compared with the service’s values.
      await dialog().getByRole('button', { name: 'Save', exact: true }).waitFor();
      await tabTo('Save');
      await keys().press('Enter');
      // It may hold a key that the service doesn’t show.
      await onFocus('Save Anyway');
      await keys().press('Enter');
      await page().locator('.status[data-tone="good"]').waitFor();
      await onFocus('Language model');
      assert.equal(ui.service.state.settings?.llm_model, 'openai/gpt-5');
      await focusView();
      await onFocus('Conversations');
    });
  },
  { service: { agents: '1.58.0' } },
);
