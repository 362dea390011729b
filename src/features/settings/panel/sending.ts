import * as l10n from '@vscode/l10n';
import {
  parseHostMessage,
  type HostMessage,
  type SaveResult,
  type ShownForm,
  type SuggestedField,
} from '../shared/messages';
import { offerOf } from './drafts';
import { modelOf, noServerNotices, type OpenForm } from './openForm';
import type { FormPorts } from './ports';
import type { ApiClient } from '../../../api/service/client';
import type { SaveNote } from '../shared/form';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import { errorWords } from '../../../editor/errorText';

/** Everything the form shows, except for what just ended. */
export function shownForm(
  { ports, operators }: { ports: FormPorts; operators: OperatorServers },
  open: OpenForm,
): Omit<ShownForm, 'result' | 'goTo'> {
  const { client, document, edits, revision, suggestions, serverNotices, working } = open;
  return {
    type: 'form',
    document: open.key,
    steps: open.steps.length,
    edits,
    revision,
    connection: ports.connectionName(),
    service: client.baseUrl,
    model: modelOf(open),
    notices: [...open.notices],
    offers: open.offers.map((offer) => offerOf(offer, document, new Date())),
    suggestions,
    providerChanges: [...open.providerChanges],
    operators: operators.among(client, document.model.mcpServers),
    hasPickers: client.profiles !== undefined,
    parked: ports.parked.list(client.baseUrl),
    serverNotices,
    working,
  };
}

/**
 * Posts only messages that the form can read. Any other is replaced by one that ends the form's wait, or dropped if the
 * form isn't waiting.
 */
export function readablePost({ post, log }: Pick<FormPorts, 'post' | 'log'>): FormPorts['post'] {
  return (message) => {
    const parsed = parseHostMessage(message);
    if (parsed.ok) {
      post(message);
      return;
    }
    log.error(`The form can't read a message of the type ${message.type}: ${parsed.reason}`);
    const instead = replacements(message).find((other) => parseHostMessage(other).ok);
    if (instead) post(instead);
  };
}

const unreadable = () =>
  l10n.t('There is more to show here than the form can take. See the log for details.');

/** Messages that end the same wait as `message`, best first. */
function replacements(message: HostMessage): HostMessage[] {
  switch (message.type) {
    case 'form': {
      const shorter = withShortWords(message);
      return [shorter, { ...shorter, parked: [], suggestions: {}, goTo: null }, cantShow()];
    }
    case 'failed':
      return [cantShow()];
    case 'review':
      return [{ type: 'review', groups: [], notes: [unreadable()] }];
    case 'test':
      return [{ ...message, result: message.result && { ok: false, message: unreadable() } }];
    case 'loading':
    case 'reveal':
    case 'untested':
      return [];
  }
}

const cantShow = (): HostMessage => ({
  type: 'failed',
  message: l10n.t('The form can’t show these settings.'),
  nextStep: l10n.t('See the log for details.'),
});

function withShortWords(form: ShownForm): ShownForm {
  const { serverNotices, providerChanges, working, result } = form;
  return {
    ...form,
    notices: [unreadable()],
    serverNotices:
      serverNotices.words.length === 0 ? noServerNotices : { ...serverNotices, words: [unreadable()] },
    providerChanges: providerChanges.map((change) => ({
      ...change,
      error: change.error === null ? null : unreadable(),
    })),
    working: working === null ? null : l10n.t('Working…'),
    result: result && resultInstead(result),
  };
}

function resultInstead(result: SaveResult): SaveResult {
  switch (result.kind) {
    case 'saved':
    case 'canceled':
      return result;
    case 'invalid':
    case 'conflict':
    case 'failed':
      return { kind: 'failed', message: unreadable() };
    case 'notUndone':
      return { kind: 'notUndone', message: unreadable() };
  }
}

/**
 * MCP servers known to come from the administrator's configuration because they came back after being deleted. Nothing
 * else distinguishes them.
 */
export class OperatorServers {
  private readonly known = new WeakMap<ApiClient, Set<string>>();

  /** Learns from the notes of a save which of the servers read back came back. */
  learn(client: ApiClient, servers: readonly McpServer[], notes: readonly SaveNote[]): void {
    for (const { kind, target } of notes) {
      const server = target.at === 'mcp' && servers.find(({ id }) => id === target.id);
      if (kind === 'returned' && server) this.add(client, server);
    }
  }

  /** Records `server` as one of them. */
  add(client: ApiClient, server: McpServer): void {
    const known = this.known.get(client) ?? new Set();
    this.known.set(client, known.add(keyOf(server)));
  }

  /** Ids of the known ones among `servers`, which are all servers the service has. */
  among(client: ApiClient, servers: readonly McpServer[]): string[] {
    const still = servers.filter((server) => this.known.get(client)?.has(keyOf(server)));
    // If one is gone, the administrator removed it; if it comes back, it may be the user's own.
    this.known.set(client, new Set(still.map(keyOf)));
    return still.map(({ id }) => id);
  }
}

/** Ids change when the settings are read again. */
const keyOf = (server: McpServer) => `${server.kind} ${mcpLabel(server)}`;

interface Host {
  readonly open: OpenForm | undefined;
  readonly ports: FormPorts;
  show(): void;
}

/** Asks the service for suggestions, and sends each list to the form when it arrives. */
export async function suggest(host: Host, client: ApiClient, signal: AbortSignal): Promise<void> {
  const lists: [SuggestedField, Promise<string[]>][] = [
    ['llm_model', client.listModels(signal)],
    ['agent', client.listAgents(signal)],
    ['security_analyzer', client.listSecurityAnalyzers(signal)],
  ];
  await Promise.all(
    lists.map(async ([field, list]) => {
      try {
        const values = (await list).slice(0, 5_000);
        if (host.open?.client !== client) return;
        host.open.suggestions = { ...host.open.suggestions, [field]: values };
        host.show();
      } catch (error) {
        // Not every service has these lists; the field then has no suggestions.
        host.ports.log.info(`No suggestions for ${field}: ${errorWords(error)}`);
      }
    }),
  );
}
