import * as l10n from '@vscode/l10n';
import { type SavedChange, type FormEdits, identityOf } from '../shared/form';
import { nameList } from '../../../shared/joined';
import {
  kindLabel,
  mcpLabel,
  wholeServer,
  type McpEnvEntry,
  type McpSecret,
  type McpServer,
} from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { secretFields } from '../../../shared/settings';
import { wireNames, toMcpServer } from './servers';
import type { Snapshot } from './merge';
import { reviewMore } from './moreSettings';
import { changedFields } from './record';
import { intentionWords, presenceWords, valueWords } from './conflicts';

/** What a save of `edits` would change, in the order of the form. */
export function reviewEdits(edits: FormEdits, base: Snapshot): SavedChange[] {
  const values = changedFields(base.values, edits.values).map((field): SavedChange => {
    const [before, after] = [valueWords(base.values[field]), valueWords(edits.values[field] ?? null)];
    return { target: { at: 'field', field }, label: field, before, after };
  });
  const secrets = secretFields.flatMap((field): SavedChange[] => {
    const intention = edits.secrets[field];
    if (intention === undefined) return [];
    const presence = base.secrets[field];
    const [before, after] = [presenceWords(presence), intentionWords(intention, presence)];
    return [{ target: { at: 'field', field }, label: field, before, after }];
  });
  const servers = base.servers.map(toMcpServer);
  const more = reviewMore(edits.more, base.more);
  return [
    ...values,
    ...secrets,
    ...more,
    ...(edits.mcpServers ? reviewServers(servers, edits.mcpServers) : []),
  ];
}

function reviewServers(before: readonly McpServer[], after: readonly McpServer[]): SavedChange[] {
  const whole = (server: McpServer, previous: string, wanted: string): SavedChange => ({
    target: { at: 'mcp', id: server.id, member: wholeServer },
    label: mcpLabel(server),
    before: previous,
    after: wanted,
  });
  const kept = after.flatMap((server) => {
    const previous = before.find(({ id }) => id === server.id);
    return previous ? reviewServer(previous, server) : [whole(server, l10n.t('None'), summary(server))];
  });
  const deleted = before
    .filter((server) => !after.some(({ id }) => id === server.id))
    .map((server) => whole(server, summary(server), l10n.t('Deleted')));
  return [...kept, ...deleted, ...reviewOrder(before, after)];
}

function reviewOrder(before: readonly McpServer[], after: readonly McpServer[]): SavedChange[] {
  const common = (servers: readonly McpServer[], others: readonly McpServer[]) =>
    servers.filter(({ id }) => others.some((other) => other.id === id));
  const [previous, wanted] = [common(before, after), common(after, before)];
  if (previous.every(({ id }, index) => wanted[index]?.id === id)) return [];
  const labels = (servers: readonly McpServer[]) => nameList(servers.map(mcpLabel));
  return [{ target: { at: 'form' }, label: 'mcp_config', before: labels(previous), after: labels(wanted) }];
}

function reviewServer(before: McpServer, after: McpServer): SavedChange[] {
  const change = (
    member: string,
    name: string,
    words: readonly [before: string, after: string],
  ): SavedChange => ({
    target: { at: 'mcp', id: after.id, member },
    label: `${mcpLabel(before)}: ${name}`,
    before: words[0],
    after: words[1],
  });
  const plain = (['kind', 'url', 'timeout', 'name', 'command', 'args', 'enabled'] as const)
    .filter((key) => !same(before[key], after[key]))
    .map((key) => {
      const words = (server: McpServer) =>
        key === 'kind' ? kindLabel(server.kind) : valueWords(server[key] ?? null);
      return change(key, wireNames[key], [words(before), words(after)]);
    });
  const { presence } = before.apiKey;
  const { intention } = after.apiKey;
  const keyWords = [presenceWords(presence), intentionWords(intention, presence)] as const;
  const apiKey = intention === 'keep' ? [] : [change('apiKey', 'api_key', keyWords)];

  const previous = new Map(before.env.map((entry) => [entry.name, entry]));
  const entries = after.env.flatMap((entry, index) => {
    const old = previous.get(identityOf(entry));
    previous.delete(identityOf(entry));
    const words = entryWords(old, entry);
    return words ? [change(`env.${index}`, `env.${entry.name}`, words)] : [];
  });
  const gone = [...previous.values()].map((entry) =>
    change('env', `env.${entry.name}`, [presenceWords(entry.presence), l10n.t('Deleted')]),
  );
  return [...plain, ...apiKey, ...entries, ...gone];
}

function entryWords(before: McpEnvEntry | undefined, after: McpEnvEntry): [string, string] | undefined {
  if (before === undefined) return [l10n.t('None'), l10n.t('Added')];
  const renamed = before.name !== after.name;
  if (!renamed && after.intention === 'keep') return undefined;
  const words = [
    ...(renamed ? [l10n.t('Renamed')] : []),
    ...(after.intention === 'keep' ? [] : [intentionWords(after.intention, before.presence)]),
  ];
  return [renamed ? before.name : presenceWords(before.presence), nameList(words)];
}

/** A server in one line, which says only whether its secrets are set. */
function summary(server: McpServer): string {
  const secretWords = (name: string, { presence, intention }: McpSecret) =>
    presence === 'notSet' && intention === 'keep'
      ? []
      : [`${name}: ${intention === 'keep' ? presenceWords(presence) : intentionWords(intention, presence)}`];
  const parts =
    server.kind === 'stdio'
      ? [
          [server.command, ...(server.args.length === 0 ? [] : [valueWords(server.args)])].join(' '),
          ...server.env.flatMap((entry) => secretWords(`env.${entry.name}`, entry)),
        ]
      : [
          server.url,
          ...secretWords('api_key', server.apiKey),
          ...(server.timeout === null ? [] : [`timeout: ${server.timeout}`]),
        ];
  const off = server.enabled === false ? [l10n.t('Off')] : [];
  return nameList([kindLabel(server.kind), ...parts, ...off]);
}
