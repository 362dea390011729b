import * as z from 'zod/mini';

/**
 * At most `most` characters or elements. Zod's own checks of length are not used: they also look at what is neither
 * text nor list, and throw where its `length` cannot be compared.
 */
export function atMost<T extends { readonly length: number }>(most: number) {
  return z.refine<T>(({ length }) => length <= most);
}

/** Text that is not empty. */
export const someText = z.string().check(z.refine((text) => text !== ''));
