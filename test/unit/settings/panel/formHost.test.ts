import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits, settingsIn } from './support';

describe('form host', () => {
  let service: ReferenceService;
  let form: Harness;

  beforeEach(async () => {
    service = await startService({ profile: 'observed', seed: 'lifelike' });
    form = new Harness(clientOf(service));
  });
  afterEach(async () => {
    form.host.dispose();
    await service.close();
  });

  const holds = () => settingsIn(service);
  const rename = { ...noEdits, values: { git_user_name: 'Grace' } };

  it('shows the settings, then the service’s suggestions', async () => {
    await form.open();
    const { model, edits, service: url } = form.last('form');
    assert.equal(url, service.url);
    assert.equal(model.values.git_user_name, 'Mara Lindqvist');
    assert.equal(model.mcpServers.length, 4);
    assert.deepEqual(model.providers, [{ name: 'github', host: null }]);
    assert.deepEqual(edits, noEdits);
    await service.waitForRequest(({ path }) => path.startsWith('/api/options/models'), { after: 0 });
    assert.equal(form.posted[0]?.type, 'loading');
  });

  it('never sends the form a secret', async () => {
    await form.open();
    form.secret = 'sk-typed-canary';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.save({ secrets: { llm_api_key: 'replace' } });
    const told = JSON.stringify([form.posted, form.logged, [...form.drafts]]);
    for (const secret of ['seed-', 'sk-', 'tvly-', 'ghp_', service.sessionKey]) {
      assert.ok(!told.includes(secret), secret);
    }
  });

  it('opens with defaults for a user who never saved', async () => {
    service.state.settings = null;
    await form.open();
    const { model } = form.last('form');
    assert.equal(model.saved, false);
    assert.equal(model.values.enable_default_condenser, true);
  });

  it('says why the settings can’t be read, and retries on request', async () => {
    service.fail({ path: '/api/settings', effect: { kind: 'answer', status: 403 } });
    await form.open();
    assert.match(form.last('failed').message, /403/);
    await form.send({ type: 'retry' });
    assert.equal(form.last('form').model.values.agent, 'CodeActAgent');
  });

  it('says what to do without a connection, and opens once connected', async () => {
    const { client } = form;
    form.client = undefined;
    await form.open();
    assert.deepEqual(form.last('failed'), {
      type: 'failed',
      message: 'Not connected.',
      nextStep: 'Connect.',
    });
    form.client = client;
    await form.host.sessionChanged(false);
    assert.equal(form.last('form').service, service.url);
  });

  it('reads failed settings again only after the service recovers', async () => {
    service.fail({ path: '/api/settings', effect: { kind: 'answer', status: 403 } });
    await form.open();
    await form.host.sessionChanged(false);
    assert.equal(form.all('form').length, 0);
    await form.host.sessionChanged(true);
    assert.equal(form.all('form').length, 1);
    await form.host.sessionChanged(true);
    assert.equal(form.all('loading').length, 2);
  });

  it('shows the requested section once the form is open', async () => {
    form.host.reveal('mcp');
    assert.equal(form.posted.length, 0);
    await form.open();
    assert.equal(form.last('reveal').section, 'mcp');
    form.host.hidden();
    form.host.reveal('providers');
    assert.equal(form.all('reveal').length, 1);
    await form.open();
    assert.equal(form.last('reveal').section, 'providers');
  });

  it('still does what it was opened for if the session changes before it is first shown', async () => {
    let acted = 0;
    form.host.reveal('mcp');
    form.host.whenShown(() => (acted += 1));
    await form.host.sessionChanged(true);
    await form.open();
    assert.deepEqual([form.last('reveal').section, acted], ['mcp', 1]);
  });

  describe('while the form is hidden', () => {
    it('keeps all edits, including the last ones, and shows them again', async () => {
      await form.open();
      const { document } = form.last('form');
      await form.send({ type: 'edits', edits: rename });
      form.host.hidden();
      const last = { ...noEdits, values: { git_user_name: 'Grace H.' } };
      await form.send({ type: 'ready', kept: { document, steps: 0, edits: last } });
      assert.deepEqual(form.last('form').edits, last);
      assert.equal(form.last('form').document, document);
    });

    it('remembers a secret entered while hidden', async () => {
      await form.open();
      const { document } = form.last('form');
      form.host.hidden();
      form.secret = 'sk-new';
      await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
      await form.send({ type: 'ready', kept: { document, steps: 0, edits: noEdits } });
      assert.deepEqual(form.last('form').edits.secrets, { llm_api_key: 'replace' });
    });

    it('doesn’t revert a save that ends while hidden', async () => {
      await form.open();
      const { document } = form.last('form');
      await form.save(rename);
      await form.send({ type: 'ready', kept: { document, steps: 0, edits: rename } });
      assert.deepEqual(form.last('form').edits, noEdits);
    });

    const refusesSaves = () =>
      service.fail({ method: 'POST', path: '/api/settings', effect: { kind: 'answer', status: 403 } });
    /** Shows the form again after what `begin` begins has ended without it. */
    const shownAfter = async (begin: () => Promise<void>) => {
      const { document } = form.last('form');
      const ending = begin();
      form.host.hidden();
      await ending;
      // Something else may change meanwhile.
      form.host.show();
      const edits = form.host.open?.edits ?? noEdits;
      await form.send({ type: 'ready', kept: { document, steps: 0, edits } });
      const { result } = form.last('form');
      form.host.show();
      assert.equal(form.last('form').result, null, 'said once');
      return result?.kind;
    };

    it('says how a save ended while hidden', async () => {
      await form.open();
      refusesSaves();
      assert.equal(await shownAfter(() => form.save(rename)), 'failed');
      holds().git_user_name = 'Theirs';
      assert.equal(await shownAfter(() => form.save(rename)), 'conflict');
    });

    it('says how an undo ended while hidden', async () => {
      await form.open();
      await form.save(rename);
      refusesSaves();
      assert.equal(await shownAfter(() => form.send({ type: 'undoSave' })), 'notUndone');
    });

    it('doesn’t say of another connection how a save ended while hidden', async () => {
      await form.open();
      refusesSaves();
      const saving = form.save(rename);
      form.host.hidden();
      await saving;
      form.client = clientOf(service);
      await form.open();
      assert.equal(form.last('form').result, null);
    });

    it('brings no section of another connection’s form into view', async () => {
      await form.open();
      form.host.hidden();
      form.host.reveal('mcp');
      form.client = clientOf(service);
      await form.host.sessionChanged(true);
      await form.open();
      assert.equal(form.all('loading').length, 2);
      assert.deepEqual(form.all('reveal'), []);
    });

    it('sends a new connection no request before the form is shown', async () => {
      await form.open();
      form.host.hidden();
      const before = service.requests.length;
      form.client = clientOf(service);
      await form.host.sessionChanged(true);
      assert.equal(service.requests.length, before);
      await form.open();
      assert.equal(form.all('loading').length, 2);
    });

    it('shows the service’s changes when shown again, unless there are edits', async () => {
      await form.open();
      const { document } = form.last('form');
      holds().agent = 'Other';
      await form.send({ type: 'ready', kept: { document, steps: 0, edits: noEdits } });
      assert.equal(form.last('form').model.values.agent, 'Other');
      const shown = form.last('form').document;
      assert.notEqual(shown, document);

      holds().agent = 'Third';
      await form.send({ type: 'ready', kept: { document: shown, steps: 0, edits: rename } });
      assert.equal(form.last('form').model.values.agent, 'Other');
      assert.deepEqual(form.last('form').edits, rename);
    });
  });

  describe('edits typed while a refresh is on its way to the page', () => {
    const refreshed = async () => {
      await form.open();
      const { document } = form.last('form');
      holds().agent = 'Other';
      await form.send({ type: 'ready', kept: { document, steps: 0, edits: noEdits } });
      return document;
    };

    it('are carried over to what the refresh read', async () => {
      const replaced = await refreshed();
      await form.send({ type: 'edits', edits: rename }, replaced);
      const { document, edits, model } = form.last('form');
      assert.notEqual(document, replaced);
      assert.deepEqual(edits, rename);
      assert.equal(model.values.agent, 'Other');
      assert.equal(form.notices, '');
      await form.save(rename);
      assert.equal(form.result.kind, 'saved');
      assert.deepEqual([holds().git_user_name, holds().agent], ['Grace', 'Other']);
    });

    it('don’t replace newer ones, or come back after a save', async () => {
      const replaced = await refreshed();
      await form.send({ type: 'edits', edits: rename });
      await form.send({ type: 'edits', edits: { ...noEdits, values: { git_user_name: 'Old' } } }, replaced);
      assert.match(form.notices, /your last action wasn’t applied/);
      await form.save(rename);
      await form.send({ type: 'edits', edits: { ...noEdits, values: { git_user_name: 'Old' } } }, replaced);
      assert.deepEqual(form.last('form').edits, noEdits);
      assert.match(form.notices, /your last action wasn’t applied/);
    });
  });

  it('makes its own changes again to edits from a page that didn’t know of them', async () => {
    await form.open();
    const { document } = form.last('form');
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.forge({ type: 'edits', document, steps: 0, revision: 7, edits: rename });
    const { edits, steps, revision } = form.last('form');
    assert.deepEqual(edits, { ...rename, secrets: { llm_api_key: 'replace' } });
    assert.deepEqual([steps, revision], [1, 7]);
    const shown = form.all('form').length;
    await form.forge({ type: 'edits', document, steps: 1, revision: 8, edits: rename });
    assert.deepEqual(form.host.open?.edits, rename);
    assert.equal(form.all('form').length, shown, 'nothing that the page doesn’t know');
  });

  it('shows a form that was hidden during a save what is happening, and how it ended', async () => {
    await form.open();
    const { document, steps } = form.last('form');
    const shown: (string | null)[] = [];
    form.whileAsked = async () => {
      form.host.hidden();
      await form.send({ type: 'ready', kept: { document, steps, edits: rename } });
      shown.push(form.last('form').working);
    };
    await form.save(rename);
    assert.deepEqual(shown, ['Saving…']);
    assert.deepEqual([form.last('form').working, form.result.kind], [null, 'saved']);
    assert.equal(form.last('form').model.values.git_user_name, 'Grace');
  });

  it('says that an updated service may show defaults', async () => {
    form.wasUpdated = true;
    await form.open();
    assert.match(form.notices, /was updated.*may show their defaults\. Check them and save again/);
  });

  it('opens the pickers of what the service keeps beside the settings', async () => {
    await form.open();
    assert.equal(form.last('form').hasPickers, false);
    await form.send({ type: 'manage', what: 'profiles' });
    assert.deepEqual(form.managed, ['profiles']);
    const current = await startService({ profile: 'current', seed: 'lifelike' });
    await form.switchTo(clientOf(current));
    assert.equal(form.last('form').hasPickers, true);
    await current.close();
  });

  it('shows what such a picker has changed, such as the model of a profile, when it’s refreshed', async () => {
    await form.open();
    holds().llm_model = 'profile/model';
    await form.host.refresh();
    assert.equal(form.last('form').model.values.llm_model, 'profile/model');
  });

  it('forgets notices that the user has read', async () => {
    await form.open();
    form.host.say('Something.');
    assert.equal(form.notices, 'Something.');
    await form.send({ type: 'dismiss', list: 'notices' });
    form.host.show();
    assert.equal(form.notices, '');
  });

  it('reverts to the service’s current settings, and forgets typed secrets', async () => {
    await form.open();
    form.secret = 'sk-new';
    await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
    await form.send({ type: 'edits', edits: { ...rename, secrets: { llm_api_key: 'replace' } } });
    holds().agent = 'Other';
    await form.send({ type: 'revert' });
    assert.deepEqual(form.last('form').edits, noEdits);
    assert.equal(form.last('form').model.values.agent, 'Other');
    await form.save({ secrets: { llm_api_key: 'replace' } });
    assert.equal(form.result.kind, 'invalid');
    assert.equal(holds().llm_api_key, 'sk-seed-llm-key-0001');
  });

  it('reverts without the service, and says that the settings couldn’t be read', async () => {
    await form.open();
    await form.send({ type: 'edits', edits: rename });
    service.fail({ path: '/api/settings', times: 'always', effect: { kind: 'answer', status: 403 } });
    await form.send({ type: 'revert' });
    assert.deepEqual(form.last('form').edits, noEdits);
    assert.match(form.last('form').notices.join(), /^Couldn’t reload the settings from the service\. /);
    assert.equal(form.all('failed').length, 0);
  });

  describe('before reverting', () => {
    const two = { ...rename, values: { ...rename.values, agent: 'Other' } };

    it('asks before several changes are lost, and keeps them on cancel', async () => {
      await form.open();
      await form.send({ type: 'edits', edits: two });
      form.agrees = false;
      await form.send({ type: 'revert' });
      assert.deepEqual(form.questions, [
        'Discard 2 unsaved changes? You’ll lose your changes to: Agent type, Name. [Discard]',
      ]);
      assert.deepEqual(form.host.open?.edits, two);
      form.agrees = true;
      await form.send({ type: 'revert' });
      assert.deepEqual(form.last('form').edits, noEdits);
    });

    it('asks before a typed secret is lost', async () => {
      await form.open();
      form.secret = 'sk-new';
      await form.send({ type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } });
      form.agrees = false;
      await form.send({ type: 'revert' });
      assert.equal(
        form.questions.at(-1),
        'Discard 1 unsaved change? You’ll lose your changes to: API key. Secrets you entered are lost too: API key. [Discard]',
      );
      form.agrees = true;
      await form.save({ secrets: { llm_api_key: 'replace' } });
      assert.equal(holds().llm_api_key, 'sk-new');
    });

    it('doesn’t ask about a single small change', async () => {
      await form.open();
      await form.send({ type: 'edits', edits: rename });
      await form.send({ type: 'revert' });
      assert.deepEqual(form.questions, []);
      assert.deepEqual(form.last('form').edits, noEdits);
    });
  });

  it('rejects and logs invalid messages without quoting them, and answers those of a known type', async () => {
    await form.open();
    const before = form.posted.length;
    for (const data of [null, 'revert', { type: 'steal', secret: 'canary' }]) await form.forge(data);
    assert.equal(form.posted.length, before);
    await form.forge({ type: 'revert', canary: 1 });
    assert.match(form.notices, /nothing was done/);
    assert.ok(!form.logged.join().includes('canary'));
    const refusals = form.logged.filter((text) => text.startsWith('Refused'));
    assert.equal(refusals.length, 4);
    await form.send({ type: 'refused', what: 'invalid at "model"' });
    assert.match(form.logged.at(-1) ?? '', /The form refused a message/);
  });

  it('ignores messages before the form is open', async () => {
    const target = { at: 'field', field: 'llm_api_key' } as const;
    await form.send({ type: 'edits', edits: rename });
    await form.save(rename);
    await form.send({ type: 'revert' });
    await form.send({ type: 'replaceSecret', target });
    await form.send({ type: 'clearSecret', target });
    await form.send({ type: 'replaceProviderToken', name: 'github', host: null });
    await form.send({ type: 'setProviderHost', name: 'github', host: null });
    await form.send({ type: 'clearProvider', name: 'github' });
    assert.deepEqual([form.posted, form.questions, service.requests.length], [[], [], 0]);
  });
});
