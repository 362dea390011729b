import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { parseBaseUrl } from '../shared/baseUrl';
import { someText } from '../shared/bounded';
import { connectionEntrySchema, type Connection, type ConnectionEntry } from '../shared/connection';
import { networkProblem } from '../shared/networkOptions';
import { same } from '../shared/same';

/** What a connection can't do without. */
const namedSchema = z.object({ name: someText, url: z.string() });

export interface ConfiguredConnections {
  connections: Connection[];
  /** One sentence for each entry that can't be used. */
  problems: string[];
}

/** The entries of a setting's value. A single one is easily written without its list. */
export function entriesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** The connections of a setting's value; invalid entries are named and left out. */
export function connectionsIn(value: unknown): ConfiguredConnections & {
  /** Why the entry for an address can't be used, by base URL. */
  refused: ReadonlyMap<string, string>;
} {
  const entries = entriesIn(value);
  const connections: Connection[] = [];
  const problems: string[] = [];
  const refused = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const parsed = connectionEntrySchema.safeParse(entry);
    const base = parsed.success ? parseBaseUrl(parsed.data.url) : undefined;
    const problem = parsed.data?.network && networkProblem(parsed.data.network);
    if (!parsed.success || !base) {
      problems.push(
        wrongMember(entry) ??
          l10n.t('Connection {0} in your settings needs a name and an address.', index + 1),
      );
    } else if (!base.ok) {
      problems.push(l10n.t('Connection “{0}” in your settings: {1}', parsed.data.name, base.reason));
    } else if (problem !== undefined) {
      const words = l10n.t('Connection “{0}” in your settings: {1}', parsed.data.name, problem);
      problems.push(words);
      refused.set(base.baseUrl, words);
    } else if (!connections.some((other) => other.baseUrl === base.baseUrl)) {
      const { name, network, authentication, organization } = parsed.data;
      connections.push({
        name,
        baseUrl: base.baseUrl,
        origin: base.origin,
        ...(authentication !== undefined && authentication !== 'sessionKey' && { authentication }),
        ...(authentication !== undefined && organization && { organization }),
        ...(network && { network }),
      });
    }
  }
  return { connections, problems, refused };
}

/** What is wrong with an entry that can't be read although it has a name and an address. */
function wrongMember(entry: unknown): string | undefined {
  const named = namedSchema.safeParse(entry);
  const issue = connectionEntrySchema.safeParse(entry).error?.issues[0];
  if (!named.success || !issue) return undefined;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const member = [...issue.path, ...unknown].join('.');
  return l10n.t(
    'Connection “{0}” in your settings: {1}',
    named.data.name,
    unknown.length > 0
      ? l10n.t('“{0}” isn’t a setting of a connection.', member)
      : l10n.t('The value of “{0}” isn’t valid.', member),
  );
}

/**
 * The entries without those of `defaults` that have no key: the setting's default only stands in until somebody connects.
 */
export function entriesBesideUnused(
  entries: readonly ConnectionEntry[],
  defaults: unknown,
  hasKey: (origin: string) => boolean,
): ConnectionEntry[] {
  const isUnused = (entry: ConnectionEntry) => {
    const base = parseBaseUrl(entry.url);
    return (
      base.ok && !hasKey(base.origin) && Array.isArray(defaults) && defaults.some((one) => same(one, entry))
    );
  };
  return entries.filter((entry) => !isUnused(entry));
}

/** The entries with another address than `baseUrl`, however they spell it. */
export function entriesBeside(entries: readonly ConnectionEntry[], baseUrl: string): ConnectionEntry[] {
  return entries.filter(({ url }) => {
    const parsed = parseBaseUrl(url);
    return !parsed.ok || parsed.baseUrl !== baseUrl;
  });
}

/**
 * The entries with one for `connection`, in the place of the previous one: the first connection is the default. Network
 * options of the previous one stay: only the user changes them.
 */
export function entriesWith(entries: readonly ConnectionEntry[], connection: Connection): ConnectionEntry[] {
  const { name, baseUrl, authentication, organization } = connection;
  const beside = entriesBeside(entries, baseUrl);
  const place = entries.findIndex((other) => !beside.includes(other));
  const { network } = entries[place] ?? connection;
  const entry = {
    name,
    url: baseUrl,
    ...(authentication && { authentication }),
    ...(organization && { organization }),
    ...(network && { network }),
  };
  return beside.toSpliced(place < 0 ? beside.length : place, 0, entry);
}
