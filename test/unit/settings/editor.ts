import fc from 'fast-check';
import type { FormEdits } from '../../../src/features/settings/shared/form';
import type { McpServer } from '../../../src/shared/mcp';
import type { SettingsClient } from '../../../src/features/settings/model/record';
import type { SettingsDocument } from '../../../src/features/settings/model/document';
import { newServer } from './support';
import type { StoredSettings } from '../../service/records';
import { sameValue, secretPlaces } from './truth';
import { languages, urls, type Canaries } from './thirdClient';

/** A user action in the form. */
export const formAction = fc.oneof(
  fc.record({ edit: fc.constant('language' as const), value: fc.constantFrom(...languages) }),
  fc.record({ edit: fc.constant('agent' as const), value: fc.constantFrom('x', 'z', null) }),
  fc.record({ edit: fc.constant('llm_model' as const), value: fc.constantFrom('m1', '', null) }),
  fc.record({
    edit: fc.constant('user_consents_to_analytics' as const),
    value: fc.constantFrom(true, false, null),
  }),
  fc.record({ edit: fc.constant('enable_default_condenser' as const), value: fc.boolean() }),
  fc.record({
    edit: fc.constant('secret' as const),
    field: fc.constantFrom('llm_api_key' as const, 'search_api_key' as const, 'sandbox_api_key' as const),
    intention: fc.constantFrom('replace' as const, 'clear' as const),
  }),
  fc.record({ edit: fc.constant('add' as const), url: fc.constantFrom(...urls), key: fc.boolean() }),
  fc.record({ edit: fc.constant('addTool' as const), name: fc.constantFrom('tool', 'fetch') }),
  fc.record({ edit: fc.constant('copy' as const), pick: fc.nat(9) }),
  fc.record({ edit: fc.constant('delete' as const), pick: fc.nat(9) }),
  fc.record({ edit: fc.constant('move' as const), pick: fc.nat(9) }),
  fc.record({
    edit: fc.constant('change' as const),
    pick: fc.nat(9),
    what: fc.constantFrom(
      'timeout',
      'url',
      'key',
      'clearKey',
      'kind',
      'command',
      'envNew',
      'envReplace',
      'envRename',
      'envDelete',
    ),
  }),
);
export type FormAction = typeof formAction extends fc.Arbitrary<infer A> ? A : never;

/** A user's open form: a document and its changes. */
export class Editor {
  document: SettingsDocument | undefined;
  edits: FormEdits = { values: {}, secrets: {}, mcpServers: null };
  /** Secrets that the service had when a form of this user read them. */
  readonly seen = new Set<string>();
  /** Typed values by their targets. */
  readonly typed = new Map<string, string>();
  private added = 0;

  constructor(
    readonly who: string,
    readonly client: SettingsClient,
    private readonly canaries: Canaries,
  ) {}

  open(document: SettingsDocument, edits: FormEdits = { values: {}, secrets: {}, mcpServers: null }): void {
    this.document = document;
    this.edits = edits;
    this.typed.clear();
  }

  sees(settings: Pick<StoredSettings, 'mcp_config'> | null): void {
    for (const secret of secretPlaces(settings).keys()) this.seen.add(secret);
  }

