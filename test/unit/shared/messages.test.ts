import assert from 'node:assert/strict';
import type { FormModel } from '../../../src/shared/form';
import {
  parseHostMessage,
  parseWebviewMessage,
  type HostMessage,
  type WebviewMessage,
} from '../../../src/shared/messages';
import { plainDefaults } from '../../../src/shared/settings';

const edits = { values: {}, secrets: {}, mcpServers: null };
const server = {
  id: 'a',
  kind: 'stdio',
  url: '',
  apiKey: { presence: 'notSet', intention: 'keep' },
  timeout: null,
  name: 'files',
  command: 'npx',
  args: ['-y'],
  env: [{ name: 'TOKEN', originalName: 'KEY', presence: 'set', intention: 'replace' }],
  copiedFrom: 'b',
} as const;
const model = {
  saved: true,
  values: plainDefaults,
  secrets: { llm_api_key: 'set', search_api_key: 'notSet', sandbox_api_key: 'unknown' },
  email: null,
  emailVerified: null,
  mcpServers: [{ ...server, args: ['-y'], env: [{ ...server.env[0] }] }],
  providers: [{ name: 'github', host: null }],
  other: [{ name: 'x', text: '1' }],
} satisfies FormModel;

/** One message of each type: a type that is missing here does not compile. */
const fromHost: { [T in HostMessage['type']]: Extract<HostMessage, { type: T }> } = {
  loading: { type: 'loading' },
  failed: { type: 'failed', message: 'm', nextStep: 'n' },
  model: {
    type: 'model',
    document: 'd',
    service: 'http://x',
    model,
    edits,
    notices: ['n'],
    offers: [{ id: 'a', words: ['w'] }],
  },
  saving: { type: 'saving' },
  reveal: { type: 'reveal', section: 'mcp' },
  secret: { type: 'secret', target: { at: 'mcpEnv', id: 'a', name: 'KEY' }, intention: 'clear' },
  suggestions: { type: 'suggestions', field: 'agent', values: ['A'] },
  providers: { type: 'providers', providers: [{ name: 'github', host: 'h' }] },
  provider: { type: 'provider', name: 'github', busy: false, error: null },
  servers: { type: 'servers', event: { kind: 'added', servers: model.mcpServers, notices: ['n'] } },
  saveResult: {
    type: 'saveResult',
    result: { kind: 'invalid', problems: [{ target: { at: 'form' }, message: 'm' }] },
  },
  review: {
    type: 'review',
    groups: [{ title: 't', changes: [{ label: 'l', before: 'b', after: 'a' }] }],
    notes: ['n'],
  },
};

const fromForm: { [T in WebviewMessage['type']]: Extract<WebviewMessage, { type: T }> } = {
  ready: { type: 'ready', kept: { document: 'd', edits } },
  edits: { type: 'edits', edits: { ...edits, values: { max_iterations: 3, agent: null } } },
  save: { type: 'save', edits: { ...edits, secrets: { llm_api_key: 'clear' } }, choices: { a: 'mine' } },
  review: { type: 'review', edits },
  undoSave: { type: 'undoSave' },
  restoreDraft: { type: 'restoreDraft', id: 'a' },
  discardDraft: { type: 'discardDraft', id: 'a' },
  revert: { type: 'revert' },
  retry: { type: 'retry' },
  replaceSecret: { type: 'replaceSecret', target: { at: 'field', field: 'llm_api_key' } },
  clearSecret: { type: 'clearSecret', target: { at: 'mcpApiKey', id: 'a' } },
  keepSecret: { type: 'keepSecret', target: { at: 'mcpEnv', id: 'a', name: 'K' } },
  replaceProviderToken: { type: 'replaceProviderToken', name: 'gitlab', host: null },
  setProviderHost: { type: 'setProviderHost', name: 'gitlab', host: 'h' },
  clearProvider: { type: 'clearProvider', name: 'gitlab' },
  clearAllProviders: { type: 'clearAllProviders' },
  servers: { type: 'servers', request: { kind: 'import' } },
  refused: { type: 'refused', what: 'w' },
};

