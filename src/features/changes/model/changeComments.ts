import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { StoredList, type Store } from '../../../core/basics/storedList';
import { quotedSelection } from '../../../core/text/selectionMessage';

/** The number of a line, from 1, as the editor can show it. */
const lineNumber = z
  .number()
  .check(z.refine((line) => Number.isSafeInteger(line) && line >= 1 && line < 2 ** 31));

const commentSchema = z.object({
  id: z.string(),
  conversation: z.string(),
  /** The URI of the side of a file that it’s on. */
  uri: z.string(),
  /** In the repository. */
  path: z.string(),
  /** The editor’s language id. */
  language: z.string(),
  firstLine: lineNumber,
  lastLine: lineNumber,
  /** The lines that it’s on. */
  code: z.string(),
  text: z.string(),
});

/** A comment on lines of a change, for the agent; not sent yet. */
export type ChangeComment = z.infer<typeof commentSchema>;

/** The comments that a user has collected and not sent. */
export class ChangeComments {
  private readonly stored: StoredList<ChangeComment>;

  constructor(store: Store) {
    this.stored = new StoredList(commentSchema, store, ({ id }) => id);
  }

  get all(): readonly ChangeComment[] {
    return this.stored.all;
  }

  of(conversation: string): ChangeComment[] {
    return this.all.filter((comment) => comment.conversation === conversation);
  }

  add(comment: ChangeComment): void {
    this.stored.write([...this.all, comment]);
  }

  remove(ids: readonly string[]): void {
    this.stored.write(this.all.filter(({ id }) => !ids.includes(id)));
  }
}

/** One message for the agent with all comments: where each is, the code, and the words. */
export function commentsMessage(comments: readonly ChangeComment[]): string {
  const sorted = comments.toSorted((a, b) =>
    a.path === b.path ? a.firstLine - b.firstLine : a.path < b.path ? -1 : 1,
  );
  const parts = sorted.map(({ path, language, firstLine, lastLine, code, text }) => {
    const quote = quotedSelection({
      path,
      language,
      parts: [{ firstLine, lastLine, text: code }],
      problems: [],
    });
    return `${quote.text}\n\n${text.trim()}`;
  });
  return [l10n.t('Comments on your changes:'), ...parts].join('\n\n');
}
