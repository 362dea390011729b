import { withoutNamedSecrets } from './namedSecrets';
import { plainText } from './plainText';

/** The message of whatever was thrown. It can come from anywhere: shorten and clean it before showing it. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message of whatever was thrown, short and clean. */
export function thrownWords(error: unknown): string {
  return programWords(thrownText(error), 200);
}

/** Characters that are searched for secrets; far more than are shown. */
const searched = 4_000;

/** What another program says, short and clean: Git names the addresses that it uses with their passwords. */
export function programWords(text: string, most: number): string {
  return plainText(withoutNamedSecrets(text.slice(0, searched)), most);
}
