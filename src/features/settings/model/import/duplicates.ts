import { mcpLabel, type McpServer } from '../../../../shared/mcp';
import { parseUrl } from '../../../../shared/url';

/** The part of a server to import that identifies it; previews and filled servers both have it. */
export type Candidate = Pick<McpServer, 'kind' | 'url' | 'name'>;

/** The existing server that a candidate repeats: in the form, or earlier in the same file. */
export type Duplicate =
  | { of: 'existing'; id: string; label: string }
  /** `index` among the candidates. */
  | { of: 'file'; index: number; label: string };

/**
 * For each candidate, the server it repeats, or null. URL servers are equal if their normalized addresses are, whatever
 * their kind; stdio servers if their names are.
 */
export function markDuplicates(
  candidates: readonly Candidate[],
  existing: readonly McpServer[],
): (Duplicate | null)[] {
  const known = new Map<string, Duplicate>();
  const add = (server: Candidate, duplicate: Duplicate) => {
    const key = identity(server);
    if (!known.has(key)) known.set(key, duplicate);
  };
  for (const server of existing) add(server, { of: 'existing', id: server.id, label: mcpLabel(server) });
  return candidates.map((candidate, index) => {
    const found = known.get(identity(candidate)) ?? null;
    add(candidate, { of: 'file', index, label: mcpLabel(candidate) });
    return found;
  });
}

function identity({ kind, url, name }: Candidate): string {
  return kind === 'stdio' ? `name ${name.trim()}` : `url ${normalised(url.trim())}`;
}

/** The parser writes the host in lower case and leaves the default port out. */
function normalised(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) return text;
  if (url.pathname.endsWith('/')) url.pathname = url.pathname.slice(0, -1);
  url.hash = '';
  return url.href;
}
