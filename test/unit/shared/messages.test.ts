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
  providersTold: true,
  lacks: [],
  hidesServerSecrets: false,
  other: [{ name: 'x', text: '1' }],
} satisfies FormModel;

/** A message of each type; the compiler reports missing types. */
const fromHost: { [T in HostMessage['type']]: Extract<HostMessage, { type: T }> } = {
  loading: { type: 'loading' },
  failed: { type: 'failed', message: 'm', nextStep: 'n' },
  model: {
    type: 'model',
    document: 'd',
    connection: 'c',
    service: 'http://x',
    model,
    edits,
    notices: ['n'],
    offers: [{ id: 'a', words: ['w'] }],
    operators: ['a'],
    working: 'w',
    result: { kind: 'saved', notes: ['n'], undo: 'possible' },
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
  notice: { type: 'notice', message: 'm' },
  review: {
    type: 'review',
    groups: [{ title: 't', changes: [{ label: 'l', before: 'b', after: 'a' }] }],
    notes: ['n'],
  },
};

const fromForm: { [T in WebviewMessage['type']]: Extract<WebviewMessage, { type: T }> } = {
  ready: { type: 'ready', kept: { document: 'd', edits } },
  edits: { type: 'edits', document: 'd', edits: { ...edits, values: { max_iterations: 3, agent: null } } },
  save: {
    type: 'save',
    document: 'd',
    edits: { ...edits, secrets: { llm_api_key: 'clear' } },
    choices: { a: 'mine' },
  },
  review: { type: 'review', document: 'd', edits },
  undoSave: { type: 'undoSave', document: 'd' },
  restoreDraft: { type: 'restoreDraft', document: 'd', id: 'a' },
  discardDraft: { type: 'discardDraft', document: 'd', id: 'a' },
  revert: { type: 'revert', document: 'd' },
  retry: { type: 'retry' },
  replaceSecret: { type: 'replaceSecret', document: 'd', target: { at: 'field', field: 'llm_api_key' } },
  clearSecret: { type: 'clearSecret', document: 'd', target: { at: 'mcpApiKey', id: 'a' } },
  keepSecret: { type: 'keepSecret', document: 'd', target: { at: 'mcpEnv', id: 'a', name: 'K' } },
  replaceProviderToken: { type: 'replaceProviderToken', document: 'd', name: 'gitlab', host: null },
  setProviderHost: { type: 'setProviderHost', document: 'd', name: 'gitlab', host: 'h' },
  clearProvider: { type: 'clearProvider', document: 'd', name: 'gitlab' },
  clearAllProviders: { type: 'clearAllProviders', document: 'd' },
  servers: { type: 'servers', document: 'd', request: { kind: 'import' } },
  refused: { type: 'refused', what: 'w' },
};

describe('messages between form and extension host', () => {
  for (const message of Object.values(fromHost)) {
    it(`delivers "${message.type}" to the form unchanged`, () => {
      assert.deepEqual(parseHostMessage(structuredClone(message)), { ok: true, message });
      assert.equal(parseWebviewMessage(message).ok, false);
    });
  }
  for (const message of Object.values(fromForm)) {
    it(`delivers "${message.type}" to the host unchanged`, () => {
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
    ['what does not say what it is about', { type: 'revert' }],
    ['a member too many', { type: 'revert', document: 'd', all: true }],
    [
      'edits with a field that the form does not have',
      { type: 'edits', document: 'd', edits: { ...edits, values: { email: 'x' } } },
    ],
    [
      'edits with a secret among the values',
      { type: 'edits', document: 'd', edits: { ...edits, values: { llm_api_key: 'x' } } },
    ],
    [
      'edits with the value of a secret',
      { type: 'edits', document: 'd', edits: { ...edits, secrets: { llm_api_key: 'sk-1' } } },
    ],
    [
      'a value of another type',
      { type: 'edits', document: 'd', edits: { ...edits, values: { max_iterations: '3' } } },
    ],
    [
      'a boolean that is null where it must not be',
      { type: 'edits', document: 'd', edits: { ...edits, values: { enable_sound_notifications: null } } },
    ],
    [
      'an undefined value',
      { type: 'edits', document: 'd', edits: { ...edits, values: { agent: undefined } } },
    ],
    ['not a number', { type: 'edits', document: 'd', edits: { ...edits, values: { max_iterations: NaN } } }],
    [
      'a server with the value of its key',
      { type: 'edits', document: 'd', edits: { ...edits, mcpServers: [{ ...server, apiKey: 'k' }] } },
    ],
    [
      'a server with an extra member',
      { type: 'edits', document: 'd', edits: { ...edits, mcpServers: [{ ...server, api_key: 'k' }] } },
    ],
    [
      'an unknown kind of server',
      { type: 'edits', document: 'd', edits: { ...edits, mcpServers: [{ ...server, kind: 'udp' }] } },
    ],
    ['an unknown choice', { type: 'save', document: 'd', edits, choices: { a: 'both' } }],
    [
      'an invalid secret',
      { type: 'replaceSecret', document: 'd', target: { at: 'field', field: 'llm_model' } },
    ],
    ['an overlong name', { type: 'clearProvider', document: 'd', name: 'x'.repeat(2_001) }],
    [
      'an overlong text',
      { type: 'edits', document: 'd', edits: { ...edits, values: { agent: 'x'.repeat(4_000_001) } } },
    ],
    [
      'an overlong list',
      { type: 'edits', document: 'd', edits: { ...edits, mcpServers: Array(5_001).fill(server) } },
    ],
    [
      'too many choices',
      {
        type: 'save',
        document: 'd',
        edits,
        choices: Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`${i}`, 'mine'])),
      },
    ],
  ];
  for (const [what, data] of forged) {
    it(`refuses ${what} in the host without quoting it`, () => {
      const parsed = parseWebviewMessage(data);
      assert.equal(parsed.ok, false);
      assert.ok(parsed.reason.length < 400 && !parsed.reason.includes('sk-1'));
    });
  }

  it('keeps a model with a secret out of the form', () => {
    const leaking = { ...fromHost.model, model: { ...model, llm_api_key: 'sk-1' } };
    assert.equal(parseHostMessage(leaking).ok, false);
    const inServer = { ...fromHost.model, model: { ...model, mcpServers: [{ ...server, api_key: 'sk-1' }] } };
    assert.equal(parseHostMessage(inServer).ok, false);
  });
});
