import type { WrittenPart } from '../../../api/agent/socket';
import { beginning } from '../../../shared/wellFormed';
import type { Written } from '../../../shared/transcript';

/** Most characters that are shown of a text before it’s complete. */
const mostShown = 20_000;

/** Texts that are written at the same time: sub-agents write, too. */
const mostTexts = 20;

interface Text {
  attempt: number;
  /** The part that comes next. */
  next: number;
  text: string;
  /** A part was lost, so what follows isn’t shown before the text is complete. */
  isBroken: boolean;
}

/** What agents are writing, until the event that has all of it. */
export class Writing {
  private readonly texts = new Map<string, Text>();

  /** Takes a part of a text, as told by a socket. Returns whether that changes what is shown. */
  take(part: WrittenPart): boolean {
    const { id, attempt, order, text } = part;
    if (part.isOver) return this.end(id);
    const before = this.texts.get(id);
    if (before ? attempt < before.attempt : this.texts.size >= mostTexts) return false;
    const shown = before?.text ?? '';
    const known = before?.attempt === attempt ? before : { attempt, next: 0, text: '', isBroken: false };
    this.texts.set(id, known);
    known.isBroken ||= order !== undefined && order !== known.next;
    if (order !== undefined && !known.isBroken) {
      known.next += 1;
      known.text = beginning(known.text + text, mostShown);
    }
    return known.text !== shown;
  }

  /** The text is complete, or never will be. Returns whether it was known. */
  end(id: string): boolean {
    return this.texts.delete(id);
  }

  /** Forgets all texts: nothing shows how they continue. */
  clear(): void {
    this.texts.clear();
  }

  /**
   * The text that was begun last, as far as it can be shown; null if there is none.
   * @param secrets what may be in it
   * @param mask hides those that are in a text in full
   */
  shown(secrets: readonly string[], mask: (text: string) => string): Written | null {
    const [id, last] = [...this.texts].findLast(([, { text }]) => text.trim() !== '') ?? [];
    if (id === undefined || !last) return null;
    // Most of a secret is hidden before an ellipsis, in whatever form it’s being written.
    const text = mask(`${whole(last.text, secrets).trimEnd()}…`)
      .slice(0, -1)
      .trimEnd();
    return text === '' ? null : { id, text };
  }
}

/**
 * A text without its last word of ASCII, and without what may begin a secret that has other characters: the rest is still to
 * come.
 */
function whole(text: string, secrets: readonly string[]): string {
  let end = text.length;
  // An expression for the end of a text tries each place of a long word.
  while (end > 0 && isAscii(text[end - 1] ?? '')) end -= 1;
  const words = text.slice(0, end);
  const begun = secrets.filter((secret) => /[^!-~]/.test(secret)).map((secret) => begins(words, secret));
  return words.slice(0, words.length - Math.max(0, ...begun));
}

const isAscii = (character: string) => character >= '!' && character <= '~';

/** How many characters at the end of a text are the beginning of a secret. */
function begins(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
