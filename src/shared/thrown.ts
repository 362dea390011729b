import { plainText } from './plainText';

/** What was thrown, in its own words. They are of whoever threw it: shorten and clean them before they are shown. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What was thrown, in its own words, short and clean. */
export function thrownWords(error: unknown): string {
  return plainText(thrownText(error), 200);
}
