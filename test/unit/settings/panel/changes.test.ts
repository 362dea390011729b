import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, type Harness, noEdits, openForm, settingsIn } from './support';

describe('changes from the form', () => {
  let service: ReferenceService;
  let form: Harness;

  openForm((opened, started) => {
    form = opened;
    service = started;
  });

  const holds = () => settingsIn(service);
  const posts = (path: string) =>
    service.requests.filter((request) => request.method === 'POST' && request.path === path).length;

  describe('saving', () => {
    it('changes only the edited values, and shows the stored result', async () => {
      const previous = structuredClone(holds());
      const { document } = form.last('form');
      await form.save({ values: { agent: 'BrowsingAgent' } });
      assert.deepEqual(form.result, { kind: 'saved', undo: 'possible' });
      assert.notEqual(form.last('form').document, document);
      assert.equal(form.last('form').model.values.agent, 'BrowsingAgent');
      assert.deepEqual(
        { ...holds(), sandbox_api_key: null },
        { ...previous, agent: 'BrowsingAgent', sandbox_api_key: null },
      );
    });

    it('warns once about losing a sandbox API key, and saves only if the user agrees', async () => {
      form.agrees = false;
      await form.save({ values: { agent: 'A' } });
      assert.deepEqual(form.result, { kind: 'canceled' });
      assert.equal(posts('/api/settings'), 0);
      assert.match(form.questions[0] ?? '', /sandbox API key.*\[Save Anyway\]/s);
      form.agrees = true;
      await form.save({ values: { agent: 'A' } });
      await form.save({ values: { agent: 'B' } });
      assert.equal(form.questions.length, 2);
      assert.equal(holds().agent, 'B');
    });

    it('doesn’t warn if the key is sent', async () => {
      form.secret = ' seed-sandbox-key-0002 ';
      const target = { at: 'field', field: 'sandbox_api_key' } as const;
      await form.send({ type: 'replaceSecret', target });
      await form.save({ secrets: { sandbox_api_key: 'replace' } });
      assert.equal(form.questions.length, 1);
      assert.equal(form.result.kind, 'saved');
    });

    it('asks about a value another client changed, and follows the answer', async () => {
      holds().git_user_name = 'Theirs';
      const edits = { values: { git_user_name: 'Mine', agent: 'A' } };
      await form.save(edits);
      const { result } = form;
      assert.ok(result.kind === 'conflict');
      assert.deepEqual(result.conflicts, [
        {
          key: 'field:git_user_name',
          label: 'Name',
          mine: 'Mine',
          theirs: 'Theirs',
          previous: 'Mara Lindqvist',
        },
      ]);
      assert.equal(posts('/api/settings'), 0);
      await form.save(edits, { 'field:git_user_name': 'theirs' });
      assert.equal(form.result.kind, 'saved');
      assert.equal(holds().git_user_name, 'Theirs');
      assert.equal(holds().agent, 'A');
    });

    it('shows a refusal on its field', async () => {
      await form.save({ values: { llm_base_url: 'nonsense' } });
      const { result } = form;
      assert.ok(result.kind === 'invalid');
      assert.deepEqual(result.problems[0]?.target, { at: 'field', field: 'llm_base_url' });
      assert.equal(posts('/api/settings'), 0);
    });

    it('keeps the edits and draft if the service fails, and says nothing was stored', async () => {
      service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'answer', status: 503 } });
      await form.save({ values: { agent: 'A' } });
      const { result } = form;
      assert.ok(result.kind === 'failed');
      assert.match(result.message, /503.*Your changes are still here/s);
      assert.equal(form.drafts.size, 1);
      assert.equal(form.host.open?.edits.values.agent, 'A');
      await form.save({ values: { agent: 'A' } });
      assert.equal(form.result.kind, 'saved');
    });

    it('hazard: a described value fails the whole save, unnamed: names those that it may be', async () => {
      const current = await startService({ profile: 'current', seed: 'lifelike' });
      try {
        await form.switchTo(clientOf(current));
        const path = 'agent_settings.llm.max_input_tokens';
        await form.save({ values: { language: 'it' }, more: { [path]: 7 } });
        const { result } = form;
        assert.ok(result.kind === 'failed');
        assert.match(
          result.message,
          /It may have failed on a value that it can’t use\. Check Max Input Tokens\. Your changes are still here\.$/,
        );
        assert.equal(current.state.settings?.language, 'en');
        await form.save({ values: { language: 'it' }, more: { [path]: 200_000 } });
        assert.equal(form.result.kind, 'saved');
      } finally {
        await current.close();
      }
    });

    it('detects a stored save whose answer was lost', async () => {
      service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'performThenReset' } });
      await form.save({ values: { agent: 'A' } });
      const { result } = form;
      assert.ok(result.kind === 'saved', JSON.stringify(result));
      assert.match(form.notices, /didn’t answer, but your changes were saved/);
      assert.equal(form.last('form').model.values.agent, 'A');
      assert.deepEqual(form.last('form').edits, noEdits);
      assert.equal(form.drafts.size, 0);
    });

    it('runs one save at a time', async () => {
      const edits = { values: { agent: 'A' } };
      await Promise.all([form.save(edits), form.save(edits)]);
      assert.equal(posts('/api/settings'), 1);
      assert.deepEqual(form.results.map(({ kind }) => kind).sort(), ['canceled', 'saved']);
    });

    it('doesn’t show the outcome in another connection’s form', async () => {
      const other = await startService({ profile: 'documented' });
      const saving = form.save({ values: { agent: 'A' } });
      form.client = clientOf(other);
      await form.host.sessionChanged(true);
      await saving;
      assert.equal(holds().agent, 'A');
      assert.equal(form.last('form').service, other.url);
      assert.equal(form.results.length, 0);
      await other.close();
    });
  });

  describe('secrets', () => {
    const key = { at: 'field', field: 'llm_api_key' } as const;

    it('are sent with the save, and the form only sees that they are set', async () => {
      form.secret = 'sk-new-0002';
      await form.send({ type: 'replaceSecret', target: key });
      assert.match(form.questions[0] ?? '', /Replace API key: For https:.*it goes to the service/);
      assert.deepEqual(form.last('form').edits.secrets, { llm_api_key: 'replace' });
      await form.save({ secrets: { llm_api_key: 'replace' } });
      assert.equal(holds().llm_api_key, 'sk-new-0002');
    });

    it('stay unchanged if the question is canceled', async () => {
      await form.send({ type: 'replaceSecret', target: key });
      assert.deepEqual(form.last('form').edits.secrets, {});
      assert.equal(form.drafts.size, 0);
    });

    it('are cleared, or kept if the user reconsiders', async () => {
      const secrets = () => form.host.open?.edits.secrets;
      await form.send({ type: 'clearSecret', target: key });
      assert.deepEqual(secrets(), { llm_api_key: 'clear' });
      await form.send({ type: 'keepSecret', target: key });
      assert.deepEqual(secrets(), {});
      await form.send({ type: 'clearSecret', target: key });
      await form.save({ secrets: { llm_api_key: 'clear' } });
      assert.equal(holds().llm_api_key ?? '', '');
    });

    it('are requested by MCP server name, and stored on that server', async () => {
      const servers = form.last('form').model.mcpServers;
      const [postgres] = servers.filter(({ name }) => name === 'postgres-readonly');
      assert.ok(postgres);
      form.secret = 'postgres://new';
      const target = { at: 'mcpEnv', id: postgres.id, name: 'DATABASE_URL' } as const;
      await form.send({ type: 'replaceSecret', target });
      assert.match(form.questions[0] ?? '', /Replace DATABASE_URL of postgres-readonly/);
      const edits = form.host.open?.edits;
      assert.ok(edits);
      await form.save(edits);
      assert.equal(form.result.kind, 'saved');
      const stored = holds().mcp_config?.stdio_servers.find(({ name }) => name === 'postgres-readonly');
      assert.deepEqual(stored?.env, { DATABASE_URL: 'postgres://new' });

      await form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id: 'new-unknown' } });
      assert.match(form.questions.at(-1) ?? '', /API key of New server/);
    });
  });

  describe('git providers', () => {
    const rows = () =>
      form.providerChanges.map((changes) =>
        changes.map(({ name, busy, error }) => [name, busy, error === null]),
      );
    const providers = () => form.last('form').model.providers;

    it('are connected immediately, and the others keep their tokens', async () => {
      form.secret = 'glpat-valid-0001';
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: 'git.example.com' });
      assert.match(
        form.questions[0] ?? '',
        /Token for GitLab: For git\.example\.com\. Sent to the service immediately/,
      );
      assert.deepEqual(rows(), [[['gitlab', true, true]], []]);
      assert.deepEqual(
        providers()
          .map(({ name }) => name)
          .sort(),
        ['github', 'gitlab'],
      );
      assert.equal(service.state.providerTokens['github']?.token, 'ghp_seedGithubToken0001');
      assert.equal(service.state.providerTokens['gitlab']?.host, 'git.example.com');
    });

    it('show a refusal on their row', async () => {
      service.fail({ path: '/api/add-git-providers', effect: { kind: 'answer', status: 401 } });
      form.secret = 'bad';
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      assert.deepEqual(rows().at(-1), [['gitlab', false, false]]);
      assert.match(form.providerError(), /refused the git provider token/);
    });

    const names = () =>
      providers()
        .map(({ name }) => name)
        .sort();
    const edits = { ...noEdits, values: { agent: 'A' } };

    it('are shown as connected with unsaved edits in the form even if the answer is lost', async () => {
      await form.send({ type: 'edits', edits });
      service.fail({ path: '/api/add-git-providers', effect: { kind: 'performThenReset' } });
      form.secret = 'glpat-valid-0001';
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      assert.match(form.providerError(), /didn’t answer, but the change was made/);
      assert.deepEqual(names(), ['github', 'gitlab']);
      assert.deepEqual(form.last('form').edits, edits);
    });

    it('show what was changed elsewhere since they were changed here', async () => {
      form.secret = 'glpat-valid-0001';
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      delete service.state.providerTokens['gitlab'];
      await form.open();
      assert.deepEqual(names(), ['github']);
      const { document } = form.last('form');
      await form.open();
      assert.equal(form.last('form').document, document, 'nothing changed');
    });

    it('stay as they were changed during a reading that began before', async () => {
      const { client } = form;
      assert.ok(client);
      const getSettings = client.getSettings.bind(client);
      client.getSettings = async (...given) => {
        client.getSettings = getSettings;
        const record = await getSettings(...given);
        await form.send({ type: 'clearProvider', name: 'github' });
        assert.deepEqual(names(), []);
        return record;
      };
      holds().agent = 'Other';
      await form.open();
      assert.deepEqual([names(), form.last('form').model.values.agent], [[], 'Other']);
    });

    it('stay connected when edits are reverted without the service', async () => {
      form.secret = 'glpat-valid-0001';
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      await form.send({ type: 'edits', edits });
      service.fail({ path: '/api/settings', times: 'always', effect: { kind: 'answer', status: 403 } });
      await form.send({ type: 'revert' });
      assert.deepEqual(form.last('form').edits, noEdits);
      assert.deepEqual(names(), ['github', 'gitlab']);
    });

    it('don’t show the outcome in another connection’s form', async () => {
      const other = await startService({ profile: 'observed', seed: 'lifelike' });
      const path = '/api/add-git-providers';
      const held = service.fail({ path, effect: { kind: 'stallBeforeHeaders' } });
      const arrived = service.waitForRequest((request) => request.path === path, { phase: 'arrived' });
      form.secret = 'glpat-valid-0001';
      const connecting = form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      await arrived;
      await form.switchTo(clientOf(other));
      const before = form.posted.length;
      held.release();
      await connecting;
      assert.ok(service.state.providerTokens['gitlab']);
      assert.deepEqual(form.posted.slice(before), []);
      await other.close();
    });

    it('keep their token when the host changes', async () => {
      await form.send({ type: 'setProviderHost', name: 'github', host: 'github.example.com' });
      assert.deepEqual(service.state.providerTokens['github'], {
        token: 'ghp_seedGithubToken0001',
        user_id: null,
        host: 'github.example.com',
      });
      assert.deepEqual(providers(), [{ name: 'github', host: 'github.example.com' }]);
    });

    it('lose their token only if the user agrees', async () => {
      form.agrees = false;
      await form.send({ type: 'clearProvider', name: 'github' });
      assert.match(form.questions[0] ?? '', /Clear the token for GitHub\?/);
      assert.equal(posts('/api/add-git-providers'), 0);
      form.agrees = true;
      await form.send({ type: 'clearProvider', name: 'github' });
      assert.deepEqual(providers(), []);
      assert.deepEqual(Object.keys(service.state.providerTokens), []);
    });

    it('are all disconnected only if the user agrees to the listed names', async () => {
      service.state.providerTokens = {
        github: { token: 'a', user_id: null, host: null },
        gitlab: { token: 'b', user_id: null, host: 'git.example.com' },
      };
      await form.send({ type: 'revert' });
      form.agrees = false;
      await form.send({ type: 'clearAllProviders' });
      assert.match(form.questions.at(-1) ?? '', /tokens are deleted immediately: GitHub, GitLab\./);
      assert.equal(Object.keys(service.state.providerTokens).length, 2);
      form.agrees = true;
      await form.send({ type: 'clearAllProviders' });
      assert.deepEqual(service.state.providerTokens, {});
      assert.deepEqual(providers(), []);
      const asked = form.questions.length;
      await form.send({ type: 'clearAllProviders' });
      assert.equal(form.questions.length, asked);
    });

    it('stay unchanged if the token question is canceled', async () => {
      await form.send({ type: 'replaceProviderToken', name: 'github', host: null });
      assert.deepEqual(rows(), []);
    });

    it('show their new state when the form is redrawn, and keep edits', async () => {
      await form.send({ type: 'edits', edits: { ...noEdits, values: { agent: 'A' } } });
      form.secret = 'glpat-valid-0001';
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      const { document } = form.last('form');
      const edits = form.host.open?.edits ?? noEdits;
      await form.send({ type: 'ready', kept: { document, steps: 0, edits } });
      assert.deepEqual(
        form
          .last('form')
          .model.providers.map(({ name }) => name)
          .sort(),
        ['github', 'gitlab'],
      );
      assert.deepEqual(form.last('form').edits.values, { agent: 'A' });
    });
  });
});
