import assert from 'node:assert/strict';
import { undoWithoutForm } from '../../../../src/features/settings/panel/undoing';
import type { FormEdits } from '../../../../src/features/settings/shared/form';
import type { McpServer } from '../../../../src/shared/mcp';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits, openForm, settingsIn } from './support';

describe('undoing the last save', () => {
  let service: ReferenceService;
  let form: Harness;

  openForm((opened, started) => {
    form = opened;
    service = started;
  });

  const holds = () => settingsIn(service);
  const posts = () =>
    service.requests.filter(({ method, path }) => method === 'POST' && path === '/api/settings').length;
  const undo = () => form.send({ type: 'undoSave' });
  const savedUndo = () => (form.result.kind === 'saved' ? form.result.undo : form.result.kind);

  it('is offered after a save with changes, and restores the previous values', async () => {
    const previous = structuredClone(holds());
    const servers = form.last('form').model.mcpServers;
    await form.save({ values: { agent: 'A', max_iterations: 7 }, mcpServers: servers.slice(1) });
    assert.equal(savedUndo(), 'possible');
    await undo();
    assert.equal(savedUndo(), 'done');
    assert.deepEqual({ ...holds(), sandbox_api_key: null }, { ...previous, sandbox_api_key: null });
    assert.equal(form.last('form').model.values.agent, previous.agent);
    // The form's status shows the undo, so a notice would repeat it.
    assert.doesNotMatch(form.last('form').notices.join(), /previous values are back/);
    assert.ok(form.all('form').some(({ working }) => working === 'Saving…'));
    assert.equal(form.last('form').working, null);
    assert.deepEqual(form.last('form').edits, noEdits);
  });

  it('is not offered after an empty save, but undoes the previous one', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    await form.save({});
    assert.equal(savedUndo(), 'impossible');
    await undo();
    assert.equal(holds().agent, agent);
  });

  it('lists secrets it can’t restore', async () => {
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.save({ values: { agent: 'A' }, secrets: { llm_api_key: 'replace' } });
    await undo();
    assert.match(form.last('form').notices.join(), /Not restored.*: API key\./);
    assert.equal(holds().llm_api_key, 'sk-new');
    assert.notEqual(holds().agent, 'A');
  });

  it('asks before the model’s key, which stays as it is, goes to the previous address', async () => {
    holds().llm_base_url = 'https://former.example/v1';
    await form.send({ type: 'revert' });
    const edits = { ...noEdits, values: { llm_base_url: 'https://later.example/v1' } };
    await form.send({ type: 'edits', edits });
    form.secret = 'sk-later';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.save({ ...edits, secrets: { llm_api_key: 'replace' } });
    form.questions.length = 0;
    form.agrees = false;
    await undo();
    assert.deepEqual(form.questions, [
      'Send a secret to https://former.example? The model’s API key: used for https://later.example until now, ' +
        'for https://former.example from now on. [Undo]',
    ]);
    assert.deepEqual([form.result, holds().llm_base_url], [{ kind: 'canceled' }, 'https://later.example/v1']);
    form.agrees = true;
    await undo();
    assert.equal(holds().llm_base_url, 'https://former.example/v1');
  });

  it('doesn’t ask where the model’s key is the one that went there before', async () => {
    holds().llm_base_url = 'https://former.example/v1';
    await form.send({ type: 'revert' });
    await form.save({ values: { llm_base_url: 'https://later.example/v1' } });
    form.questions.length = 0;
    await undo();
    assert.equal(holds().llm_base_url, 'https://former.example/v1');
    assert.deepEqual(form.questions, []);
  });

  it('posts nothing if only such secrets were saved, and says so', async () => {
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.save({ secrets: { llm_api_key: 'replace' } });
    const before = posts();
    await undo();
    assert.ok(form.result.kind === 'notUndone');
    assert.match(form.result.message, /Not restored/);
    assert.equal(posts(), before);
  });

  it('keeps other clients’ changes and unsaved edits', async () => {
    await form.save({ values: { agent: 'A' } });
    holds().language = 'fr';
    const edits = { ...noEdits, values: { git_user_name: 'Grace' } };
    await form.send({ type: 'edits', edits });
    await undo();
    assert.equal(savedUndo(), 'done');
    assert.equal(holds().language, 'fr');
    assert.deepEqual(form.last('form').edits, edits);
    assert.equal(form.drafts.size, 1);
  });

  it('asks before dropping typed, unsaved secrets', async () => {
    await form.save({ values: { agent: 'A' } });
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    form.agrees = false;
    const before = posts();
    await undo();
    assert.deepEqual(form.result, { kind: 'canceled' });
    assert.match(form.questions.at(-1) ?? '', /Enter these again: API key/);
    assert.equal(posts(), before);
    assert.deepEqual(form.host.open?.edits.secrets, { llm_api_key: 'replace' });
    form.agrees = true;
    await undo();
    assert.equal(savedUndo(), 'done');
    assert.deepEqual(form.last('form').edits, noEdits);
    assert.match(form.last('form').notices.join(), /Enter these again: API key/);
  });

  it('shows a conflict with another client’s change, and applies the choice', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    holds().agent = 'Theirs';
    await undo();
    assert.ok(form.result.kind === 'conflict');
    const [conflict] = form.result.conflicts;
    assert.deepEqual([conflict?.mine, conflict?.theirs, conflict?.previous], [agent, 'Theirs', 'A']);
    const { edits } = form.last('form');
    await form.save(edits, { [conflict?.key ?? '']: 'mine' });
    assert.equal(form.result.kind, 'saved');
    assert.equal(holds().agent, agent);
  });

  it('asks before it clears the key of a model profile that is in use since', async () => {
    Object.assign(holds(), { llm_model: 'mine/model', llm_api_key: null });
    await form.send({ type: 'revert' });
    form.secret = 'sk-mine';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.save({ secrets: { llm_api_key: 'replace' } });
    Object.assign(holds(), { llm_model: 'other/model', llm_api_key: 'sk-other' });
    await undo();
    assert.ok(form.result.kind === 'conflict');
    const [{ key, ...words }, ...more] = form.result.conflicts as [
      (typeof form.result.conflicts)[0],
      ...unknown[],
    ];
    assert.deepEqual(
      [words, more],
      [
        {
          label: 'API key',
          mine: 'Cleared (Language model: mine/model)',
          theirs: 'Set (Language model: other/model)',
          previous: 'Set (Language model: mine/model)',
        },
        [],
      ],
    );
    assert.equal(holds().llm_api_key, 'sk-other');
    await form.save(form.last('form').edits, { [key]: 'theirs' });
    assert.equal(form.result.kind, 'saved');
    assert.equal(holds().llm_api_key, 'sk-other');
  });

  it('keeps a git provider that was connected since in the form with a conflict', async () => {
    await form.save({ values: { agent: 'A' } });
    form.secret = 'glpat-valid-0001';
    await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
    holds().agent = 'Theirs';
    await undo();
    assert.equal(form.result.kind, 'conflict');
    const names = form.last('form').model.providers.map(({ name }) => name);
    assert.deepEqual(names.sort(), ['github', 'gitlab']);
  });

  it('doesn’t start a conflict while there are unsaved edits', async () => {
    await form.save({ values: { agent: 'A' } });
    holds().agent = 'Theirs';
    const edits = { ...noEdits, values: { git_user_name: 'Grace' } };
    await form.send({ type: 'edits', edits });
    await undo();
    assert.ok(form.result.kind === 'notUndone');
    assert.match(form.result.message, /Save or revert/);
    assert.deepEqual(form.host.open?.edits, edits);
    assert.equal(holds().agent, 'Theirs');
  });

  it('says why it failed, and can be retried', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'answer', status: 403 } });
    await undo();
    assert.ok(form.result.kind === 'notUndone');
    assert.match(form.result.message, /403.*Nothing was undone\./);
    await undo();
    assert.equal(holds().agent, agent);
  });

  it('keeps a secret that was typed since when it fails', async () => {
    const [first] = form.last('form').model.mcpServers.filter(({ apiKey }) => apiKey.presence === 'set');
    assert.ok(first);
    const replace = async (value: string) => {
      form.secret = value;
      await form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id: first.id } });
    };
    const save = () => form.save(form.host.open?.edits ?? {});
    const keys = () => JSON.stringify(holds().mcp_config);
    await replace('key-saved');
    await save();
    assert.match(keys(), /key-saved/);
    await replace('key-typed-since');
    service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'answer', status: 403 } });
    await undo();
    assert.equal(form.result.kind, 'notUndone');
    await save();
    assert.match(keys(), /key-typed-since/);
  });

  it('detects a completed undo whose answer was lost', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'performThenReset' } });
    await undo();
    assert.equal(holds().agent, agent);
    assert.equal(savedUndo(), 'done');
    assert.equal(form.last('form').model.values.agent, agent);
  });

  it('does nothing before the first save or for another connection', async () => {
    await undo();
    assert.equal(form.result.kind, 'notUndone');
    await form.save({ values: { agent: 'A' } });
    form.client = clientOf(service);
    await form.host.sessionChanged(true);
    await undo();
    assert.equal(form.result.kind, 'notUndone');
    assert.equal(holds().agent, 'A');
  });

  describe('when the form is closed', () => {
    const ports = () => ({
      confirm: () => Promise.resolve(true),
      safeguards: form.safeguards,
      lastSaves: form.lastSaves,
    });

    it('restores the values and says so', async () => {
      const { agent } = holds();
      await form.save({ values: { agent: 'A' } });
      form.host.dispose();
      const words = await undoWithoutForm(ports(), form.client);
      assert.match(words?.join() ?? '', /previous values are back/);
      assert.equal(holds().agent, agent);
    });

    it('requests the form for a conflict, and the form shows it', async () => {
      await form.save({ values: { agent: 'A' } });
      form.host.dispose();
      holds().agent = 'Theirs';
      assert.equal(await undoWithoutForm(ports(), form.client), undefined);
      assert.equal(holds().agent, 'Theirs');
      const later = new Harness(form.client, form.drafts, form.lastSaves);
      await later.open();
      await later.send({ type: 'undoSave' });
      assert.equal(later.result.kind, 'conflict');
      later.host.dispose();
    });

    it('says when there is nothing to undo', async () => {
      assert.match((await undoWithoutForm(ports(), form.client))?.join() ?? '', /nothing to undo/);
      assert.match((await undoWithoutForm(ports(), undefined))?.join() ?? '', /nothing to undo/);
    });
  });
});

