import assert from 'node:assert/strict';
import type { FormModel } from '../../../../src/features/settings/shared/form';
import {
  mostToolsShown,
  parseHostMessage,
  parseWebviewMessage,
  type HostMessage,
  type TestResult,
  type WebviewMessage,
} from '../../../../src/features/settings/shared/messages';
import type { ParkedServer } from '../../../../src/shared/parked';
import { plainDefaults } from '../../../../src/shared/settings';
import { everyCase } from '../../../support/everyCase';

const edits = { values: {}, secrets: {}, mcpServers: null };
const choices = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`${index}`, 'mine']));
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
  testsServers: false,
  hasProviders: true,
  hidesServerSecrets: false,
  hiddenSecrets: [],
  other: [{ name: 'x', text: '1' }],
  more: {
    fields: [
      {
        path: 'agent_settings.llm.effort',
        label: 'Effort',
        help: '',
        group: 'LLM',
        control: 'choice',
        choices: [{ value: 'low', label: 'Low' }],
        default: null,
        isProminent: false,
        dependsOn: [],
        value: 'low',
      },
    ],
    elsewhere: ['Tools'],
  },
} satisfies FormModel;

const parked: ParkedServer = {
  id: 'p',
  parkedAt: '2030-01-01T00:00:00.000Z',
  kind: 'stdio',
  url: '',
  timeout: null,
  name: 'tool',
  command: 'uvx',
  args: ['x'],
  hasApiKey: false,
  env: [{ name: 'TOKEN', isSet: true }],
  otherMembers: ['cwd'],
};
const tested: TestResult = { ok: true, server: 'W 1', tools: ['a'], count: 1, message: 'm' };
const place = { document: 'd', steps: 1, revision: 2 };

/** A message of each type; the compiler reports missing types. */
const fromHost: { [T in HostMessage['type']]: Extract<HostMessage, { type: T }> } = {
  loading: { type: 'loading' },
  failed: { type: 'failed', message: 'm', nextStep: 'n' },
  form: {
    type: 'form',
    document: 'd',
    steps: 1,
    revision: 2,
    connection: 'c',
    service: 'http://x',
    model,
    edits,
    notices: ['n'],
    offers: [{ id: 'a', words: ['w'] }],
    suggestions: { agent: ['A'] },
    providerChanges: [{ name: 'github', busy: false, error: 'e' }],
    operators: ['a'],
    hasPickers: true,
    parked: [parked],
    serverNotices: { words: ['n'], failed: true },
    working: 'w',
    result: { kind: 'invalid', problems: [{ target: { at: 'form' }, message: 'm' }] },
    goTo: { list: 'parked', id: 'p' },
  },
  reveal: { type: 'reveal', section: 'mcp' },
  test: { type: 'test', id: 'a', about: ['sse'], result: tested },
  untested: { type: 'untested', id: 'a' },
  review: {
    type: 'review',
    groups: [{ title: 't', changes: [{ label: 'l', before: 'b', after: 'a' }] }],
    notes: ['n'],
  },
};

const fromForm: { [T in WebviewMessage['type']]: Extract<WebviewMessage, { type: T }> } = {
  ready: { type: 'ready', kept: { document: 'd', steps: 0, edits } },
  edits: { type: 'edits', ...place, edits: { ...edits, values: { max_iterations: 3, agent: null } } },
  save: {
    type: 'save',
    ...place,
    edits: { ...edits, secrets: { llm_api_key: 'clear' } },
    choices: { a: 'mine' },
  },
  review: { type: 'review', ...place, edits },
  undoSave: { type: 'undoSave', document: 'd' },
  restoreDraft: { type: 'restoreDraft', document: 'd', id: 'a' },
  discardDraft: { type: 'discardDraft', document: 'd', id: 'a' },
  revert: { type: 'revert', document: 'd' },
  retry: { type: 'retry' },
  replaceSecret: { type: 'replaceSecret', document: 'd', target: { at: 'field', field: 'llm_api_key' } },
  replaceSecrets: {
    type: 'replaceSecrets',
    document: 'd',
    targets: [{ at: 'mcpEnv', id: 'a', name: 'KEY' }],
  },
  clearSecret: { type: 'clearSecret', document: 'd', target: { at: 'mcpApiKey', id: 'a' } },
  keepSecret: { type: 'keepSecret', document: 'd', target: { at: 'mcpEnv', id: 'a', name: 'K' } },
  replaceProviderToken: { type: 'replaceProviderToken', document: 'd', name: 'gitlab', host: null },
  setProviderHost: { type: 'setProviderHost', document: 'd', name: 'gitlab', host: 'h' },
  clearProvider: { type: 'clearProvider', document: 'd', name: 'gitlab' },
  clearAllProviders: { type: 'clearAllProviders', document: 'd' },
  dismiss: { type: 'dismiss', document: 'd', list: 'serverNotices' },
  manage: { type: 'manage', document: 'd', what: 'profiles' },
  importServers: { type: 'importServers', document: 'd' },
  exportServers: { type: 'exportServers', document: 'd' },
  testServer: { type: 'testServer', document: 'd', id: 'a' },
  cancelTest: { type: 'cancelTest', document: 'd', id: 'a' },
  signInToServer: { type: 'signInToServer', document: 'd', id: 'a' },
  parkServer: { type: 'parkServer', document: 'd', id: 'a' },
  restoreServer: { type: 'restoreServer', document: 'd', id: 'a' },
  deleteParked: { type: 'deleteParked', document: 'd', id: 'a' },
  refused: { type: 'refused', what: 'w' },
};

