import { Invalid, isObject, issue, type Issue } from './http';
import type { ProviderToken } from './records';

const members = ['token', 'user_id', 'host'] as const;

/**
 * Reads `provider_tokens` of `POST /api/add-git-providers`; unknown members of an entry are dropped. Throws Invalid.
 * `known` limits the providers' names.
 */
export function readProviderTokens(value: unknown, known?: readonly string[]): Record<string, ProviderToken> {
  const loc = ['body', 'provider_tokens'];
  if (value === undefined) return {};
  if (!isObject(value)) throw new Invalid([issue(loc, 'a valid dictionary', 'dict_type')]);
  const issues: Issue[] = [];
  const entries = Object.entries(value).map(([name, entry]): [string, ProviderToken] => {
    if (known && !known.includes(name))
      issues.push(issue([...loc, name, '[key]'], `one of ${known.join(', ')}`, 'enum'));
    const read: ProviderToken = { token: null, user_id: null, host: null };
    if (!isObject(entry)) issues.push(issue([...loc, name], 'an object', 'model_type'));
    else {
      for (const member of members) {
        const given = entry[member] ?? null;
        if (given === null || typeof given === 'string') read[member] = given;
        else issues.push(issue([...loc, name, member], 'a valid string', 'string_type'));
      }
    }
    return [name, read];
  });
  if (issues.length > 0) throw new Invalid(issues);
  return Object.fromEntries(entries);
}

/**
 * The refusal of the tokens given, if any. A token that begins with "bad" is one no provider knows. Only the last one
 * checked counts: a good token after a bad one hides it.
 */
export function tokenRefusal(given: Record<string, ProviderToken>): string | undefined {
  const last = Object.entries(given).findLast(([, entry]) => hasToken(entry));
  return last?.[1].token?.startsWith('bad')
    ? `Invalid token. Please make sure it is a valid ${last[0]} token.`
    : undefined;
}

/**
 * The provider map after a call: what was given replaces it all. An entry with an empty token keeps the stored one and
 * takes the host given.
 */
export function replaceTokens(
  stored: Record<string, ProviderToken>,
  given: Record<string, ProviderToken>,
): Record<string, ProviderToken> {
  return Object.fromEntries(
    Object.entries(given).map(([name, entry]) => {
      const before = Object.hasOwn(stored, name) ? stored[name] : undefined;
      const keeps = before && hasToken(before) && !hasToken(entry);
      return [name, keeps ? { ...before, host: entry.host } : entry];
    }),
  );
}

/** `provider_tokens_set`: the host, or null, of each provider that has a token. */
export const tokensSet = (stored: Record<string, ProviderToken>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(stored)
      .filter(([, entry]) => hasToken(entry) || (entry.user_id ?? '') !== '')
      .map(([name, entry]) => [name, entry.host]),
  );

const hasToken = (entry: ProviderToken): boolean => (entry.token ?? '') !== '';
