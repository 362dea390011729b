import { Invalid, isObject, issue, notAnObject, type Issue } from './http';
import type { ProviderToken } from './records';
import { readChoice, readString, type ValueRules } from './validation';

const members = ['token', 'user_id', 'host'] as const;

/** The git providers that the observed service knows. */
export const gitProviders = ['github', 'gitlab', 'bitbucket', 'forgejo', 'azure_devops', 'enterprise_sso'];

/**
 * Reads `provider_tokens` of `POST /api/add-git-providers`; unknown members of an entry are dropped. Throws Invalid.
 * `known` limits the providers' names.
 */
export function readProviderTokens(
  value: unknown,
  rules: ValueRules,
  known?: readonly string[],
): Record<string, ProviderToken> {
  const loc = ['body', 'provider_tokens'];
  if (value === undefined) return {};
  if (!isObject(value))
    throw new Invalid([issue(loc, 'Input should be a valid dictionary', 'dict_type', value)]);
  const issues: Issue[] = [];
  const entries = Object.entries(value).map(([name, entry]): [string, ProviderToken] => {
    if (known) readChoice(name, [...loc, name, '[key]'], known, issues);
    const read: ProviderToken = { token: null, user_id: null, host: null };
    if (!isObject(entry)) issues.push(notAnObject([...loc, name], entry));
    else {
      for (const member of members) {
        const given = entry[member] ?? null;
        if (given !== null) readString(given, [...loc, name, member], rules, issues);
        read[member] = given as string | null;
      }
    }
    return [name, read];
  });
  if (issues.length > 0) throw new Invalid(issues);
  return Object.fromEntries(entries);
}

/**
 * The message that refuses the given tokens; undefined if they're accepted. A provider is asked at the given host. It
 * doesn't know tokens that begin with "bad", and hosts under `.invalid` can't be reached; both give the same refusal.
 * Only the last token counts: a good one hides a bad one before it.
 */
export function tokenRefusal(given: Record<string, ProviderToken>): string | undefined {
  const last = Object.entries(given).findLast(([, entry]) => hasToken(entry));
  if (!last) return undefined;
  const [name, { token, host }] = last;
  const isKnown = !token?.startsWith('bad') && !host?.endsWith('.invalid');
  return isKnown ? undefined : `Invalid token. Please make sure it is a valid ${name} token.`;
}

/**
 * The provider map after a call, which replaces all entries. An entry with an empty token keeps the stored token and
 * takes the given host. Without a stored token, it's dropped.
 */
export function replaceTokens(
  stored: Record<string, ProviderToken>,
  given: Record<string, ProviderToken>,
): Record<string, ProviderToken> {
  const next = Object.entries(given).map(([name, entry]): [string, ProviderToken] => {
    const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
    const keeps = before && hasToken(before) && !hasToken(entry);
    return [name, keeps ? { ...before, host: entry.host } : entry];
  });
  return Object.fromEntries(next.filter(([, entry]) => hasToken(entry)));
}

/** `provider_tokens_set`: the host, or null, of each provider that has a token. */
export const tokensSet = (stored: Record<string, ProviderToken>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(stored)
      .filter(([, entry]) => hasToken(entry))
      .map(([name, entry]) => [name, entry.host]),
  );

const hasToken = (entry: ProviderToken): boolean => (entry.token ?? '') !== '';
