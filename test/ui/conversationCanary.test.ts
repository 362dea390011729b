import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { Canaries } from '../support/canary';
import { recordTexts, type Seen } from '../support/recorder';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';
import { unfoldTurns } from './support/conversationTab';

const canaries = new Canaries();
const sessionKey = canaries.make('secret-session-key');
const sandboxKey = canaries.make('secret-sandbox-key');
const ofAgent = canaries.make('secret-of-the-agent');
const marker = canaries.make('marker-in-the-output');
const isSecret = (name: string) => !name.startsWith('marker');
const title = 'Fix flaky checkout test on CI';

let recorded: Map<Seen, Set<string>>;

uiSuite(
  'secrets in a transcript',
  (ui) => {
    const page = () => ui.workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    const assertClean = (found: readonly string[], where: string) => {
      assert.deepEqual(found.filter(isSecret), [], where);
      assert.ok(found.includes('marker-in-the-output'), `${where} was not searched`);
    };

    before(async () => {
      const record = [...ui.service.state.conversations.values()].find((one) => one.title === title);
      assert.ok(record);
      const sandbox = ui.service.state.sandboxes.get(record.sandbox_id);
      assert.ok(sandbox);
      sandbox.session_api_key = sandboxKey;
      const agent = ui.service.agentOf(record.id);
      assert.ok(agent);
      const { log } = agent;
      const action = { kind: 'TerminalAction', command: `env # ${sessionKey}`, is_input: false };
      const output = `${marker} KEY=${sessionKey} SESSION_API_KEY=${sandboxKey}`;
      log.observation(
        log.action('terminal', action, { thought: sandboxKey }),
        'TerminalObservation',
        output,
        {
          exit_code: 0,
        },
      );
      log.message('agent', `I have seen ${sessionKey} and ${sandboxKey}. ${marker}`);
      for (const key of ['full_state', 'agent'])
        log.add('ConversationStateUpdateEvent', 'environment', {
          key,
          value: { llm: { model: 'demo', api_key: ofAgent }, agent: { mcp_config: { token: ofAgent } } },
        });
      await ui.workbench.openAgentWorkspace();
      await connect(ui, { sessionKey });
      await ui.workbench.notifications.clear();
      await ui.workbench.view('Conversations').clickRow(title);
      await page().locator('[data-kind="message"]', { hasText: marker }).waitFor();
    });

    it('shows and writes no secret', async () => {
      await unfoldTurns(ui);
      const line = page().locator('[data-step="terminal"] button', { hasText: 'env #' });
      await line.click();
      await page().locator('pre.output', { hasText: marker }).waitFor();
      await page().getByText('secrets masked').waitFor();
      await ui.workbench.screenshot('conversation-canary');
      for (const where of ['document', 'webview message'] as const)
        assertClean(
          [...(recorded.get(where) ?? [])].map((mark) => canaries.nameOf(mark)),
          where,
        );
      for (const [name, found] of await canaries.findInFiles(ui.editor.dataFolder))
        assert.deepEqual(found.filter(isSecret), [], name);
    });

    it('opens as text without a secret', async () => {
      await ui.workbench.runCommand(commandIds.conversationOpenAsText);
      await ui.workbench.tab(`${title}.md`).waitFor();
      await ui.workbench.page.locator('.monaco-editor .view-lines').first().waitFor();
      assertClean(
        [...(recorded.get('document') ?? [])].map((mark) => canaries.nameOf(mark)),
        'the document',
      );
    });
  },
  {
    service: { sessionKey, agents: '1.58.0' },
    editor: { args: ['--log', 'trace'] },
    prepare: async (context) => {
      recorded = await recordTexts(context, Canaries.pattern);
    },
  },
);
