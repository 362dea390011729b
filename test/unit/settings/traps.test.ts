import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ApiError } from '../../../src/api/http/errors';
import { withServerIntention } from '../../../src/features/settings/shared/form';
import { plainFields, type PlainField, type PlainValues } from '../../../src/shared/settings';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import type { StoredSettings } from '../../service/records';
import { mask } from '../../service/settingsFields';
import { copyOf } from '../../../src/features/settings/page/rows';
import { fakeService } from './fakeService';
import { safeguards } from '../core/settings/safeguards';
import { edits, keyMayGo, newEntry, newServer, saveAs, serverAt, withServer, withoutServer } from './support';
import { otherValues } from './values';
import { everyCase } from '../../support/everyCase';

/** Settings with a value in every field. */
const filled: Partial<StoredSettings> = {
  language: 'de',
  agent: 'CodeActAgent',
  max_iterations: 120,
  security_analyzer: 'invariant',
  confirmation_mode: true,
  llm_model: 'anthropic/claude',
  llm_api_key: 'llm-secret',
  llm_base_url: 'https://llm.example.com',
  remote_runtime_resource_factor: 2,
  enable_default_condenser: false,
  enable_sound_notifications: true,
  enable_proactive_conversation_starters: false,
  enable_solvability_analysis: false,
  user_consents_to_analytics: true,
  sandbox_base_container_image: 'base:1',
  sandbox_runtime_container_image: 'runtime:1',
  search_api_key: 'search-secret',
  max_budget_per_task: 12.5,
  email: 'ada@example.com',
  email_verified: true,
  git_user_name: 'Ada',
  git_user_email: 'ada@example.com',
  condenser_max_size: 77,
  mcp_config: {
    sse_servers: [{ url: 'https://sse.example.com', api_key: 'sse-key' }],
    stdio_servers: [
      {
        name: 'fetch',
        command: 'uvx',
        args: ['mcp-server-fetch', 'a b'],
        env: { TOKEN: 'env-secret', MODE: 'x' },
      },
    ],
    shttp_servers: [
      { url: 'https://one.example.com/mcp', api_key: 'one-key', timeout: 30 },
      { url: 'https://two.example.com/mcp', api_key: null, timeout: 60 },
    ],
  },
};

const observed = (settings: Partial<StoredSettings> | null = filled, more = {}) =>
  fakeService('observed', structuredClone(settings), more);

function stored(service: ReturnType<typeof fakeService>): StoredSettings {
  assert.ok(service.state.settings, 'no settings');
  return service.state.settings;
}

/** `filled` for the documented profile, which has neither timeouts nor null keys. */
const { condenser_max_size: _beyond, ...specified } = filled;
const documentedFilled = {
  ...specified,
  mcp_config: {
    ...filled.mcp_config,
    shttp_servers: [
      { url: 'https://one.example.com/mcp', api_key: 'one-key' },
      { url: 'https://two.example.com/mcp' },
    ],
  },
} as Partial<StoredSettings>;

/** Everything a value contains, as one string to search for secrets. */
const textOf = (value: unknown) => JSON.stringify(value);

