import { plainText } from './plainText';

/** The message of whatever was thrown. It can come from anywhere: shorten and clean it before showing it. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message of whatever was thrown, short and clean. */
export function thrownWords(error: unknown): string {
  return plainText(thrownText(error), 200);
}
