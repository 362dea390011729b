import assert from 'node:assert/strict';
import { undoWithoutForm } from '../../../src/settingsPanel/undoing';
import { startService, type ReferenceService } from '../../service/service';
import { clientOf, Harness, noEdits } from './support';

describe('undoing the last save', () => {
  let service: ReferenceService;
  let form: Harness;

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    form = new Harness(clientOf(service));
    await form.open();
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const holds = () => {
    assert.ok(service.state.settings);
    return service.state.settings;
  };
  const posts = () =>
    service.requests.filter(({ method, path }) => method === 'POST' && path === '/api/settings').length;
  const undo = () => form.send({ type: 'undoSave' });
  const savedUndo = () => (form.result.kind === 'saved' ? form.result.undo : form.result.kind);

  it('is offered after a save that changed something, and brings the former values back', async () => {
    const former = structuredClone(holds());
    const servers = form.last('model').model.mcpServers;
    await form.save({ values: { agent: 'A', max_iterations: 7 }, mcpServers: servers.slice(1) });
    assert.equal(savedUndo(), 'possible');
    await undo();
    assert.equal(savedUndo(), 'done');
    assert.deepEqual({ ...holds(), sandbox_api_key: null }, { ...former, sandbox_api_key: null });
    assert.equal(form.last('model').model.values.agent, former.agent);
    assert.match(form.last('model').notices.join(), /former values are back/);
    assert.deepEqual(form.all('saving').length, 1);
    assert.deepEqual(form.last('model').edits, noEdits);
  });

  it('is not offered after a save that changed nothing, and then undoes the one before', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    await form.save({});
    assert.equal(savedUndo(), 'impossible');
    await undo();
    assert.equal(holds().agent, agent);
  });

  it('says which secrets cannot come back', async () => {
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.save({ values: { agent: 'A' }, secrets: { llm_api_key: 'replace' } });
    await undo();
    assert.match(form.last('model').notices.join(), /Not restored.*: API key\./);
    assert.equal(holds().llm_api_key, 'sk-new');
    assert.notEqual(holds().agent, 'A');
  });

  it('says so where nothing but such secrets was saved, and posts nothing', async () => {
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.save({ secrets: { llm_api_key: 'replace' } });
    const before = posts();
    await undo();
    assert.ok(form.result.kind === 'notUndone');
    assert.match(form.result.message, /Not restored/);
    assert.equal(posts(), before);
  });

  it('leaves what others changed since, and what is edited in the form', async () => {
    await form.save({ values: { agent: 'A' } });
    holds().language = 'fr';
    const edits = { ...noEdits, values: { git_user_name: 'Grace' } };
    await form.send({ type: 'edits', edits });
    await undo();
    assert.equal(savedUndo(), 'done');
    assert.equal(holds().language, 'fr');
    assert.deepEqual(form.last('model').edits, edits);
    assert.equal(form.drafts.size, 1);
  });

  it('asks before it drops secrets that were typed and not saved', async () => {
    await form.save({ values: { agent: 'A' } });
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    form.agrees = false;
    const before = posts();
    await undo();
    assert.deepEqual(form.result, { kind: 'cancelled' });
    assert.match(form.questions.at(-1) ?? '', /Enter these again: API key/);
    assert.equal(posts(), before);
    assert.deepEqual(form.host.open?.edits.secrets, { llm_api_key: 'replace' });
    form.agrees = true;
    await undo();
    assert.equal(savedUndo(), 'done');
    assert.deepEqual(form.last('model').edits, noEdits);
    assert.match(form.last('model').notices.join(), /Enter these again: API key/);
  });

  it('shows a conflict where somebody else has changed the same, and goes on with the choice', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    holds().agent = 'Theirs';
    await undo();
    assert.ok(form.result.kind === 'conflict');
    const [conflict] = form.result.conflicts;
    assert.deepEqual([conflict?.mine, conflict?.theirs, conflict?.former], [agent, 'Theirs', 'A']);
    const { edits } = form.last('model');
    await form.save(edits, { [conflict?.key ?? '']: 'mine' });
    assert.equal(form.result.kind, 'saved');
    assert.equal(holds().agent, agent);
  });

  it('does not mix a conflict with unsaved edits', async () => {
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

  it('says why it failed and can be tried again', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'answer', status: 403 } });
    await undo();
    assert.ok(form.result.kind === 'notUndone');
    assert.match(form.result.message, /403.*Nothing was undone\./);
    await undo();
    assert.equal(holds().agent, agent);
  });

  it('tells by reading back that it took place although the answer was lost', async () => {
    const { agent } = holds();
    await form.save({ values: { agent: 'A' } });
    service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'performThenReset' } });
    await undo();
    assert.equal(holds().agent, agent);
    assert.equal(savedUndo(), 'done');
    assert.equal(form.last('model').model.values.agent, agent);
  });

  it('has nothing to undo before the first save, and nothing of another connection', async () => {
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
    const ports = () => ({ confirm: () => Promise.resolve(true), lastSaves: form.lastSaves });

    it('restores the values and tells so', async () => {
      const { agent } = holds();
      await form.save({ values: { agent: 'A' } });
      form.host.dispose();
      const words = await undoWithoutForm(ports(), form.client);
      assert.match(words?.join() ?? '', /former values are back/);
      assert.equal(holds().agent, agent);
    });

    it('asks for the form where the user has to choose, which then shows the conflict', async () => {
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
      assert.match((await undoWithoutForm(ports(), form.client))?.join() ?? '', /no save/);
      assert.match((await undoWithoutForm(ports(), undefined))?.join() ?? '', /no save/);
    });
  });
});
