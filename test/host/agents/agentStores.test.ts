import type { Handler } from '../../../src/editor/handler';
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createClient } from '../../../src/api/service/client';
import { checkConnection } from '../../../src/api/service/connectionCheck';
import { manageAgentProfiles } from '../../../src/features/agentProfiles/commands/manage';
import { manageProfiles } from '../../../src/features/profiles/commands/manage';
import { manageProviders } from '../../../src/features/providerConnections/commands/manage';
import { setUpModel } from '../../../src/features/profiles/commands/setUp';
import { manageSkills } from '../../../src/features/skills/commands/manage';
import { SessionStore } from '../../../src/core/session/session';
import { startAgentServer, type AgentServerByItself } from '../../service/agent/byItself';
import { noLimits } from '../../unit/api/support/client';
import { FakeClock } from '../../unit/api/support/clock';
import { answering, declining, goBack } from '../answering';

type Needs = Parameters<typeof manageSkills>[0];
type Answers = Parameters<typeof answering>[0];

describe('what an agent server keeps for agents', () => {
  let server: AgentServerByItself;
  beforeEach(async () => (server = await startAgentServer({ release: '1.49.1', seed: true })));
  afterEach(() => server.close());

  /** Runs a command with these answers; returns the questions and messages, and the rows of each picker. */
  async function run(
    command: (needs: Needs) => Handler,
    answers: Answers,
    prepare = () => undefined as unknown,
  ) {
    const { url: baseUrl, sessionKey } = server;
    const clock = new FakeClock((ms) => ms < 10_000);
    const client = createClient({ baseUrl, sessionKey, clock, limiter: noLimits });
    await checkConnection(client);
    const connection = { name: 'Canvas', baseUrl, origin: baseUrl };
    const session = new SessionStore({
      readTarget: () => Promise.resolve({ connection, sessionKey }),
      createClient: () => client,
    });
    await session.reload();
    const { said, rows, first, restore } = answering(answers);
    prepare();
    try {
      await command({
        session,
        refreshSettingsForm: () => Promise.resolve(),
        showDocument: (title, text) => {
          said.push(`${title}: ${text}`);
          return Promise.resolve();
        },
        lock: { take: () => Promise.resolve({ isHeld: () => true, release: () => undefined }) },
      })();
    } finally {
      restore();
      session.dispose();
    }
    return { said, rows, first };
  }
  const manage = (...answers: string[]) => run(manageAgentProfiles, answers);
  const agent = (name: string) => server.starts.agents.find((one) => one.name === name);

  it('creates a profile, chooses its servers and instructions, uses, checks, renames, and deletes it', async () => {
    await manage('New Profile…', 'work', 'OpenHands', 'quick');
    assert.deepEqual([agent('work')?.kind, agent('work')?.model], ['openhands', 'quick']);
    await manage('work', 'Select MCP Servers…', 'Only Some…', 'search');
    await manage('work', 'Change Instructions…', 'Enter One Line…', 'Write tests.');
    const { mcp_server_refs: servers, system_message_suffix: words } = agent('work')?.more ?? {};
    assert.deepEqual([servers, words], [['search'], 'Write tests.']);
    await manage('work', 'Use for New Conversations');
    assert.equal(server.starts.activeAgent, agent('work')?.id);
    const checked = await manage('work', 'Check');
    assert.deepEqual(checked.said, ['The agent “work” is ready to start, but no key is set for its model.']);
    const { first } = await manage('work', 'Change Model…', 'default');
    assert.equal(first.at(-1), 'quick', 'the model in use');
    await manage('work', 'Rename…', 'office');
    assert.deepEqual([agent('office')?.model, agent('work')], ['default', undefined]);
    const deleted = await manage('office', 'Delete');
    assert.deepEqual([deleted.said, agent('office')], [['Delete “office”?'], undefined]);
  });

  it('creates one for an ACP agent, which has no instructions', async () => {
    await manage('New Profile…', 'mine', 'Another Agent, by Its Command…', 'npx my-agent');
    assert.deepEqual(agent('mine')?.more, { acp_server: 'custom', acp_command: 'npx my-agent' });
    const { rows } = await manage('mine', 'Change Model…', 'sonnet');
    assert.equal(agent('mine')?.more?.['acp_model'], 'sonnet');
    assert.ok(rows[1]?.includes('Select Secrets…:') && !rows[1].includes('Change Instructions…:'));
  });

  it('says which model each profile has, and takes back what was entered', async () => {
    await manage('New Profile…', 'mine', 'Another Agent, by Its Command…', ' ', 'npx my-agent');
    await manage('mine', 'Change Model…', 'sonnet');
    const { rows } = await manage('mine', 'Change Model…', ' ');
    const profiles = ['default: default · current', 'claude: never asks', 'mine: never asks'];
    assert.deepEqual(rows[0], [...profiles, 'New Profile…:']);
    assert.equal(agent('mine')?.more?.['acp_model'], null);
    await manage('default', 'Change Instructions…', 'Enter One Line…', 'Write tests.');
    await manage('default', 'Change Instructions…', 'Enter One Line…', ' ');
    assert.equal(agent('default')?.more?.['system_message_suffix'], null);
    await manage('default', 'Change Instructions…', 'Enter One Line…', 'Write tests.');
    await manage('default', 'Change Instructions…', 'Remove');
    assert.equal(agent('default')?.more?.['system_message_suffix'], null);
    const none = await manage('default', 'Change Instructions…');
    assert.ok(!none.rows[2]?.some((row) => row.startsWith('Remove')));
  });

  it('keeps instructions of several lines, which an editor shows', async () => {
    Object.assign(agent('default')!, { more: { system_message_suffix: 'One.\nTwo.' } });
    await manage('default', 'Change Instructions…', 'Open in an Editor');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.getText(), 'One.\nTwo.');
    const { rows } = await manage('default', 'Change Instructions…', 'Use Text of the Active Editor');
    assert.ok(!rows[2]?.some((row) => row.startsWith('Enter One Line…')));
    assert.equal(agent('default')?.more?.['system_message_suffix'], 'One.\nTwo.');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('keeps what was entered for a model that doesn’t answer, until it does', async () => {
    server.starts.models.clear();
    const same = (before: string) => before;
    const answers: Answers = ['dmo/large', ' typed-key\t', 'https://models.example.com/v1', declining];
    answers.push(goBack, goBack, (model) => model.replace('dmo', 'demo'), same, same);
    const { said } = await run(setUpModel, answers);
    assert.deepEqual(said, [
      'The model doesn’t answer. Save it anyway?',
      'New conversations use demo/large.',
    ]);
    const { model, api_key: key, base_url: address } = [...server.starts.models.values()][0]?.llm ?? {};
    assert.deepEqual([model, key, address], ['demo/large', 'typed-key', 'https://models.example.com/v1']);
  });

  it('sets up the model of the active agent, after asking, or the first one of all', async () => {
    const { starts } = server;
    const active = agent('default')!;
    active.model = 'quick';
    starts.activeAgent = active.id;
    const { said } = await run(setUpModel, ['demo/large', 'typed-key', '']);
    assert.deepEqual(said, ['Replace the model profile “quick”?', 'New conversations use demo/large.']);
    assert.equal(starts.models.get('quick')?.llm?.['api_key'], 'typed-key');
    assert.equal(starts.models.get('default')?.llm, undefined);
    starts.models.clear();
    starts.agents.splice(0);
    await run(setUpModel, ['demo/large', 'typed-key', '']);
    assert.deepEqual([...starts.models.keys()], ['default']);
  });

  it('checks and edits a model profile, whose other members stay', async () => {
    const llm = { model: 'demo/large', api_key: 'stored-key', temperature: 0.5 };
    server.starts.models.set('work', { model: 'demo/large', hasKey: true, llm });
    const edit = (...answers: string[]) => run(manageProfiles, ['work', ...answers]);
    const stored = () => server.starts.models.get('work')?.llm ?? {};
    assert.deepEqual((await edit('Check')).said, ['The model of “work” answers.']);
    const other = await edit('Change Model…', ' openai/other ');
    assert.deepEqual(other.said, ['Send the API key of “work” to openai?']);
    const failed = await edit('Check');
    assert.deepEqual(failed.said, ['The model of “work” doesn’t answer. Invalid API key']);
    const moved = await edit('Change Address…', 'https://models.example.com/v1');
    assert.deepEqual(moved.said, ['Send the API key of “work” to https://models.example.com?']);
    assert.deepEqual(
      [stored()['model'], stored()['base_url'], stored()['api_key'], stored()['temperature']],
      ['openai/other', 'https://models.example.com/v1', 'stored-key', 0.5],
    );
    await edit('Replace Key…', 'other-key');
    assert.equal(stored()['api_key'], 'other-key');
    const removed = await edit('Remove API Key');
    assert.deepEqual([removed.said, stored()['api_key']], [['Remove the API key of “work”?'], null]);
    const { rows, said } = await edit('Change Address…', '');
    assert.deepEqual([said, stored()['base_url']], [[], null]);
    assert.ok(!rows[1]?.includes('Remove API Key:'), rows[1]?.join());
  });

  it('asks before the key of a provider connection goes to another provider', async () => {
    await run(manageProviders, ['Add Provider Connection…', 'shared', 'demo', 'demo-key', '']);
    const linked = { model: 'demo/large', provider_connection_id: server.starts.providers[0]?.id };
    server.starts.models.set('work', { model: 'demo/large', hasKey: false, llm: linked });
    const change = (model: string) => run(manageProfiles, ['work', 'Change Model…', model]);
    assert.deepEqual((await change('demo/small')).said, []);
    assert.deepEqual((await change('mistral-large')).said, ['Send the API key of “work” to mistral-large?']);
    assert.equal(server.starts.models.get('work')?.llm?.['model'], 'mistral-large');
  });

  it('doesn’t edit a model profile that another client has changed, or whose key would be lost', async () => {
    const store = (model: string) =>
      server.starts.models.set('work', { model, hasKey: true, llm: { model, api_key: 'stored-key' } });
    store('demo/large');
    const meanwhile = () => {
      store('demo/theirs');
      return 'demo/mine';
    };
    const { said } = await run(manageProfiles, ['work', 'Change Model…', meanwhile]);
    assert.deepEqual(said, [
      'Couldn’t save “work”. Another client has changed it. Nothing was saved. Try again.',
    ]);
    Object.assign(server.starts.models.get('work') ?? {}, { isUnreadable: true });
    const unread = await run(manageProfiles, ['work', 'Change Model…', 'demo/mine']);
    assert.match(unread.said.join(), /can’t read the profile’s key, and would lose it/);
    assert.equal(server.starts.models.get('work')?.llm?.['model'], 'demo/theirs');
  });

  it('refuses a provider connection without a name, a provider, or a key, or of a name that’s taken', async () => {
    const add = (...answers: string[]) => run(manageProviders, ['Add Provider Connection…', ...answers]);
    await add('work', 'demo', 'key', '');
    const { said } = await add(
      ...[' ', 'x'.repeat(129), ' work', 'home'],
      ...['', 'x'.repeat(129), 'x'.repeat(128)],
      ...['**', 'key', ''],
    );
    const length = 'Enter 1 to 128 characters.';
    const problems = [
      length,
      length,
      'There’s already one with this name.',
      length,
      length,
      'Enter a value.',
    ];
    assert.deepEqual(said, problems);
    assert.deepEqual(
      server.starts.providers.map(({ name, provider }) => [name, provider]),
      [
        ['work', 'demo'],
        ['home', 'x'.repeat(128)],
      ],
    );
  });

  it('adds a provider connection, replaces its key, and deletes it', async () => {
    const typed: Answers = ['work', 'antropic', goBack, 'anthropic', 'first-key'];
    typed.push('https://models.example.com/v1');
    await run(manageProviders, ['Add Provider Connection…', ...typed]);
    const { rows } = await run(manageProviders, ['work', 'Replace Key…', 'second-key']);
    assert.deepEqual(rows[0], [
      'work: anthropic https://models.example.com/v1',
      'ChatGPT subscription:  You aren’t signed in.',
      'Add Provider Connection…:',
    ]);
    const [held] = server.starts.providers;
    assert.deepEqual([held?.name, held?.provider, held?.key], ['work', 'anthropic', 'second-key']);
    const { said } = await run(manageProviders, ['work', 'Delete']);
    assert.deepEqual([said, server.starts.providers], [['Delete “work”?'], []]);
  });

  describe('and its ChatGPT subscription', () => {
    const { env, window } = vscode;
    const { openExternal } = env;
    const { showErrorMessage } = window;
    let opened: string[];
    let errors: string[];
    beforeEach(() => {
      [opened, errors] = [[], []];
      Object.assign(env, { openExternal: (page: unknown) => Promise.resolve(opened.push(String(page)) > 0) });
      Object.assign(window, {
        showErrorMessage: (message: string) => Promise.resolve(void errors.push(message)),
      });
    });
    afterEach(() => {
      Object.assign(env, { openExternal });
      Object.assign(window, { showErrorMessage });
    });

    const signIn = ['ChatGPT subscription', 'Sign In with Your Browser…'];

    it('is signed in with a code on the vendor’s page, and signed out', async () => {
      const told: string[] = [];
      // The user presses the button, and enters the code.
      const opening = (message: string, options?: { detail?: string }) => {
        told.push(message, options?.detail ?? '');
        server.starts.subscription.until = Date.UTC(2030, 0, 2, 12);
        return Promise.resolve(options && 'Open Browser');
      };
      await run(manageProviders, [...signIn], () =>
        Object.assign(window, { showInformationMessage: opening }),
      );
      assert.deepEqual(told, [
        'Your code is ABCD-EFGHI',
        'Enter it at https://auth.openai.com/codex/device to sign in to ChatGPT. Enter a code only if you requested it here.',
        'Connected to ChatGPT.',
        '',
      ]);
      assert.deepEqual(opened, ['https://auth.openai.com/codex/device']);
      // As null in the answer.
      server.starts.subscription.until = NaN;
      const unknown = await run(manageProviders, ['ChatGPT subscription']);
      assert.equal(unknown.rows[0]?.[0], 'ChatGPT subscription:');
      server.starts.subscription.until = Date.UTC(2030, 0, 2, 12);
      const { rows } = await run(manageProviders, ['ChatGPT subscription', 'Sign Out']);
      assert.match(rows[0]?.[0] ?? '', /^ChatGPT subscription: {2}Signed in until at least .*2030/);
      assert.equal(server.starts.subscription.until, null);
    });

    it('stays as it is for a user who leaves, and nothing opens', async () => {
      const { said } = await run(manageProviders, [...signIn]);
      assert.deepEqual([said, opened, errors], [['Your code is ABCD-EFGHI'], [], []]);
    });

    it('says in plain words that the server may have no network', async () => {
      server.starts.subscription.isOffline = true;
      await run(manageProviders, [...signIn]);
      assert.deepEqual(errors, [
        'The agent server couldn’t begin the sign-in. It may have no access to the internet. The service failed (HTTP 500). The service says: “[Errno -3] Temporary failure in name resolution”. Nothing was changed. Wait a moment and try again.',
      ]);
    });
  });

  it('installs a skill and a plugin, turns one off, refreshes it, and removes it', async () => {
    const { said } = await run(manageSkills, [
      ...['Install Skill or Plugin…', 'Skill'],
      { type: 'github:a/notes', pick: 'github:a/notes' },
    ]);
    assert.deepEqual(said, ['Install from github:a/notes?']);
    await run(manageSkills, [
      ...['Install Skill or Plugin…', 'Plugin'],
      { type: 'github:a/tools', pick: 'github:a/tools' },
    ]);
    await run(manageSkills, ['notes', 'Turn Off']);
    const { rows } = await run(manageSkills, ['tools', 'Refresh from Its Source']);
    assert.deepEqual(rows[0], [
      'notes: installed skill · off github:a/notes',
      'tools: installed plugin github:a/tools',
      'release-notes: applies here How to write release notes',
      'reviewer: sub-agent Reviews changes',
      'general-purpose: built-in sub-agent Any task',
      'Install Skill or Plugin…:',
    ]);
    assert.equal(server.starts.addOns.get('plugins/tools')?.refreshed, 1);
    await run(manageSkills, ['notes', 'Turn On']);
    assert.equal(server.starts.addOns.get('skills/notes')?.enabled, true);
    const shown = await run(manageSkills, ['release-notes']);
    assert.deepEqual(shown.said, ['release-notes: # Release notes']);
    const removed = await run(manageSkills, ['notes', 'Remove']);
    assert.deepEqual(removed.said, ['Remove “notes”?']);
    assert.deepEqual([...server.starts.addOns.keys()], ['plugins/tools']);
    const offered = await run(manageSkills, [
      ...['Install Skill or Plugin…', 'Plugin'],
      { type: '', pick: 'reviewer' },
    ]);
    assert.deepEqual(offered.said, ['Install from github:catalog/reviewer?']);
    assert.ok(server.starts.addOns.has('plugins/reviewer'));
  });

  it('shows what a sub-agent is told and can use, and only lists what is Agent Canvas’s own', async () => {
    const board = { name: 'board', source: 'github:a/board', enabled: false, refreshed: 0 };
    server.starts.addOns.set('canvas-extensions/board', board);
    const { said } = await run(manageSkills, ['reviewer']);
    assert.deepEqual(said, ['reviewer: # Tools\n- terminal\n- file_editor\n\nRead the changes first.']);
    const listed = await run(manageSkills, ['board']);
    assert.deepEqual(listed.rows[0]?.[0], 'board: Canvas extension · off github:a/board');
    assert.deepEqual(listed.said, ['“board” belongs to Agent Canvas. It can’t be changed here.']);
  });

  it('says which meta profile chooses models, which isn’t changed here', async () => {
    const older = await run(manageProfiles, []);
    assert.ok(!older.rows.flat().join().includes('Meta profile'));
    await server.close();
    server = await startAgentServer({ release: '1.58.0', seed: true });
    const row = 'Meta profile router chooses models for tasks';
    const { rows, said } = await run(manageProfiles, [row]);
    assert.ok(rows[0]?.includes(`${row}:`), rows[0]?.join());
    assert.deepEqual(said, ['“router” belongs to Agent Canvas. It can’t be changed here.']);
  });
});
