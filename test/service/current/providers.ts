import type { ProviderToken } from '../records';

type Tokens = Record<string, ProviderToken>;

/** The provider map after a call: an entry without a token keeps the stored one, but only with the same host. */
export function currentTokens(stored: Tokens, given: Tokens): Tokens {
  const next = Object.entries(given).flatMap(([name, entry]): [string, ProviderToken][] => {
    if (entry.token) return [[name, entry]];
    const before = stored[name];
    return before !== undefined && (before.host ?? '') === (entry.host ?? '') ? [[name, before]] : [];
  });
  return Object.fromEntries(next);
}
