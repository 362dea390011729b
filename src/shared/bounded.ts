import * as z from 'zod/mini';
import { beginning } from './wellFormed';

/**
 * At most `most` characters or elements. Zod's own length checks also run on values that are neither text nor list, and
 * throw if `length` can't be compared.
 */
export function atMost<T extends { readonly length: number }>(most: number) {
  return z.refine<T>(({ length }) => length <= most);
}

/** Text that is not empty. */
export const someText = z.string().check(z.refine((text) => text !== ''));

/**
 * Parts of messages between a page and the extension host. The bounds only keep a forged or broken message from filling
 * memory; they're far above real content.
 */
export const longestName = 2_000;
export const longestText = 4_000_000;
export const shortText = z.string().check(atMost(longestName));
export const longText = z.string().check(atMost(longestText));

/** `text` as it fits `longText`. */
export function fitting(text: string): string {
  return text.length <= longestText ? text : `${beginning(text, longestText - 1)}…`;
}

export function listOf<T extends z.core.$ZodType>(item: T, most = 5_000) {
  return z.array(item).check(atMost(most));
}
