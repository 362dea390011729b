import assert from 'node:assert/strict';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { commandIds } from '../../src/ids';
import { startService } from '../service/service';
import { stream, type ScriptedAction, type ScriptStep } from '../service/agent/script';
import { uiSuite } from '../support/ui';
import { fieldHas } from './support/awaited';
import { connectGrouped as connectTo } from './support/connect';
import { MessageEditor } from './support/messageEditor';
import { conversationId, conversationTab, sandboxId } from './support/conversationTab';

const title = 'Count and wait';
const renamed = 'Counted and tidied up';

/** A step that only an interruption ends within this test. */
const endless: ScriptStep = { act: [{ command: 'sleep 600', risk: 'LOW', ms: 600_000 }] };

uiSuite(
  'steering an agent in the editor',
  (ui) => {
    const { page, button, composer, said, agent, feed, send, choose, connect } = conversationTab(ui);
    const card = () => page().locator('[data-pending]');
    const state = (name: string) => page().locator(`[data-execution="${name}"]`);
    /** The first entry that’s fully in view, and its distance from the top. */
    const reading = () =>
      feed().evaluate((scroller) => {
        const { top } = scroller.getBoundingClientRect();
        const places = [...scroller.querySelectorAll<HTMLElement>('[data-event]')].map((entry) => ({
          event: entry.dataset['event'],
          below: entry.getBoundingClientRect().top - top,
        }));
        return places.find(({ below }) => below > -0.5);
      });
    /** Like `reading`, once two frames agree: drawing nearby entries can still move them. */
    const readingAtRest = async () => {
      for (let last = await reading(); ;) {
        await feed().evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        const next = await reading();
        if (isDeepStrictEqual(next, last)) return next;
        last = next;
      }
    };
    /** Everything the agent did, and every message to it. */
    const log = () => JSON.stringify(agent().log.all);
    const deedsSince = (count: number) =>
      agent()
        .deeds.slice(count)
        .map((deed) => deed.do);

    before(async () => {
      await connect(title, 'Count to 60.', stream(60));
      await ui.workbench.runCommand(commandIds.conversationShow);
      await choose(title);
      await ui.workbench.tab(title).waitFor();
      await page().locator('[data-event]').last().waitFor();
    });

    it('shows what the agent does now, and follows it', async () => {
      await send('Wait a moment.', endless);
      await page().locator('.live', { hasText: 'Running sleep 600' }).waitFor();
      await ui.workbench.screenshot('conversation-live');
      agent().log.message('agent', 'I am waiting.');
      await said('I am waiting.').waitFor();
    });

    it('keeps the reading position further up, with a button that counts new entries', async () => {
      await feed().evaluate((scroller) => scroller.scrollBy(0, -900));
      await page().locator('.live').waitFor();
      const before = await readingAtRest();
      agent().log.message('agent', 'Still waiting.');
      await button('1 new').waitFor();
      agent().log.message('agent', 'Waiting on.');
      await button('2 new').waitFor();
      const after = await reading();
      assert.equal(after?.event, before?.event);
      // Entries have fractional heights, but a page scrolls by whole pixels.
      assert.ok(Math.abs((after?.below ?? NaN) - (before?.below ?? NaN)) < 1);
      await ui.workbench.screenshot('conversation-new-below');
      await button('2 new').click();
      await said('Waiting on.').waitFor();
      await button('2 new').waitFor({ state: 'detached' });
    });

    it('sends a message that rejects what a working agent’s step asks for', async () => {
      await page()
        .getByText('The agent is working. If its current step asks for approval, this message rejects it.')
        .waitFor();
      await send('Then stop.', { say: 'Never said' });
      await page().locator('.live', { hasText: 'sleep 600' }).waitFor();
    });

    it('interrupts the agent in the middle of its step', async () => {
      await button('Interrupt').click();
      await page().locator('[data-kind="separator"]', { hasText: 'Interrupted' }).waitFor();
      await state('paused').waitFor();
      await ui.workbench.screenshot('conversation-interrupted');
      assert.doesNotMatch(log(), /Never said/);
    });

    it('asks before each action once the policy says so, and approves it only once', async () => {
      await ui.workbench.runCommand(commandIds.conversationPolicy);
      await ui.workbench.quickInput.waitFor('Select when the agent asks before it acts');
      await ui.workbench.quickInput.pick('Ask before each action');
      await button('Approvals: each action').waitFor();
      assert.equal(agent().policy['kind'], 'AlwaysConfirm');
      const clean: ScriptedAction = { command: 'git clean -fdx', output: 'Removing build/', risk: 'LOW' };
      await send('Clean up.', { act: [clean] }, { say: 'Clean.' });
      await card().getByText('git clean -fdx').first().waitFor();
      await ui.workbench.screenshot('conversation-approve');
      const count = agent().deeds.length;
      await button('Approve').click();
      await said('Clean.').waitFor();
      await card().waitFor({ state: 'detached' });
      assert.deepEqual(deedsSince(count), ['accept', 'execute']);
    });

    it('attaches the editor’s selection', async () => {
      await ui.workbench.openFile(path.join(ui.folder, 'README.md'));
      await ui.workbench.selectAll();
      await ui.workbench.runCommand(commandIds.conversationAddSelection);
      await choose(title);
      await page().locator('.attachments li', { hasText: 'README.md' }).waitFor();
      await ui.workbench.screenshot('conversation-attached');
      await send('Read this.', { say: 'I have read it.' });
      await said('I have read it.').waitFor();
      assert.match(log(), /README\.md/);
      await page().locator('.attachments').waitFor({ state: 'detached' });
    });

    it('asks on the side, without changing the conversation', async () => {
      const before = agent().log.all.length;
      await composer().click();
      await ui.workbench.runCommand(commandIds.conversationAsk);
      await ui.workbench.quickInput.waitFor('The agent answers from what it knows.');
      await ui.workbench.quickInput.type('What have you done?');
      await ui.workbench.quickInput.accept();
      const answer = page().getByRole('region', { name: 'Answer on the Side' });
      await answer.getByText('You asked: What have you done?').waitFor();
      await ui.workbench.screenshot('conversation-aside');
      assert.equal(agent().log.all.length, before);
      await answer.getByRole('button', { name: 'Dismiss' }).click();
      await answer.waitFor({ state: 'detached' });
    });

    it('renames the conversation, including its tab', async () => {
      await ui.workbench.runCommand(commandIds.conversationRename);
      await ui.workbench.quickInput.waitFor('Title of the conversation');
      await ui.workbench.quickInput.type(renamed);
      await ui.workbench.quickInput.accept();
      await ui.workbench.tab(renamed).waitFor();
      await page().getByRole('heading', { name: renamed }).waitFor();
      assert.equal(ui.service.state.conversations.get(conversationId)?.title, renamed);
    });

    it('keeps its connection when the window switches to another, also after a reload', async () => {
      const other = await startService({ profile: ui.profile, seed: 'lifelike' });
      try {
        await connectTo(ui, { url: other.url, name: 'Other', sessionKey: other.sessionKey });
        await ui.workbench.tab(renamed).click();
        await button('Team').waitFor();
        const touch: ScriptedAction = { command: 'touch built', output: 'Built', risk: 'LOW' };
        await send('Build it.', { act: [touch] }, { say: 'It is built.' });
        await card().getByText('touch built').first().waitFor();
        const count = agent().deeds.length;
        await button('Approve').click();
        await said('It is built.').waitFor();
        assert.deepEqual(deedsSince(count), ['accept', 'execute']);
        await composer().fill('Never mind');
        await ui.workbench.screenshot('conversation-elsewhere');
        await ui.workbench.reloadWindow();
        await said('It is built.').waitFor();
        await fieldHas(composer(), 'Never mind');
        await composer().fill('');
        assert.ok(!other.requests.some(({ path }) => path.includes(conversationId)));
        await button('Team').click();
        await ui.workbench.dialog().getByText('Switch to Team?').waitFor();
        await ui.workbench.dialog().getByRole('button', { name: 'Switch' }).click();
        await button('Team').waitFor({ state: 'detached' });
        await ui.workbench.view('Conversations').row(renamed).waitFor();
        await button('More Actions…').waitFor();
      } finally {
        await other.close();
      }
    });

    it('sends a message to a paused sandbox, which resumes it', async () => {
      const sandbox = ui.service.state.sandboxes.get(sandboxId);
      assert.ok(sandbox);
      sandbox.status = 'PAUSED';
      await ui.workbench.runCommand(commandIds.viewRefresh);
      await page().getByText('The sandbox is paused.').waitFor();
      await page().getByText('Resumes the sandbox, then sends.').waitFor();
      await ui.workbench.screenshot('conversation-asleep');
      await send('Good morning.', { say: 'Good morning to you.' });
      await said('Good morning to you.').waitFor();
      assert.equal(sandbox.status, 'RUNNING');
      assert.equal(log().split('Good morning.').length, 2);
    });

    it('has a menu in its header, from which it starts again', async () => {
      await button('More Actions…').click();
      const labels = await ui.workbench.menu.labels();
      await ui.workbench.screenshot('conversation-menu');
      for (const label of ['Rename Conversation…', 'Branch and Commits', 'Message', 'Sandbox', 'Share'])
        assert.ok(labels.includes(label), labels.join());
      await ui.workbench.menu.choose('Share', 'Copy Conversation ID');
      await ui.workbench.page.waitForFunction(
        async (id) => (await navigator.clipboard.readText()) === id,
        conversationId,
      );
      await button('More Actions…').click();
      await ui.workbench.menu.choose('Start Again…');
      const message = new MessageEditor(ui.workbench);
      await message.waitForOpen();
      await message.waitForText('Count and wait.');
      await message.press('Discard');
      await ui.workbench.dialog().getByRole('button', { name: 'Discard' }).click();
      await message.waitForClosed();
      await composer().waitFor();
    });

    it('closes its tab and forgets its draft when it’s deleted', async () => {
      const record = ui.service.state.conversations.get(conversationId);
      const sandbox = ui.service.state.sandboxes.get(sandboxId);
      assert.ok(record && sandbox);
      await composer().fill('Never to be seen again');
      await ui.workbench.runCommand(commandIds.conversationDelete);
      await ui.workbench.dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      // Before closing, the tab may lose the conversation’s title.
      for (const title of [renamed, 'Conversation'])
        await ui.workbench.tab(title).waitFor({ state: 'detached' });
      assert.ok(!ui.service.state.conversations.has(conversationId));
      // As if another conversation had the same ID: nothing of the first may show.
      ui.service.state.sandboxes.set(sandboxId, sandbox);
      ui.service.state.conversations.set(conversationId, record);
      await ui.workbench.runCommand(commandIds.viewRefresh);
      await ui.workbench.view('Conversations').clickRow(renamed);
      await said('Good morning.').waitFor();
      await fieldHas(composer(), '');
    });
  },
  { service: { agents: '1.58.0' } },
);
