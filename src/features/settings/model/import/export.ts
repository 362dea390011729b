import * as l10n from '@vscode/l10n';
import type { McpSecret, McpServer } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import { parseUrl } from '../../../../shared/url';
import { UniqueNames } from '../../../../core/basics/uniqueNames';
import { plainName } from './names';
import { secretsIn, secretsInArgs, withoutSecrets, type OpenSecret } from './openSecrets';

/** The members of a JSON object in order; a real object would move names such as `1` to the front. */
type Members = [name: string, json: string][];

/**
 * The servers as the text of a VS Code `mcp.json`. Secrets that are or may be set become inputs that the editor asks
 * for, and so does what looks like a secret in addresses and arguments. What the format doesn't support is noted in a
 * comment.
 */
export function exportMcpFile(servers: readonly McpServer[]): string {
  const unique = new UniqueNames();
  const nameOf = new Map<McpServer, string>();
  // Names derived from addresses are made up, so real names come first.
  for (const server of servers) if (server.kind === 'stdio') nameOf.set(server, unique.take(server.name));
  for (const server of servers)
    if (server.kind !== 'stdio') nameOf.set(server, unique.take(plainName(parseUrl(server.url)?.host ?? '')));
  // References that a text has already stay literal: no input may have their ids.
  const texts = servers.flatMap(({ url, command, args }) => [url, command, ...args]);
  const ids = new UniqueNames(
    texts.flatMap((text) => [...text.matchAll(/\$\{input:([^{}]+)\}/g)].map(([, id]) => id)),
  );
  const inputs: object[] = [];
  const secret = (name: string, description: string) => {
    const id = ids.take(plainName(name));
    inputs.push({ type: 'promptString', id, description, password: true });
    return `\${input:${id}}`;
  };

  const entries = servers.map((server) => {
    const name = nameOf.get(server) ?? '';
    const members =
      server.kind === 'stdio' ? stdioMembers(server, name, secret) : urlMembers(server, name, secret);
    const lines = comments(server).map((line) => `    // ${line}\n`);
    return `${lines.join('')}    ${JSON.stringify(name)}: ${object(members, 4)}`;
  });
  const list = entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n  }`;
  const asked = JSON.stringify(inputs, null, 2).replaceAll('\n', '\n  ');
  return `{\n  "servers": ${list},\n  "inputs": ${asked}\n}\n`;
}

type MakeSecret = (name: string, description: string) => string;

function urlMembers({ kind, url, apiKey }: McpServer, name: string, secret: MakeSecret): Members {
  const found = secretsIn(url);
  const label = plainText(
    withoutSecrets(url, found, () => '…'),
    200,
  );
  const asked = withoutSecrets(url, found, openSecret(name, label, secret));
  const members: Members = [
    ['type', JSON.stringify(kind === 'sse' ? 'sse' : 'http')],
    ['url', JSON.stringify(asked)],
  ];
  if (!mayBeSet(apiKey)) return members;
  const input = secret(`${name}-api-key`, l10n.t('API key for the MCP server {0}', label));
  return [...members, ['headers', object([['Authorization', JSON.stringify(`Bearer ${input}`)]], 6)]];
}

/** Makes an input of a secret in an address or argument. */
function openSecret(server: string, label: string, secret: MakeSecret): (found: OpenSecret) => string {
  return ({ name }) =>
    secret(`${server}-${name}`, l10n.t('{0} for the MCP server {1}', plainText(name, 80), label));
}

function stdioMembers({ command, args, env }: McpServer, name: string, secret: MakeSecret): Members {
  const found = secretsInArgs(args);
  const open = openSecret(name, plainText(name, 80), secret);
  const asked = args.map((text, index) => withoutSecrets(text, found[index] ?? [], open));
  const values = env.map((entry): Members[number] => {
    const description = l10n.t('{0} for the MCP server {1}', plainText(entry.name, 80), plainText(name, 80));
    return [entry.name, JSON.stringify(mayBeSet(entry) ? secret(`${name}-${entry.name}`, description) : '')];
  });
  return [
    ['type', '"stdio"'],
    ['command', JSON.stringify(command)],
    ['args', JSON.stringify(asked)],
    ...(values.length > 0 ? [['env', object(values, 6)] as Members[number]] : []),
  ];
}

function mayBeSet({ presence, intention }: McpSecret): boolean {
  return intention === 'replace' || (intention === 'keep' && presence !== 'notSet');
}

function comments({ kind, url, timeout, command, args, enabled }: McpServer): string[] {
  const texts = kind === 'stdio' ? [command, ...args] : [url];
  return [
    ...(enabled === false ? [l10n.t('Turned off on the service: not supported by this format.')] : []),
    ...(kind === 'shttp' && timeout !== null
      ? [l10n.t('Timeout of {0} seconds: not supported by this format.', timeout)]
      : []),
    ...(texts.some((text) => text.includes('${'))
      ? [l10n.t('“{0}” is literal text here, but tools that read this file will replace it.', '${…}')]
      : []),
  ];
}

function object(members: Members, indent: number): string {
  const pad = ' '.repeat(indent + 2);
  const lines = members.map(([name, json]) => `${pad}${JSON.stringify(name)}: ${json}`);
  return `{\n${lines.join(',\n')}\n${' '.repeat(indent)}}`;
}