describe('undoing a save of a server whose secret was hidden', () => {
  const url = 'https://one.example.com/mcp';
  let service: ReferenceService;
  let form: Harness;
  beforeEach(async () => {
    service = await startService({ profile: 'current', seed: 'lifelike' });
    const shttp_servers = [{ url, api_key: 'one-key' }];
    service.patch({ settings: { mcp_config: { sse_servers: [], stdio_servers: [], shttp_servers } } });
    form = new Harness(clientOf(service));
    await form.open();
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const server = () => settingsIn(service).mcp_config?.shttp_servers[0];
  async function saveKey(change: Partial<McpServer> = {}, part: Partial<FormEdits> = {}): Promise<void> {
    const shown = form.last('form').model.mcpServers[0];
    assert.ok(shown);
    const changed = { ...shown, ...change };
    await form.send({ type: 'edits', edits: { ...noEdits, ...part, mcpServers: [changed] } });
    form.secret = 'typed-key';
    await form.send({ type: 'replaceSecret', target: { at: 'mcpApiKey', id: shown.id } });
    await form.save(form.host.open?.edits ?? {});
    assert.equal(form.result.kind, 'saved');
    form.questions.length = 0;
  }

  it('restores the rest and names the secret', async () => {
    const { language } = settingsIn(service);
    await saveKey({ timeout: 90 }, { values: { language: 'it' } });
    await form.send({ type: 'undoSave' });
    assert.deepEqual(form.result, { kind: 'saved', undo: 'done' });
    assert.match(form.last('form').notices.join(), /Not restored.*one\.example\.com\/mcp: api_key\./);
    assert.equal(settingsIn(service).language, language);
    assert.deepEqual([server()?.timeout ?? null, server()?.api_key], [null, 'typed-key']);
    assert.deepEqual(form.questions, []);
  });

  it('asks before the new one goes to the previous address', async () => {
    const moved = 'https://moved.example.com/mcp';
    await saveKey({ url: moved });
    form.agrees = false;
    await form.send({ type: 'undoSave' });
    assert.match(form.questions.join(), /^Send a secret to https:\/\/one\.example\.com\?.*\[Undo\]$/);
    assert.deepEqual([form.result, server()?.url], [{ kind: 'canceled' }, moved]);
    form.agrees = true;
    await form.send({ type: 'undoSave' });
    assert.equal(server()?.url, url);
  });

  it('posts nothing if only the secret was saved, and says so', async () => {
    await saveKey();
    const posts = service.requests.length;
    await form.send({ type: 'undoSave' });
    assert.ok(form.result.kind === 'notUndone');
    assert.match(form.result.message, /Not restored/);
    assert.equal(service.requests.length, posts);
  });
});
