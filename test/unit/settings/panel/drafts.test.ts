import assert from 'node:assert/strict';
import { makeSettings, startService, type ReferenceService } from '../../../service/service';
import { clientOf, Harness, noEdits, openForm, settingsIn } from './support';

describe('form drafts', () => {
  let service: ReferenceService;
  let form: Harness;
  const forms: Harness[] = [];

  openForm((opened, started) => {
    form = opened;
    service = started;
  });
  afterEach(() => {
    for (const each of forms.splice(0)) each.host.dispose();
  });

  const holds = () => settingsIn(service);
  const rename = { ...noEdits, values: { git_user_name: 'Grace' } };
  const target = { at: 'field', field: 'llm_api_key' } as const;

  /** Closes the form; opens it again in the panel that `wasReloaded` with the window, or in a new one. */
  const again = async (wasReloaded = false) => {
    form.host.dispose();
    const later = new Harness(clientOf(service), form.drafts, undefined, undefined, wasReloaded);
    forms.push(later);
    await later.open();
    return later;
  };
  const words = (later: Harness) =>
    later
      .last('form')
      .offers.map((offer) => offer.words.join('\n'))
      .join('\n\n');
  const restore = (later: Harness, index = 0) => {
    const id = later.last('form').offers[index]?.id ?? '';
    return later.send({ type: 'restoreDraft', id });
  };

  describe('after the form was closed', () => {
    it('are offered with their age and changes, but not applied', async () => {
      await form.send({ type: 'edits', edits: rename });
      const later = await again();
      assert.deepEqual(later.last('form').edits, noEdits);
      assert.deepEqual(later.last('form').notices, []);
      assert.match(words(later), /^You left unsaved changes just now \(.*\)\.\nThey change: Name\.\n/);
      assert.match(words(later), /haven’t changed since\.$/);
    });

    it('become ordinary unsaved edits when restored', async () => {
      await form.send({ type: 'edits', edits: rename });
      const later = await again();
      await restore(later);
      assert.deepEqual(later.last('form').edits, rename);
      assert.deepEqual(later.last('form').offers, []);
      assert.match(later.last('form').notices[0] ?? '', /unsaved changes from .* are back/);
      await later.save(rename);
      assert.equal(holds().git_user_name, 'Grace');
      assert.equal(form.drafts.size, 0);
    });

    it('are deleted when discarded', async () => {
      await form.send({ type: 'edits', edits: rename });
      const later = await again();
      await later.send({ type: 'discardDraft', id: later.last('form').offers[0]?.id ?? '' });
      assert.deepEqual(later.last('form').offers, []);
      assert.deepEqual(later.last('form').edits, noEdits);
      assert.equal(form.drafts.size, 0);
    });

    it('show which of their fields changed on the service, or that only others did', async () => {
      await form.send({ type: 'edits', edits: rename });
      holds().agent = 'Other';
      assert.match(words(await again()), /Other settings on the service have changed since\./);
      holds().git_user_name = 'Somebody Else';
      const later = await again();
      assert.match(words(later), /These have also changed on the service since: Name\./);
      await restore(later);
      assert.match(
        later.last('form').notices.join('\n'),
        /Name also changed on the service, to “Somebody Else”\. Saving replaces it with your “Grace”/,
      );
    });

    it('name typed secrets, but contain none', async () => {
      form.secret = 'sk-typed';
      await form.send({ type: 'replaceSecret', target });
      await form.send({ type: 'edits', edits: { ...rename, secrets: { llm_api_key: 'replace' } } });
      assert.ok(!JSON.stringify([...form.drafts]).includes('sk-typed'));
      const later = await again();
      assert.match(words(later), /Enter these again: API key\./);
      await restore(later);
      assert.deepEqual(later.last('form').edits, rename);
      assert.match(later.last('form').notices.join('\n'), /Enter these again: API key\./);
    });

    it('name the secrets of a copy when the server that it copies is gone', async () => {
      const servers = form.last('form').model.mcpServers;
      const source = servers.find(({ kind, apiKey }) => kind === 'shttp' && apiKey.presence === 'set');
      assert.ok(source);
      const copy = { ...source, id: 'new-1', copiedFrom: source.id, url: 'https://copy.example.com' };
      await form.send({ type: 'edits', edits: { ...noEdits, mcpServers: [...servers, copy] } });
      settingsIn(service).mcp_config?.shttp_servers.splice(0);
      const later = await again();
      await restore(later);
      assert.match(later.notices, /Enter these again: https:\/\/copy\.example\.com: api_key\./);
    });

    it('are kept next to new edits until the user decides', async () => {
      await form.send({ type: 'edits', edits: rename });
      const second = await again();
      const other = { ...noEdits, values: { agent: 'BrowsingAgent' } };
      await second.send({ type: 'edits', edits: other });
      form = second;
      const third = await again();
      assert.deepEqual(
        third.last('form').offers.map((offer) => offer.words[1]),
        ['They change: Agent type.', 'They change: Name.'],
      );
      await restore(third, 1);
      await restore(third, 0);
      assert.deepEqual(third.last('form').edits.values, { git_user_name: 'Grace', agent: 'BrowsingAgent' });
    });

    it('merge into edited servers, and keep their typed secrets', async () => {
      const servers = form.last('form').model.mcpServers;
      const [first, second] = servers;
      assert.ok(first && second);
      const moved = { ...first, url: 'https://moved.example.com' };
      await form.send({ type: 'edits', edits: { ...noEdits, mcpServers: [moved, ...servers.slice(1)] } });
      const later = await again();
      const now = later.last('form').model.mcpServers;
      const key = { at: 'mcpApiKey', id: now[0]?.id ?? '' } as const;
      later.secret = 'typed';
      await later.send({ type: 'replaceSecret', target: key });
      await restore(later);
      const edited = later.last('form').edits.mcpServers?.[0];
      assert.equal(edited?.url, 'https://moved.example.com');
      assert.equal(edited.apiKey.intention, 'replace');
      assert.equal(later.last('form').edits.mcpServers?.length, servers.length);
    });

    it('are not offered if they no longer change anything', async () => {
      await form.send({ type: 'edits', edits: rename });
      holds().git_user_name = 'Grace';
      const later = await again();
      assert.deepEqual(later.last('form').offers, []);
      assert.equal(form.drafts.size, 0);
    });

    it('are ignored if unreadable', async () => {
      for (const stored of [7, 'x', { version: 99 }, { current: 1, earlier: [2] }, { earlier: 'no' }]) {
        form.drafts.set(service.url, stored);
        assert.deepEqual((await again()).last('form').offers, []);
      }
    });

    it('do nothing if the offer is gone', async () => {
      await form.send({ type: 'restoreDraft', id: 'none' });
      assert.equal(form.all('form').length, 1);
    });
  });

  it('are restored with a notice after a window reload', async () => {
    await form.send({ type: 'edits', edits: rename });
    const later = await again(true);
    assert.deepEqual(later.last('form').edits, rename);
    assert.deepEqual(later.last('form').offers, []);
    assert.match(later.last('form').notices[0] ?? '', /unsaved changes from .* are back/);
    assert.equal(later.last('form').notices.length, 1);
  });

  it('are still offered after a reload if undecided', async () => {
    await form.send({ type: 'edits', edits: rename });
    const second = await again();
    form = second;
    const third = await again(true);
    assert.deepEqual(third.last('form').edits, noEdits);
    assert.equal(third.last('form').offers.length, 1);
  });

  it('are deleted when empty, saved, or reverted', async () => {
    for (const end of [
      () => form.send({ type: 'edits', edits: noEdits }),
      () => form.save(rename),
      () => form.send({ type: 'revert' }),
    ]) {
      await form.send({ type: 'edits', edits: rename });
      assert.equal(form.drafts.size, 1);
      await end();
      assert.equal(form.drafts.size, 0);
    }
  });

  it('are still offered after a save and a revert', async () => {
    await form.send({ type: 'edits', edits: rename });
    const later = await again();
    await later.save({ values: { agent: 'A' } });
    assert.equal(later.last('form').offers.length, 1);
    await later.send({ type: 'revert' });
    assert.equal(later.last('form').offers.length, 1);
    form = later;
    assert.match(words(await again()), /They change: Name\./);
  });

  describe('of what the service describes', () => {
    const more = { 'agent_settings.llm.reasoning_effort': 'low' };
    let described: ReferenceService;
    let first: Harness;
    const opened = async () => {
      const later = new Harness(clientOf(described), first.drafts);
      forms.push(later);
      await later.open();
      return later;
    };
    const failsToDescribe = () =>
      described.fail({
        method: 'GET',
        path: '/api/v1/settings/agent-schema',
        times: 'always',
        effect: { kind: 'answer', status: 404 },
      });

    beforeEach(async () => {
      described = await startService({ profile: 'current', seed: 'lifelike' });
      first = new Harness(clientOf(described));
      forms.push(first);
      await first.open();
    });
    afterEach(() => described.close());

    it('stay while it doesn’t, with their values, and come back when it does again', async () => {
      await first.send({ type: 'edits', edits: { ...noEdits, more } });
      first.host.dispose();
      failsToDescribe();
      assert.match(words(await opened()), /reasoning_effort: low/);
      described.clearFailures();
      const later = await opened();
      await restore(later);
      assert.deepEqual(later.last('form').edits, { ...noEdits, more });
    });

    it('name the values that can’t be restored', async () => {
      await first.send({ type: 'edits', edits: { ...rename, more } });
      first.host.dispose();
      failsToDescribe();
      const later = await opened();
      await restore(later);
      assert.deepEqual(later.last('form').edits, rename);
      assert.match(later.notices, /reasoning_effort: low/);
    });
  });

  it('are kept for their service while another connection is shown', async () => {
    const other = await startService({ profile: 'documented' });
    other.state.settings = makeSettings({ git_user_name: 'Other' });
    await form.send({ type: 'edits', edits: rename });
    form.client = clientOf(other);
    await form.host.sessionChanged(true);
    assert.equal(form.last('form').model.values.git_user_name, 'Other');
    assert.deepEqual(form.last('form').edits, noEdits);
    assert.ok(form.last('form').notices.join().includes(service.url));
    form.client = clientOf(service);
    await form.host.sessionChanged(true);
    assert.deepEqual(form.last('form').edits, rename);
    await other.close();
  });
});