describe('settings: pitfalls of the service API', () => {
  describe('POST resets every field missing from the body', () => {
    for (const profile of ['observed', 'documented'] as const) {
      it(`changes nothing else in a save of any field (${profile})`, () =>
        everyCase(plainFields, String, async (field) => {
          const service = fakeService(
            profile,
            structuredClone(profile === 'documented' ? documentedFilled : filled),
          );
          const before = structuredClone(service.state);
          const document = await SettingsDocument.load(service.client, service.safeguards);
          const { notes } = await saveAs('saved', document, { values: { [field]: otherValues[field] } });
          assert.deepEqual(stored(service), { ...before.settings, [field]: otherValues[field] });
          assert.deepEqual(service.state.providerTokens, before.providerTokens);
          assert.deepEqual(notes, []);
        }));
    }

    it('posts every plain field, including switches at their default', async () => {
      const service = observed({});
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { values: { language: 'tr' } });
      assert.deepEqual(
        plainFields.filter((field) => !(field in (service.posts[0] ?? {}))),
        [],
      );
      assert.equal(service.posts[0]?.enable_default_condenser, true);
      assert.equal(service.posts[0].enable_sound_notifications, false);
    });

    it('keeps another client’s changes made after the form was opened', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      stored(service).agent = 'TheirAgent';
      stored(service)['condenser_max_size'] = 99;
      stored(service).mcp_config?.shttp_servers.push({ url: 'https://theirs.example.com' });
      await saveAs('saved', document, { values: { language: 'it' } });
      assert.equal(stored(service).agent, 'TheirAgent');
      assert.equal(stored(service)['condenser_max_size'], 99);
      assert.equal(stored(service).mcp_config?.shttp_servers.length, 3);
      assert.equal(stored(service).language, 'it');
    });

    it('posts nothing without changes', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { values: { language: 'de' }, mcpServers: document.model.mcpServers });
      assert.equal(service.counts.postSettings, 0);
    });
  });

  describe('llm_model, llm_base_url and user_consents_to_analytics are kept when absent or null', () => {
    for (const field of ['llm_model', 'llm_base_url'] as const) {
      it(`clears ${field} with an empty string`, async () => {
        const service = observed();
        const document = await SettingsDocument.load(service.client, service.safeguards);
        const { notes } = await saveAs('saved', document, { values: { [field]: null } });
        assert.equal(service.posts[0]?.[field], '');
        assert.equal(stored(service)[field], '');
        assert.deepEqual(notes, []);
      });
    }

    it('reports a consent the service keeps', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const { notes } = await saveAs('saved', document, { values: { user_consents_to_analytics: null } });
      assert.equal(stored(service).user_consents_to_analytics, true);
      assert.deepEqual(
        notes.map(({ kind, label }) => [kind, label]),
        [['kept', 'user_consents_to_analytics']],
      );
    });
  });

  describe('one save at a time', () => {
    it('queues two saves to a service, and both are stored', async () => {
      const service = observed();
      const one = await SettingsDocument.load(service.client, service.safeguards);
      const two = await SettingsDocument.load(service.client, service.safeguards);
      const seen: string[] = [];
      service.arrives = (request) => void seen.push(request);
      const outcomes = await Promise.all([
        one.save(edits({ values: { language: 'it' } }), keyMayGo),
        two.save(edits({ values: { agent: 'Second' } }), keyMayGo),
      ]);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['saved', 'saved'],
      );
      assert.deepEqual(seen, [
        ...['getSettings', 'postSettings', 'getSettings'],
        ...['getSettings', 'postSettings', 'getSettings'],
      ]);
      assert.equal(stored(service).language, 'it');
      assert.equal(stored(service).agent, 'Second');
    });
  });

  describe('GET omits or masks secrets', () => {
    it('shows only whether secrets are set', async () => {
      const document = await SettingsDocument.load(observed().client, safeguards());
      assert.deepEqual(document.model.secrets, {
        llm_api_key: 'set',
        search_api_key: 'set',
        sandbox_api_key: 'unknown',
      });
      assert.doesNotMatch(textOf(document.model), /secret"|-key"/);
    });

    it('prints and serializes documents without secrets', async () => {
      const { client } = observed();
      const document = await SettingsDocument.load(client, safeguards());
      document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed-secret');
      const printed = inspect(document, { depth: 20, showHidden: true, getters: true });
      assert.doesNotMatch(textOf(document) + printed, /typed-secret|sse-key|one-key|env-secret/);
    });

    it('never posts a masked value back', async () => {
      const service = observed({ ...filled, sandbox_api_key: 'sandbox-secret' }, { maskSecrets: true });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.equal(document.model.secrets.sandbox_api_key, 'set');
      await saveAs('saved', document, { values: { language: 'it' } });
      assert.doesNotMatch(textOf(service.posts), /\*\*/);
      assert.equal(stored(service).llm_api_key, 'llm-secret');
      assert.equal(stored(service).search_api_key, 'search-secret');
    });

    it('rejects a save while an MCP server is masked', async () => {
      const service = observed({
        mcp_config: {
          sse_servers: [{ url: 'https://a.example.com', api_key: '********' }],
          stdio_servers: [],
          shttp_servers: [],
        },
      });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const { errors } = await saveAs('invalid', document, { values: { language: 'it' } });
      assert.deepEqual(
        errors.map(({ target }) => target),
        [{ at: 'mcp', id: serverAt(document, 'https://a.example.com').id, member: 'apiKey' }],
      );
      assert.equal(service.counts.postSettings, 0);
    });

    it('rejects a typed mask as a secret', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      document.setSecret({ at: 'field', field: 'llm_api_key' }, '**********');
      const { errors } = await saveAs('invalid', document, { secrets: { llm_api_key: 'replace' } });
      assert.deepEqual(errors[0]?.target, { at: 'field', field: 'llm_api_key' });
    });
  });

  describe('an empty string clears a secret, an absent one keeps it', () => {
    it('omits an untouched secret from the body', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { values: { language: 'it' } });
      for (const field of ['llm_api_key', 'search_api_key', 'sandbox_api_key'])
        assert.ok(!(field in (service.posts[0] ?? {})), field);
      assert.equal(stored(service).search_api_key, 'search-secret');
    });

    it('sends the value for Replace and an empty string for Clear', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      document.setSecret({ at: 'field', field: 'llm_api_key' }, 'new-secret');
      const { document: after, notes } = await saveAs('saved', document, {
        secrets: { llm_api_key: 'replace', search_api_key: 'clear' },
      });
      assert.equal(stored(service).llm_api_key, 'new-secret');
      assert.equal(stored(service).search_api_key, null);
      assert.equal(after.model.secrets.search_api_key, 'notSet');
      assert.deepEqual(notes, []);
    });

    it('clears nothing for Replace without a value', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed');
      document.clearSecretValue({ at: 'field', field: 'llm_api_key' });
      await saveAs('invalid', document, { secrets: { llm_api_key: 'replace' } });
      assert.equal(stored(service).llm_api_key, 'llm-secret');
      document.setSecret({ at: 'field', field: 'llm_api_key' }, 'typed');
      document.clearSecretValue({ at: 'field', field: 'search_api_key' });
      await saveAs('saved', document, { secrets: { llm_api_key: 'replace' } });
      assert.equal(stored(service).llm_api_key, 'typed');
    });

    it('detects a service that loses an absent secret', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      service.carriedOut = (request) => {
        if (request === 'postSettings') stored(service).llm_api_key = null;
      };
      const { notes } = await saveAs('saved', document, { values: { language: 'it' } });
      assert.deepEqual(
        notes.map(({ kind, label }) => [kind, label]),
        [['secret', 'llm_api_key']],
      );
      assert.match(notes[0]?.message ?? '', /no longer has a value/);
    });
  });

  describe('sandbox_api_key is lost if omitted, and GET doesn’t show whether it is set', () => {
    it('posts no save until the user agrees, then doesn’t ask again', async () => {
      const service = observed({ ...filled, sandbox_api_key: 'sandbox-secret' });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const change = { values: { language: 'it' } };
      assert.equal(document.sandboxKeyAtRisk(edits(change)), true);
      const { about } = await saveAs('needsConfirmation', document, change, {});
      assert.equal(about, 'sandboxApiKey');
      assert.equal(service.counts.postSettings, 0);
      const { document: next } = await saveAs('saved', document, change, keyMayGo);
      assert.equal(next.sandboxKeyAtRisk(edits({ values: { language: 'fr' } })), false);
      await saveAs('saved', next, { values: { language: 'fr' } }, {});
    });

    it('doesn’t warn if the save sets or clears the key', async () => {
      for (const intention of ['replace', 'clear'] as const) {
        const service = observed({ ...filled, sandbox_api_key: 'sandbox-secret' });
        const document = await SettingsDocument.load(service.client, service.safeguards);
        document.setSecret({ at: 'field', field: 'sandbox_api_key' }, 'new-sandbox');
        const change = { secrets: { sandbox_api_key: intention }, values: { language: 'it' } };
        assert.equal(document.sandboxKeyAtRisk(edits(change)), false);
        await saveAs('saved', document, change, {});
        assert.equal(stored(service).sandbox_api_key, intention === 'clear' ? null : mask);
      }
    });

    it('warns again after a key was stored', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      document.setSecret({ at: 'field', field: 'sandbox_api_key' }, 'new-sandbox');
      const { document: next } = await saveAs('saved', document, { secrets: { sandbox_api_key: 'replace' } });
      await saveAs('needsConfirmation', next, { values: { language: 'it' } }, {});
      assert.equal(stored(service).sandbox_api_key, mask);
    });

    it('doesn’t warn after the key was cleared', async () => {
      const document = await SettingsDocument.load(observed().client, safeguards());
      const { document: next } = await saveAs('saved', document, { secrets: { sandbox_api_key: 'clear' } });
      await saveAs('saved', next, { values: { language: 'it' } }, {});
    });

    it('doesn’t warn a user who never saved', async () => {
      const service = observed(null);
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { values: { language: 'it' } }, {});
    });

    it('treats null from a masking service as not set', async () => {
      const service = observed(filled, { maskSecrets: true });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.equal(document.model.secrets.sandbox_api_key, 'notSet');
      await saveAs('saved', document, { values: { language: 'it' } }, {});
    });

    it('warns a new user if another client saved first', async () => {
      const service = observed(null);
      const document = await SettingsDocument.load(service.client, service.safeguards);
      service.state.settings = observed({ language: 'de' }).state.settings;
      await saveAs('needsConfirmation', document, { values: { git_user_name: 'New' } }, {});
    });
  });

  describe('unknown and response-only fields', () => {
    it('posts condenser_max_size back unchanged and shows it', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.deepEqual(document.model.other, [
        { name: 'user_version', text: 'null' },
        { name: 'condenser_max_size', text: '77' },
        { name: 'v1_enabled', text: 'true' },
      ]);
      await saveAs('saved', document, { values: { language: 'it' } });
      assert.equal(stored(service)['condenser_max_size'], 77);
    });

    it('hazard: 1.6 resets its own fields when a save leaves them out: posts them back', async () => {
      const extraSettings = { sandbox_grouping_strategy: 'NO_GROUPING', disabled_skills: null };
      const held = { sandbox_grouping_strategy: 'ADD_TO_ANY', disabled_skills: ['deploy'] };
      const service = observed({ ...filled, ...held }, { extraSettings });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { values: { language: 'it' } });
      for (const [name, value] of Object.entries(held)) assert.deepEqual(stored(service)[name], value, name);
    });

    it('keeps unknown fields of any type or name, without showing their text', async () => {
      const odd = JSON.parse(
        '{"text_field":"maybe-a-secret","list":[1,{"a":"b"}],"object":{"x":null},"__proto__":{"y":1},"constructor":"c"}',
      ) as Record<string, unknown>;
      const service = observed(filled);
      service.rewrite = (answer) =>
        answer.status === 200 && typeof answer.body === 'object' && 'language' in (answer.body ?? {})
          ? {
              ...answer,
              body: JSON.parse(`${JSON.stringify(answer.body).slice(0, -1)},${JSON.stringify(odd).slice(1)}`),
            }
          : answer;
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.doesNotMatch(textOf(document.model), /maybe-a-secret/);
      await saveAs('saved', document, { values: { language: 'it' } });
      const posted = JSON.parse(textOf(service.posts[0])) as Record<string, unknown>;
      for (const name of ['text_field', 'list', 'object', 'constructor'])
        assert.deepEqual(posted[name], odd[name]);
    });

    it('never posts secrets_store or response-only fields', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { values: { language: 'it' } });
      for (const field of ['secrets_store', 'llm_api_key_set', 'search_api_key_set', 'provider_tokens_set'])
        assert.ok(!(field in (service.posts[0] ?? {})), field);
    });

    it('shows and sends back email and email_verified', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.equal(document.model.email, 'ada@example.com');
      assert.equal(document.model.emailVerified, true);
      await saveAs('saved', document, { values: { language: 'it' } });
      assert.equal(stored(service).email, 'ada@example.com');
      assert.equal(stored(service).email_verified, true);
    });
  });

  describe('404 “Settings not found” means the user never saved', () => {
    it('opens with defaults, and creates the settings on first save', async () => {
      const service = observed(null);
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.equal(document.model.saved, false);
      assert.equal(document.model.values.enable_default_condenser, true);
      assert.deepEqual(document.model.secrets, {
        llm_api_key: 'notSet',
        search_api_key: 'notSet',
        sandbox_api_key: 'notSet',
      });
      const { document: after } = await saveAs('saved', document, { values: { language: 'it' } });
      assert.equal(after.model.saved, true);
      assert.equal(stored(service).language, 'it');
      assert.ok(!('mcp_config' in (service.posts[0] ?? {})), 'posted an MCP configuration');
    });

    it('treats any other 404 as an error', async () => {
      const service = observed();
      service.rewrite = () => ({ status: 404, body: { detail: 'Not Found' } });
      await assert.rejects(
        SettingsDocument.load(service.client, service.safeguards),
        (error) => error instanceof ApiError && error.reason === 'notFound',
      );
    });

    it('shows the service’s text for a 401 while loading', async () => {
      const service = observed();
      service.rewrite = () => ({ status: 401, body: { error: 'Invalid token' } });
      await assert.rejects(
        SettingsDocument.load(service.client, service.safeguards),
        (error) =>
          error instanceof ApiError &&
          error.reason === 'unauthorized' &&
          error.serverText === 'Invalid token',
      );
    });
  });

  describe('mcp_config returns secrets in plain text', () => {
    it('keeps keys and env values out of the model, review, and draft', async () => {
      const document = await SettingsDocument.load(observed().client, safeguards());
      const change = edits({ mcpServers: withoutServer(document, 'fetch') });
      assert.doesNotMatch(textOf([document.model, document.review(change)]), /sse-key|one-key|env-secret/);
      assert.equal(serverAt(document, 'https://sse.example.com').apiKey.presence, 'set');
      assert.equal(serverAt(document, 'https://two.example.com/mcp').apiKey.presence, 'notSet');
    });

    it('posts untouched servers back unchanged, including secrets', async () => {
      const service = observed();
      const before = structuredClone(stored(service).mcp_config);
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { values: { language: 'it' } });
      assert.deepEqual(service.posts[0]?.mcp_config, before);
    });

    it('keeps all servers’ secrets when a member is edited', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, {
        mcpServers: withServer(document, 'https://one.example.com/mcp', () => ({ timeout: 99 })),
      });
      assert.deepEqual(stored(service).mcp_config, {
        ...filled.mcp_config,
        shttp_servers: [
          { url: 'https://one.example.com/mcp', api_key: 'one-key', timeout: 99 },
          { url: 'https://two.example.com/mcp', api_key: null, timeout: 60 },
        ],
      });
    });

    it('replaces and clears a key as requested', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const one = serverAt(document, 'https://one.example.com/mcp');
      document.setSecret({ at: 'mcpApiKey', id: one.id }, 'next-key');
      const mcpServers = document.model.mcpServers.map((server) =>
        server.id === one.id
          ? { ...server, apiKey: { ...server.apiKey, intention: 'replace' as const } }
          : server.kind === 'sse'
            ? { ...server, apiKey: { ...server.apiKey, intention: 'clear' as const } }
            : server,
      );
      const { notes } = await saveAs('saved', document, { mcpServers });
      assert.equal(stored(service).mcp_config?.shttp_servers[0]?.api_key, 'next-key');
      assert.equal(stored(service).mcp_config?.sse_servers[0]?.api_key, null);
      assert.deepEqual(notes, []);
    });

    it('renames, keeps, replaces, adds, and deletes environment variables', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const { id } = serverAt(document, 'fetch');
      document.setSecret({ at: 'mcpEnv', id, name: 'NEW' }, 'new-value');
      const mcpServers = withServer(document, 'fetch', ({ env }) => ({
        env: [
          ...env
            .filter(({ name }) => name === 'TOKEN')
            .map((entry) => ({ ...entry, name: 'API_TOKEN', originalName: 'TOKEN' })),
          newEntry('NEW'),
        ],
      }));
      await saveAs('saved', document, { mcpServers });
      assert.deepEqual(stored(service).mcp_config?.stdio_servers[0]?.env, {
        API_TOKEN: 'env-secret',
        NEW: 'new-value',
      });
    });

    it('keeps the key when the kind changes, if both kinds have a key', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const { document: after } = await saveAs('saved', document, {
        mcpServers: withServer(document, 'https://sse.example.com', () => ({ kind: 'shttp' })),
      });
      assert.deepEqual(stored(service).mcp_config?.sse_servers, []);
      assert.deepEqual(
        stored(service).mcp_config?.shttp_servers.find(({ url }) => url === 'https://sse.example.com'),
        { url: 'https://sse.example.com', api_key: 'sse-key', timeout: 60 },
      );
      assert.equal(
        serverAt(after, 'https://sse.example.com').id,
        serverAt(document, 'https://sse.example.com').id,
      );
    });

    it('copies the secrets of a duplicated server', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const one = serverAt(document, 'https://one.example.com/mcp');
      const copy = { ...one, id: 'new-1', url: 'https://copy.example.com/mcp', copiedFrom: one.id };
      await saveAs('saved', document, { mcpServers: [...document.model.mcpServers, copy] });
      assert.equal(
        stored(service).mcp_config?.shttp_servers.find(({ url }) => url === copy.url)?.api_key,
        'one-key',
      );
    });

    it('copies them to a copy of the duplicate if the form shows them there', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const one = serverAt(document, 'https://one.example.com/mcp');
      const copy = { ...copyOf(one, 'new-1', true), url: 'https://copy.example.com/mcp' };
      const again = { ...copyOf(copy, 'new-2', false), url: 'https://again.example.com/mcp' };
      const cleared = withServerIntention(
        { ...again, id: 'new-3', url: 'https://bare.example.com' },
        null,
        'clear',
      );
      assert.equal(again.apiKey.presence, 'set');
      const mcpServers = [...document.model.mcpServers, copy, again, cleared];
      await saveAs('saved', document, { mcpServers });
      const keyAt = (at: string) =>
        stored(service).mcp_config?.shttp_servers.find(({ url }) => url === at)?.api_key;
      assert.deepEqual([keyAt(again.url), keyAt(cleared.url) ?? null], ['one-key', null]);
    });

    it('returns a server’s secrets in the host, preferring typed ones', async () => {
      const document = await SettingsDocument.load(observed().client, safeguards());
      const one = serverAt(document, 'https://one.example.com/mcp');
      assert.deepEqual(document.secretsOf(one), { apiKey: 'one-key', env: {} });
      document.setSecret({ at: 'mcpApiKey', id: one.id }, 'typed');
      assert.equal(
        document.secretsOf({ ...one, apiKey: { presence: 'set', intention: 'replace' } }).apiKey,
        'typed',
      );
      const tool = serverAt(document, 'fetch');
      const untyped = { ...one, id: 'new-1', apiKey: { presence: 'notSet', intention: 'replace' } } as const;
      assert.equal(document.wireOf({ ...untyped, args: [], env: [] }), undefined);
      assert.equal(document.wireOf({ ...tool, env: [newEntry('UNTYPED')] }), undefined);
      assert.deepEqual(document.wireOf(tool), filled.mcp_config?.stdio_servers[0]);
      assert.deepEqual(document.secretsOf(tool).env, { TOKEN: 'env-secret', MODE: 'x' });
      const env = [...tool.env, newEntry('UNTYPED')];
      assert.deepEqual(document.secretsOf({ ...tool, env }).env, { TOKEN: 'env-secret', MODE: 'x' });
    });
  });

  it('refuses a new variable with the name that another had before', async () => {
    const document = await SettingsDocument.load(observed().client, safeguards());
    const { id } = serverAt(document, 'fetch');
    document.setSecret({ at: 'mcpEnv', id, name: 'TOKEN' }, 'typed');
    const mcpServers = withServer(document, 'fetch', ({ env }) => ({
      env: [
        ...env.map((entry) =>
          entry.name === 'TOKEN' ? { ...entry, name: 'RENAMED', originalName: 'TOKEN' } : entry,
        ),
        newEntry('TOKEN'),
      ],
    }));
    const [problem, ...others] = document.problems(edits({ mcpServers }));
    assert.deepEqual(problem?.target, { at: 'mcp', id, member: 'env.2' });
    assert.match(problem.message, /Another variable had this name before/);
    assert.deepEqual(others, []);
  });

  it('takes in the object of a server that is kept elsewhere, and nothing else', async () => {
    const document = await SettingsDocument.load(observed().client, safeguards());
    const server = document.adopt('shttp', { url: 'https://kept.example.com', api_key: 'kept-key' });
    assert.ok(server);
    assert.equal(document.secretsOf(server).apiKey, 'kept-key');
    for (const wire of [null, 5, 'text', ['https://kept.example.com']])
      assert.equal(document.adopt('stdio', wire), undefined);
  });

  describe('unknown keys of mcp_config', () => {
    it('are never added, because the service rejects them', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, { mcpServers: withoutServer(document, 'fetch') });
      assert.deepEqual(Object.keys(service.posts[0]?.mcp_config ?? {}).sort(), [
        'shttp_servers',
        'sse_servers',
        'stdio_servers',
      ]);
    });

    it('are posted back if the service returned them, inside servers too', async () => {
      const service = fakeService('documented', structuredClone(documentedFilled));
      service.rewrite = (answer) => {
        const body = structuredClone(answer.body) as { mcp_config?: Record<string, unknown> } | undefined;
        if (body?.mcp_config === undefined) return answer;
        body.mcp_config['registry'] = { url: 'https://registry.example.com' };
        (body.mcp_config['sse_servers'] as Record<string, unknown>[])[0]!['headers'] = { 'X-Team': 'a' };
        return { ...answer, body };
      };
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, {
        mcpServers: withServer(document, 'https://sse.example.com', () => ({
          url: 'https://sse2.example.com',
        })),
      });
      const config = service.posts[0]?.mcp_config;
      assert.deepEqual(config?.['registry'], { url: 'https://registry.example.com' });
      assert.deepEqual(config.sse_servers[0], {
        url: 'https://sse2.example.com',
        api_key: 'sse-key',
        headers: { 'X-Team': 'a' },
      });
    });
  });

  describe('server formats', () => {
    it('reports nothing if the service fills in a default timeout', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const added = newServer({ id: 'new-1', url: 'https://new.example.com/mcp' });
      const { notes, document: after } = await saveAs('saved', document, {
        mcpServers: [...document.model.mcpServers, added],
      });
      assert.deepEqual(notes, []);
      assert.equal(serverAt(after, added.url).timeout, 60);
      assert.doesNotMatch(serverAt(after, added.url).id, /^new-/);
    });

    it('sends and removes a timeout', async () => {
      const service = observed();
      const document = await SettingsDocument.load(service.client, service.safeguards);
      await saveAs('saved', document, {
        mcpServers: withServer(document, 'https://one.example.com/mcp', () => ({ timeout: null })),
      });
      assert.equal(service.posts[0]?.mcp_config?.shttp_servers[0]?.timeout, undefined);
    });

    it('treats a null or absent api_key as not set, and keeps it absent', async () => {
      const service = fakeService('documented', {
        mcp_config: { sse_servers: [{ url: 'https://a.example.com' }], stdio_servers: [], shttp_servers: [] },
      });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.equal(document.model.mcpServers[0]?.apiKey.presence, 'notSet');
      await saveAs('saved', document, {
        mcpServers: withServer(document, 'https://a.example.com', () => ({ url: 'https://b.example.com' })),
      });
      assert.deepEqual(service.posts[0]?.mcp_config?.sse_servers, [{ url: 'https://b.example.com' }]);
    });

    it('reads, edits, and posts a server given as a bare URL', async () => {
      const service = observed(
        {
          mcp_config: {
            sse_servers: [{ url: 'https://bare.example.com' }],
            stdio_servers: [],
            shttp_servers: [{ url: 'https://other.example.com', api_key: 'k' }],
          },
        },
        { bareMcpUrls: true },
      );
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const { document: next } = await saveAs('saved', document, {
        mcpServers: withServer(document, 'https://other.example.com', () => ({ timeout: 5 })),
      });
      assert.equal(stored(service).mcp_config?.sse_servers[0]?.url, 'https://bare.example.com');
      const { notes } = await saveAs('saved', next, {
        mcpServers: withServer(next, 'https://bare.example.com', () => ({
          url: 'https://edited.example.com',
        })),
      });
      assert.equal(stored(service).mcp_config?.sse_servers[0]?.url, 'https://edited.example.com');
      assert.deepEqual(notes, []);
    });

    it('sends no MCP configuration to a service that has none', async () => {
      for (const profile of ['observed', 'documented'] as const) {
        const service = fakeService(profile, { language: 'de' });
        const document = await SettingsDocument.load(service.client, service.safeguards);
        await saveAs('saved', document, { values: { language: 'it' } });
        assert.equal(service.posts[0]?.mcp_config, undefined);
        assert.equal(stored(service).mcp_config, null);
      }
    });

    it('creates a configuration for the first server, and empty lists after the last', async () => {
      const service = observed({ language: 'de' });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const server = newServer({ id: 'new-1', kind: 'stdio', name: 'fetch', command: 'uvx', args: ['x y'] });
      const { document: next } = await saveAs('saved', document, { mcpServers: [server] });
      assert.deepEqual(stored(service).mcp_config, {
        sse_servers: [],
        stdio_servers: [{ name: 'fetch', command: 'uvx', args: ['x y'], env: {} }],
        shttp_servers: [],
      });
      await saveAs('saved', next, { mcpServers: [] });
      assert.deepEqual(stored(service).mcp_config, { sse_servers: [], stdio_servers: [], shttp_servers: [] });
    });
  });

  describe('service checks repeated in the form', () => {
    const cases: [string, Parameters<typeof newServer>[0], string][] = [
      ['a URL with an unsupported scheme', { id: 'new-1', url: 'ftp://example.com' }, 'url'],
      ['a URL without a host', { id: 'new-1', url: 'http:' }, 'url'],
      ['a stdio name with a space', { id: 'new-1', kind: 'stdio', name: 'a b', command: 'x' }, 'name'],
      ['a command with a space', { id: 'new-1', kind: 'stdio', name: 'a', command: 'x y' }, 'command'],
      ['a timeout of 0', { id: 'new-1', url: 'https://x.example.com', timeout: 0 }, 'timeout'],
      ['a timeout of 3601', { id: 'new-1', url: 'https://x.example.com', timeout: 3601 }, 'timeout'],
      ['a second server with the same URL', { id: 'new-1', url: 'https://one.example.com/mcp' }, 'url'],
      [
        'a second server with the same name',
        { id: 'new-1', kind: 'stdio', name: 'fetch', command: 'x' },
        'name',
      ],
      [
        'a variable with "=" in its name',
        { id: 'new-1', kind: 'stdio', name: 'a', command: 'x', env: [newEntry('A=B', 'clear')] },
        'env.0',
      ],
      [
        'two variables of one name',
        {
          id: 'new-1',
          kind: 'stdio',
          name: 'a',
          command: 'x',
          env: [newEntry('A', 'clear'), newEntry('A', 'clear')],
        },
        'env.1',
      ],
      [
        'a variable without the value that was promised',
        { id: 'new-1', kind: 'stdio', name: 'a', command: 'x', env: [newEntry('A', 'replace')] },
        'env.0',
      ],
      [
        'a key without the value that was promised',
        { id: 'new-1', url: 'https://x.example.com', apiKey: { presence: 'notSet', intention: 'replace' } },
        'apiKey',
      ],
      ['a server missing from the list', { id: 'mcp-unknown', url: 'https://x.example.com' }, 'server'],
    ];
    for (const [name, server, member] of cases) {
      it(`rejects ${name} before sending`, async () => {
        const service = observed();
        const document = await SettingsDocument.load(service.client, service.safeguards);
        const { errors } = await saveAs('invalid', document, {
          mcpServers: [...document.model.mcpServers, newServer(server)],
        });
        assert.deepEqual(
          errors.map(({ target }) => target),
          [{ at: 'mcp', id: server.id, member }],
        );
        assert.deepEqual(service.counts.getSettings, 1);
      });
    }

    const values: [PlainField, PlainValues[PlainField]][] = [
      ['llm_base_url', 'not a url'],
      ['max_iterations', 0.5],
      ['max_budget_per_task', -1],
      ['git_user_email', 'nobody'],
    ];
    for (const [field, value] of values) {
      it(`rejects ${field} ${String(value)}`, async () => {
        const document = await SettingsDocument.load(observed().client, safeguards());
        const { errors } = await saveAs('invalid', document, { values: { [field]: value } });
        assert.deepEqual(
          errors.map(({ target }) => target),
          [{ at: 'field', field }],
        );
      });
    }
  });

  describe('duplicates accepted by the service', () => {
    const doubles: Partial<StoredSettings> = {
      mcp_config: {
        sse_servers: [],
        stdio_servers: [],
        shttp_servers: [
          { url: 'https://same.example.com', api_key: 'first', timeout: 60 },
          { url: 'https://same.example.com', api_key: 'second', timeout: 60 },
        ],
      },
    };

    it('keeps existing duplicates, and allows other changes', async () => {
      const service = observed(doubles);
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.deepEqual(document.problems(edits({ mcpServers: document.model.mcpServers })), []);
      await saveAs('saved', document, { values: { language: 'it' } });
      assert.deepEqual(stored(service).mcp_config, doubles.mcp_config);
    });

    it('deletes the right duplicate after the service reorders', async () => {
      for (const reversed of [false, true]) {
        const service = observed(doubles);
        const document = await SettingsDocument.load(service.client, service.safeguards);
        if (reversed) stored(service).mcp_config?.shttp_servers.reverse();
        await saveAs('saved', document, { mcpServers: document.model.mcpServers.slice(1) });
        assert.deepEqual(stored(service).mcp_config?.shttp_servers, [
          { url: 'https://same.example.com', api_key: 'second', timeout: 60 },
        ]);
      }
    });
  });

  describe("servers from the operator's own file are merged into what GET returns", () => {
    const operatorMcp = {
      sse_servers: [{ url: 'https://operator.example.com', api_key: 'operator-key' }],
      stdio_servers: [],
      shttp_servers: [],
    };

    it('reports a deleted server that returns', async () => {
      const service = observed(filled, { operatorMcp });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const { notes, document: after } = await saveAs('saved', document, {
        mcpServers: withoutServer(document, 'https://operator.example.com'),
      });
      assert.deepEqual(
        notes.map(({ kind, label }) => [kind, label]),
        [['returned', 'https://operator.example.com']],
      );
      assert.equal(
        notes[0]?.target.at === 'mcp' && notes[0].target.id,
        serverAt(after, 'https://operator.example.com').id,
      );
    });

    it('reports an edited server that returns next to the edited copy', async () => {
      const service = observed({}, { operatorMcp });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      const { notes } = await saveAs('saved', document, {
        mcpServers: withServer(document, 'https://operator.example.com', () => ({
          url: 'https://edited.example.com',
        })),
      });
      assert.deepEqual(
        notes.map(({ kind, label }) => [kind, label]),
        [['returned', 'https://operator.example.com']],
      );
    });

    it('doesn’t add another copy with every save', async () => {
      const service = observed(filled, { operatorMcp });
      let document = await SettingsDocument.load(service.client, service.safeguards);
      for (const language of ['it', 'fr', 'tr'])
        ({ document } = await saveAs('saved', document, { values: { language } }));
      const copies = stored(service).mcp_config?.sse_servers.filter(({ url }) => url.includes('operator'));
      assert.equal(copies?.length, 1);
      assert.equal(stored(service).mcp_config?.sse_servers.length, 2);
    });
  });

  it('allows other changes despite a stored value the form would reject', async () => {
    const service = observed({
      ...filled,
      git_user_email: 'root',
      llm_base_url: 'localhost:11434',
      max_iterations: 0,
    });
    const document = await SettingsDocument.load(service.client, service.safeguards);
    await saveAs('saved', document, { values: { language: 'it' } });
    assert.equal(stored(service).git_user_email, 'root');
  });
});
