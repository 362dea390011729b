import * as l10n from '@vscode/l10n';
import type { McpSecret, McpServer } from '../../../shared/mcp';
import { plainText } from '../../../shared/plainText';
import { parseUrl } from '../../../shared/url';
import { UniqueNames } from '../../basics/uniqueNames';
import { plainName } from './names';

/** The members of a JSON object in order; a real object would move names such as `1` to the front. */
type Members = [name: string, json: string][];

/**
 * The servers as the text of a VS Code `mcp.json`. Secrets that are or may be set become inputs that the editor asks
 * for; `servers` doesn't contain any. What the format doesn't support is noted in a comment.
 */
export function exportMcpFile(servers: readonly McpServer[]): string {
  const unique = new UniqueNames();
  const nameOf = new Map<McpServer, string>();
  // Names derived from addresses are made up, so real names come first.
  for (const server of servers) if (server.kind === 'stdio') nameOf.set(server, unique.take(server.name));
  for (const server of servers)
    if (server.kind !== 'stdio') nameOf.set(server, unique.take(plainName(parseUrl(server.url)?.host ?? '')));
  const ids = new UniqueNames();
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
  const members: Members = [
    ['type', JSON.stringify(kind === 'sse' ? 'sse' : 'http')],
    ['url', JSON.stringify(url)],
  ];
  if (!mayBeSet(apiKey)) return members;
  const input = secret(`${name}-api-key`, l10n.t('API key for the MCP server {0}', plainText(url, 200)));
  return [...members, ['headers', object([['Authorization', JSON.stringify(`Bearer ${input}`)]], 6)]];
}

function stdioMembers({ command, args, env }: McpServer, name: string, secret: MakeSecret): Members {
  const values = env.map((entry): Members[number] => {
    const description = l10n.t('{0} for the MCP server {1}', plainText(entry.name, 80), plainText(name, 80));
    return [entry.name, JSON.stringify(mayBeSet(entry) ? secret(`${name}-${entry.name}`, description) : '')];
  });
  return [
    ['type', '"stdio"'],
    ['command', JSON.stringify(command)],
    ['args', JSON.stringify(args)],
    ...(values.length > 0 ? [['env', object(values, 6)] as Members[number]] : []),
  ];
}

function mayBeSet({ presence, intention }: McpSecret): boolean {
  return intention === 'replace' || (intention === 'keep' && presence !== 'notSet');
}

function comments({ kind, url, timeout, command, args }: McpServer): string[] {
  const texts = kind === 'stdio' ? [command, ...args] : [url];
  return [
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