  act(action: FormAction): void {
    const { document } = this;
    if (document === undefined) return;
    const servers = this.edits.mcpServers ?? document.model.mcpServers;
    const put = (mcpServers: McpServer[]) => (this.edits = { ...this.edits, mcpServers });
    switch (action.edit) {
      case 'secret':
        if (document.model.lacks.includes(action.field)) return;
        this.edits = { ...this.edits, secrets: { ...this.edits.secrets, [action.field]: action.intention } };
        if (action.intention === 'replace') this.type({ at: 'field', field: action.field }, action.field);
        return;
      case 'add': {
        const id = this.newId();
        put([
          ...servers,
          newServer({
            id,
            url: action.url,
            ...(action.key ? { apiKey: { presence: 'notSet', intention: 'replace' } } : {}),
          }),
        ]);
        if (action.key) this.type({ at: 'mcpApiKey', id }, action.url);
        return;
      }
      case 'addTool':
        put([
          newServer({ id: this.newId(), kind: 'stdio', name: action.name, command: 'go', args: ['1'] }),
          ...servers,
        ]);
        return;
      case 'copy': {
        const source = servers[action.pick % Math.max(1, servers.length)];
        if (source === undefined || source.id.startsWith('new-')) return;
        const id = this.newId();
        const label =
          source.kind === 'stdio' ? { name: `${source.name}-${id}` } : { url: `${source.url}/${id}` };
        const keep = <S extends McpServer['apiKey']>(secret: S): S => ({ ...secret, intention: 'keep' });
        put([
          ...servers,
          {
            ...source,
            ...label,
            id,
            copiedFrom: source.id,
            apiKey: keep(source.apiKey),
            env: source.env.filter(({ presence }) => presence === 'set').map(keep),
          },
        ]);
        return;
      }
      case 'delete':
        put(servers.filter((_, index) => index !== action.pick % servers.length));
        return;
      case 'move': {
        const from = action.pick % Math.max(1, servers.length);
        put([...servers.slice(from), ...servers.slice(0, from)]);
        return;
      }
      case 'change': {
        const index = action.pick % Math.max(1, servers.length);
        const server = servers[index];
        if (server)
          put(servers.with(index, { ...server, ...this.changed(server, action.what, action.pick) }));
        return;
      }
      case 'language':
      case 'agent':
      case 'llm_model':
      case 'user_consents_to_analytics':
      case 'enable_default_condenser': {
        // Like the form: an unchanged value isn't an edit.
        const { [action.edit]: _before, ...values } = this.edits.values;
        const same = sameValue(action.value, document.model.values[action.edit]);
        this.edits = { ...this.edits, values: same ? values : { ...values, [action.edit]: action.value } };
      }
    }
  }

  private changed(server: McpServer, what: string, pick: number): Partial<McpServer> {
    const { id, env, apiKey } = server;
    const first = env[0];
    if (server.kind === 'stdio') {
      if (what === 'command') return { command: `go-${pick}` };
      if (what === 'envNew') {
        const name = `N${pick}`;
        if (env.some((entry) => entry.name === name || entry.originalName === name)) return {};
        this.type({ at: 'mcpEnv', id, name }, name);
        return { env: [...env, { name, presence: 'notSet', intention: 'replace' }] };
      }
      if (first === undefined) return {};
      if (what === 'envReplace') {
        this.type({ at: 'mcpEnv', id, name: first.originalName ?? first.name }, first.name);
        return { env: env.with(0, { ...first, intention: 'replace' }) };
      }
      if (what === 'envRename')
        return {
          env: env.with(0, { ...first, name: `R${pick}`, originalName: first.originalName ?? first.name }),
        };
      if (what === 'envDelete') return { env: env.slice(1) };
      return {};
    }
    if (what === 'timeout') return server.kind === 'shttp' ? { timeout: 1 + pick } : {};
    if (what === 'url') return { url: urls[pick % urls.length] ?? '' };
    if (what === 'clearKey')
      return apiKey.presence === 'set' ? { apiKey: { ...apiKey, intention: 'clear' } } : {};
    if (what === 'kind') return { kind: server.kind === 'sse' ? 'shttp' : 'sse' };
    if (what === 'key') {
      this.type({ at: 'mcpApiKey', id }, server.url);
      return { apiKey: { ...apiKey, intention: 'replace' } };
    }
    return {};
  }

  private type(target: Parameters<SettingsDocument['setSecret']>[0], what: string): void {
    const value = this.canaries.next();
    this.document?.setSecret(target, value);
    this.typed.set(what, value);
  }

  private newId(): string {
    return `new-${this.who}-${++this.added}`;
  }
}
