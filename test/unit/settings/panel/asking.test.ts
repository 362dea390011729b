import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, type Harness, openForm } from './support';

describe('questions before the form sends', () => {
  let service: ReferenceService;
  let form: Harness;

  openForm((opened, started) => {
    form = opened;
    service = started;
  });
  beforeEach(() => {
    assert.ok(service.state.settings);
    form.agrees = false;
  });

  const posts = () => service.requests.filter(({ method }) => method === 'POST').length;
  /** Makes the service report no saved settings although they exist. */
  const saysNoneSaved = (times: number | 'always' = 1) =>
    service.fail({
      method: 'GET',
      path: '/api/settings',
      times,
      effect: { kind: 'answer', status: 404, body: { error: 'Settings not found' } },
    });
  const asked = () => form.questions.at(-1) ?? '';

  describe('if the service suddenly reports no saved settings', () => {
    it('sends no save, and keeps the edits', async () => {
      const before = structuredClone(service.state);
      saysNoneSaved();
      await form.save({ values: { max_iterations: 7 } });
      assert.match(asked(), /^Save to empty settings\?.*Nothing was sent.*\[Save to Empty Settings\]$/s);
      assert.ok(form.result.kind === 'failed');
      assert.match(form.result.message, /no settings are saved.*Nothing was sent\..*still here/s);
      assert.equal(posts(), 0);
      assert.deepEqual(service.state, before);
      assert.equal(form.host.open?.edits.values.max_iterations, 7);
    });

    it('sends neither defaults nor a token for a git provider', async () => {
      const before = structuredClone(service.state);
      saysNoneSaved('always');
      form.secret = 'glpat-valid-0001';
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      assert.match(asked(), /^Save to empty settings\?/);
      assert.match(form.providerError(), /no settings are saved.*Nothing was sent/s);
      assert.equal(posts(), 0);
      assert.deepEqual(service.state, before);
    });

    it('parks no server, and says it is still on the service', async () => {
      const [server] = form.last('form').model.mcpServers;
      assert.ok(server);
      saysNoneSaved();
      await form.send({ type: 'parkServer', id: server.id });
      const { words, failed } = form.last('form').serverNotices;
      assert.ok(failed);
      assert.match(words.join(' '), /wasn’t parked.*no settings are saved/s);
      assert.deepEqual(form.parked.list(service.url), []);
      assert.equal(posts(), 0);
    });

    it('sends no undo', async () => {
      form.agrees = true;
      await form.save({ values: { agent: 'A' } });
      form.agrees = false;
      const before = posts();
      saysNoneSaved();
      await form.send({ type: 'undoSave' });
      assert.ok(form.result.kind === 'notUndone');
      assert.match(form.result.message, /no settings are saved/);
      assert.equal(posts(), before);
      assert.equal(service.state.settings?.agent, 'A');
    });

    it('saves to empty settings if the user confirms the reset', async () => {
      service.state.settings = null;
      form.agrees = true;
      await form.save({ values: { max_iterations: 7 } });
      assert.equal(form.questions.length, 1);
      assert.equal(form.result.kind, 'saved');
      assert.equal(form.last('form').model.values.max_iterations, 7);
      assert.equal(form.last('form').model.values.agent, null);
    });

    it('opens an empty form only after a retry and confirmation', async () => {
      saysNoneSaved(3);
      await form.send({ type: 'retry' });
      assert.match(form.last('failed').message, /no settings are saved, but saved settings were seen/);
      assert.equal(form.questions.length, 0);
      await form.send({ type: 'retry' });
      assert.match(asked(), /^Start with empty settings\?/);
      assert.equal(form.host.open, undefined);
      form.agrees = true;
      service.state.settings = null;
      await form.send({ type: 'retry' });
      assert.equal(form.last('form').model.saved, false);
      assert.equal(posts(), 0);
    });
  });

  describe('if the window switches services before the answer', () => {
    let other: ReferenceService;
    beforeEach(async () => {
      other = await startService({ profile: 'observed', seed: 'lifelike' });
      form.agrees = true;
      form.secret = 'glpat-valid-0001';
      form.whileAsked = async () => {
        form.client = clientOf(other);
        await form.host.sessionChanged(true);
      };
    });
    afterEach(() => other.close());

    for (const message of [
      { type: 'replaceProviderToken', name: 'gitlab', host: null },
      { type: 'clearProvider', name: 'github' },
      { type: 'clearAllProviders' },
    ] as const)
      it(`change neither service nor any row (${message.type})`, async () => {
        const before = structuredClone([service.state, other.state]);
        await form.send(message);
        assert.ok(asked());
        assert.deepEqual(form.providerChanges, []);
        assert.deepEqual([service.state, other.state], before);
        assert.equal(posts(), 0);
      });
  });

  describe('if the service doesn’t list its git provider tokens', () => {
    beforeEach(async () => {
      service.state.settings = null;
      form.agrees = true;
      await form.send({ type: 'retry' });
      await form.send({ type: 'retry' });
      form.agrees = false;
      form.secret = 'glpat-valid-0001';
    });

    it('changes none until the user agrees to lose unlisted tokens', async () => {
      const before = structuredClone(service.state.providerTokens);
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: null });
      assert.match(asked(), /^This may delete other git provider tokens.*keeps only: GitLab\./s);
      assert.deepEqual(form.last('form').providerChanges, []);
      assert.deepEqual(service.state.providerTokens, before);
      assert.equal(posts(), 0);
    });

    it('keeps and shows the tokens stored here', async () => {
      form.agrees = true;
      service.state.providerTokens = {};
      await form.send({ type: 'replaceProviderToken', name: 'gitlab', host: 'git.example.com' });
      await form.send({ type: 'replaceProviderToken', name: 'bitbucket', host: null });
      assert.match(asked(), /keeps only: GitLab, Bitbucket\./);
      assert.deepEqual(Object.keys(service.state.providerTokens), ['gitlab', 'bitbucket']);
      assert.equal(service.state.providerTokens['gitlab']?.host, 'git.example.com');
      await form.send({ type: 'revert' });
      assert.deepEqual(
        form.host.open?.providers.map(({ name }) => name),
        ['gitlab', 'bitbucket'],
      );
      assert.equal(service.state.settings, null);
    });
  });
});