describe('messages between form and extension host', () => {
  it('arrive in the form unchanged', () =>
    everyCase(
      Object.values(fromHost),
      ({ type }) => type,
      (message) => {
        assert.deepEqual(parseHostMessage(structuredClone(message)), { ok: true, message });
        assert.equal(parseWebviewMessage(message).ok, false);
      },
    ));
  it('arrive in the host unchanged', () =>
    everyCase(
      Object.values(fromForm),
      ({ type }) => type,
      (message) => {
        assert.deepEqual(parseWebviewMessage(structuredClone(message)), { ok: true, message });
        assert.equal(parseHostMessage(message).ok, false);
      },
    ));

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
      { type: 'edits', ...place, edits: { ...edits, values: { email: 'x' } } },
    ],
    [
      'edits with a secret among the values',
      { type: 'edits', ...place, edits: { ...edits, values: { llm_api_key: 'x' } } },
    ],
    [
      'edits with the value of a secret',
      { type: 'edits', ...place, edits: { ...edits, secrets: { llm_api_key: 'sk-1' } } },
    ],
    [
      'a value of another type',
      { type: 'edits', ...place, edits: { ...edits, values: { max_iterations: '3' } } },
    ],
    [
      'a boolean that is null where it must not be',
      { type: 'edits', ...place, edits: { ...edits, values: { enable_sound_notifications: null } } },
    ],
    ['an undefined value', { type: 'edits', ...place, edits: { ...edits, values: { agent: undefined } } }],
    ['not a number', { type: 'edits', ...place, edits: { ...edits, values: { max_iterations: NaN } } }],
    [
      'a server with the value of its key',
      { type: 'edits', ...place, edits: { ...edits, mcpServers: [{ ...server, apiKey: 'k' }] } },
    ],
    [
      'a server with an extra member',
      { type: 'edits', ...place, edits: { ...edits, mcpServers: [{ ...server, api_key: 'k' }] } },
    ],
    [
      'an unknown kind of server',
      { type: 'edits', ...place, edits: { ...edits, mcpServers: [{ ...server, kind: 'udp' }] } },
    ],
    ['an unknown choice', { type: 'save', ...place, edits, choices: { a: 'both' } }],
    [
      'an invalid secret',
      { type: 'replaceSecret', document: 'd', target: { at: 'field', field: 'llm_model' } },
    ],
    ['an overlong name', { type: 'clearProvider', document: 'd', name: 'x'.repeat(2_001) }],
    [
      'an overlong text',
      { type: 'edits', ...place, edits: { ...edits, values: { agent: 'x'.repeat(4_000_001) } } },
    ],
    [
      'an overlong list',
      { type: 'edits', ...place, edits: { ...edits, mcpServers: Array(5_001).fill(server) } },
    ],
    ['too many choices', { type: 'save', ...place, edits, choices: choices(5_001) }],
  ];
  it('may settle 5,000 conflicts', () => {
    const parsed = parseWebviewMessage({ type: 'save', ...place, edits, choices: choices(5_000) });
    assert.equal(parsed.ok, true);
  });

  it('are refused in the host if they are forged, without being quoted', () =>
    everyCase(
      forged,
      ([what]) => what,
      ([, data]) => {
        const parsed = parseWebviewMessage(data);
        assert.equal(parsed.ok, false);
        assert.ok(parsed.reason.length < 400 && !parsed.reason.includes('sk-1'));
      },
    ));

  it('keeps a model with a secret out of the form', () => {
    const leaking = { ...fromHost.form, model: { ...model, llm_api_key: 'sk-1' } };
    assert.equal(parseHostMessage(leaking).ok, false);
    const inServer = { ...fromHost.form, model: { ...model, mcpServers: [{ ...server, api_key: 'sk-1' }] } };
    assert.equal(parseHostMessage(inServer).ok, false);
  });

  const long = 'x'.repeat(2_001);
  const aboutServers: [what: string, message: unknown][] = [
    ['a parked server with its secrets', { ...fromHost.form, parked: [{ ...parked, wire: {} }] }],
    [
      'the value of a parked variable',
      { ...fromHost.form, parked: [{ ...parked, env: [{ name: 'A', isSet: true, value: 'v' }] }] },
    ],
    [
      'more tools than are shown',
      { ...fromHost.test, result: { ...tested, tools: Array(mostToolsShown + 1).fill('t') } },
    ],
    ['a tool with an overlong name', { ...fromHost.test, result: { ...tested, tools: [long] } }],
    ['an overlong message', { ...fromHost.test, result: { ok: false, message: long } }],
  ];
  it('are refused in the form if what they say of servers is forged', () =>
    everyCase(
      aboutServers,
      ([what]) => what,
      ([, message]) => assert.equal(parseHostMessage(message).ok, false),
    ));

  const askedOfServers: [what: string, message: unknown][] = [
    ['an unknown action', { type: 'runServer', document: 'd', id: 'a' }],
    ['an address to test', { ...fromForm.testServer, url: 'https://x.example' }],
    ['an overlong ID', { ...fromForm.parkServer, id: long }],
    ['no id', { type: 'restoreServer', document: 'd' }],
    ['a path to import', { ...fromForm.importServers, path: '/etc/passwd' }],
  ];
  it('are refused in the host if what they ask of servers is forged', () =>
    everyCase(
      askedOfServers,
      ([what]) => what,
      ([, message]) => assert.equal(parseWebviewMessage(message).ok, false),
    ));
});
