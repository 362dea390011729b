import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { startAgentServer, type AgentServerByItself } from '../service/agent/byItself';
import { takesPictures } from '../support/picture';
import { uiSuite } from '../support/ui';
import type { Theme } from '../support/workbench';
import { ungroup } from './support/connect';

/** The home folder of the editor, with the key file of Agent Canvas. */
const home = mkdtempSync(path.join(tmpdir(), 'agent-workspace-home-'));

uiSuite(
  'automations',
  (ui) => {
    let server: AgentServerByItself;
    let weekly: string;
    const view = () => ui.workbench.view('Automations');
    const quickInput = () => ui.workbench.quickInput;
    const cron = (schedule: string) => ({ type: 'cron', schedule, timezone: 'Europe/Berlin' });
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const runs = () => server.asked.filter((path) => path.includes('/runs')).length;

    async function pictures(state: string): Promise<void> {
      const themes: Theme[] = takesPictures ? ['light', 'dark', 'hc-light', 'hc-dark'] : [];
      for (const theme of themes) {
        await ui.workbench.setTheme(theme);
        await ui.workbench.page.mouse.move(0, 0);
        await ui.workbench.screenshot(`automations-${state}-${theme}`);
      }
    }

    /** Connects as whoever has Agent Canvas on this computer, without a key to enter. */
    async function connectWithKeyFile(): Promise<void> {
      await ui.workbench.runCommand(commandIds.connectionConnect);
      await quickInput().waitFor('Enter the address of the service');
      const file = path.join(home, '.openhands', 'agent-canvas', 'api-key.txt');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `${server.sessionKey}\n`);
      await quickInput().type(server.url);
      await quickInput().accept();
      await quickInput().waitFor('Enter a name for this connection');
      await quickInput().type('Canvas');
      await quickInput().accept();
      await quickInput().waitFor('Select how to connect');
      await ui.workbench.page.getByText('Reads its key from ~/.openhands/agent-canvas/api-key.txt').waitFor();
      await ui.workbench.screenshot('connect-key-file');
      await quickInput().pick('Use the Key of Agent Canvas on This Computer');
      await quickInput().waitForClosed();
    }

    before(async () => {
      server = await startAgentServer({ release: '1.49.1', seed: true, automations: true });
      const { automations } = server;
      const nightly = automations.add({ name: 'Nightly dependency check', trigger: cron('0 3 * * *') });
      automations.addRun(nightly, { status: 'FAILED', error_detail: 'No model.', created_at: ago(300) });
      const triage = automations.add({ name: 'Triage new issues', trigger: cron('*/30 * * * *') });
      automations.addRun(triage, { status: 'COMPLETED', created_at: ago(300), completed_at: ago(290) });
      const push = { type: 'event', source: 'github', on: 'push' };
      automations.add({ name: 'Review each push', trigger: push, enabled: false });
      weekly = automations.add({ name: 'Weekly report', trigger: cron('0 9 * * 1') });
      await ui.workbench.openAsItIs();
      await view().header.waitFor({ state: 'detached' });
      await connectWithKeyFile();
      await ungroup(ui.workbench);
    });
    after(async () => {
      await server.close();
      rmSync(home, { recursive: true });
    });

    it('have a view where the server has them, folded at first, which reads no runs until it’s open', async () => {
      await view().header.waitFor();
      assert.equal(await view().header.getAttribute('aria-expanded'), 'false');
      assert.equal(runs(), 0);
      await view().expand();
      for (const result of ['Completed', 'Failed'])
        await view().pane.locator(`[role="treeitem"][aria-label*="last run: ${result}"]`).waitFor();
      const rows = await view().rows();
      assert.deepEqual(
        rows.map(({ label }) => label),
        ['Weekly report', 'Review each push', 'Triage new issues', 'Nightly dependency check'],
      );
      const [report, push, triage, nightly] = rows.map(({ ariaLabel }) => ariaLabel);
      assert.match(
        report!,
        /^Automation Weekly report, Monday at 9:00\sAM \(Europe\/Berlin\) · next .* · last run: never run/,
      );
      assert.match(push!, /Off · On push from github · last run: never run/);
      assert.match(triage!, /Every 30 minutes .* · last run: Completed · 4 h ago/);
      assert.match(nightly!, /Every day at 3:00\sAM .* · last run: Failed · 5 h ago/);
      await ui.workbench.setSideBarWidth(300);
      await pictures('rows');
    });

    it('are run from their row, and turned off from its menu', async () => {
      await view().clickInline('Weekly report', 'Run Automation Now');
      await view().row('Weekly report').getByText('Starting').waitFor();
      assert.equal(server.automations.runs.get(weekly)?.length, 1);
      assert.deepEqual(await view().menuLabels('Weekly report'), [
        ...['Run Automation Now', 'Cancel Run', 'Show Runs…', 'Turn Off Automation'],
        ...['Change Automation…', 'Delete Automation…'],
      ]);
      await view().chooseFromMenu('Weekly report', 'Cancel Run');
      await view().row('Weekly report').getByText('Starting').waitFor({ state: 'detached' });
      await view().chooseFromMenu('Review each push', 'Turn On Automation');
      await view().row('Review each push').getByText('Off').waitFor({ state: 'detached' });
    });

    it('tell of a run that fails, and show its log', async () => {
      await ui.workbench.notifications.clear();
      server.automations.addRun(weekly, { status: 'FAILED', error_detail: 'The disk is full.\nTrace' });
      await ui.workbench.runCommand(commandIds.viewRefresh);
      const words = 'The automation “Weekly report” failed: “The disk is full”.';
      await ui.workbench.notifications.waitFor(words);
      await ui.workbench.notifications.press(words, 'Show');
      await ui.workbench.tab('Run of Weekly report').waitFor();
      await ui.workbench.editorText('Failed');
      await ui.workbench.closeAllEditors();
    });

    it('show their runs when their row is clicked', async () => {
      const [conversation] = server.conversations.values();
      assert.ok(conversation?.title);
      server.automations.addRun(weekly, { status: 'COMPLETED', conversation_id: conversation.id });
      await view().clickRow('Weekly report');
      await quickInput().waitFor('Select a run to open its conversation or its log');
      assert.deepEqual(
        (await quickInput().items()).map(({ label }) => label),
        ['Completed', 'Failed', 'Canceled'],
      );
      await ui.workbench.screenshot('automations-runs');
      await quickInput().pick('Completed');
      await ui.workbench.tab(conversation.title).waitFor();
    });

    it('are made of the first message of a conversation', async () => {
      await ui.workbench.runCommand(commandIds.automationCreate);
      await quickInput().waitFor('Name of the automation');
      await quickInput().type('Every morning');
      await quickInput().accept();
      await quickInput().waitFor('Select when it runs');
      await ui.workbench.screenshot('automations-schedule');
      await quickInput().pick('Every Weekday at…');
      await quickInput().waitForMessage('Next run');
      await quickInput().type('25:00');
      await quickInput().waitForMessage('Enter hours and minutes');
      await quickInput().type('8:30');
      await quickInput().waitForMessage('Next run');
      await quickInput().accept();
      const dialog = ui.workbench.dialog();
      await dialog.getByText('Create the automation “Every morning”?').waitFor();
      await ui.workbench.screenshot('automations-question');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await view()
        .row('Every morning')
        .getByText(/Monday to Friday at 8:30\sAM/)
        .waitFor();
      const [made] = server.automations.all;
      assert.deepEqual([made?.['name'], typeof made?.['prompt']], ['Every morning', 'string']);
    });

    it('are deleted after a question, and the empty view says what it’s for', async () => {
      server.automations.all.splice(1);
      await view().chooseFromMenu('Every morning', 'Delete Automation…');
      const dialog = ui.workbench.dialog();
      await dialog.getByText('Delete “Every morning”?').waitFor();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await view().welcome.getByText('Each run starts a new conversation').waitFor();
      assert.deepEqual(server.automations.all, []);
      await pictures('empty');
    });
  },
  { editor: { env: { HOME: home } } },
);