describe('messages between form and extension host', () => {
  for (const message of Object.values(fromHost)) {
    it(`"${message.type}" arrives in the form as it was sent`, () => {
      assert.deepEqual(parseHostMessage(structuredClone(message)), { ok: true, message });
      assert.equal(parseWebviewMessage(message).ok, false);
    });
  }
  for (const message of Object.values(fromForm)) {
    it(`"${message.type}" arrives in the host as it was sent`, () => {
      assert.deepEqual(parseWebviewMessage(structuredClone(message)), { ok: true, message });
      assert.equal(parseHostMessage(message).ok, false);
    });
  }

  const forged: [what: string, data: unknown][] = [
    ['nothing', undefined],
    ['a text', 'save'],
    ['a list', []],
    ['no type', {}],
    ['an unknown type', { type: 'steal' }],
    ['a member too many', { type: 'revert', all: true }],
    [
      'edits with a field that the form does not have',
      { type: 'edits', edits: { ...edits, values: { email: 'x' } } },
    ],
    [
      'edits with a secret among the values',
      { type: 'edits', edits: { ...edits, values: { llm_api_key: 'x' } } },
    ],
    [
      'edits with the value of a secret',
      { type: 'edits', edits: { ...edits, secrets: { llm_api_key: 'sk-1' } } },
    ],
    ['a value of another type', { type: 'edits', edits: { ...edits, values: { max_iterations: '3' } } }],
    [
      'a boolean that is null where it must not be',
      { type: 'edits', edits: { ...edits, values: { enable_sound_notifications: null } } },
    ],
    ['an undefined value', { type: 'edits', edits: { ...edits, values: { agent: undefined } } }],
    ['not a number', { type: 'edits', edits: { ...edits, values: { max_iterations: NaN } } }],
    [
      'a server with the value of its key',
      { type: 'edits', edits: { ...edits, mcpServers: [{ ...server, apiKey: 'k' }] } },
    ],
    [
      'a server with a member too many',
      { type: 'edits', edits: { ...edits, mcpServers: [{ ...server, api_key: 'k' }] } },
    ],
    [
      'an unknown kind of server',
      { type: 'edits', edits: { ...edits, mcpServers: [{ ...server, kind: 'udp' }] } },
    ],
    ['an unknown choice', { type: 'save', edits, choices: { a: 'both' } }],
    ['a secret that is none', { type: 'replaceSecret', target: { at: 'field', field: 'llm_model' } }],
    ['a name that is far too long', { type: 'clearProvider', name: 'x'.repeat(2_001) }],
    [
      'a text that is far too long',
      { type: 'edits', edits: { ...edits, values: { agent: 'x'.repeat(4_000_001) } } },
    ],
    [
      'a list that is far too long',
      { type: 'edits', edits: { ...edits, mcpServers: Array(5_001).fill(server) } },
    ],
    [
      'too many choices',
      {
        type: 'save',
        edits,
        choices: Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`${i}`, 'mine'])),
      },
    ],
  ];
  for (const [what, data] of forged) {
    it(`the host refuses ${what}, without quoting it`, () => {
      const parsed = parseWebviewMessage(data);
      assert.equal(parsed.ok, false);
      assert.ok(parsed.reason.length < 400 && !parsed.reason.includes('sk-1'));
    });
  }

  it('the form refuses a model with a secret in it', () => {
    const leaking = { ...fromHost.model, model: { ...model, llm_api_key: 'sk-1' } };
    assert.equal(parseHostMessage(leaking).ok, false);
    const inServer = { ...fromHost.model, model: { ...model, mcpServers: [{ ...server, api_key: 'sk-1' }] } };
    assert.equal(parseHostMessage(inServer).ok, false);
  });
});
