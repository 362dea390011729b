/**
 * Questions that a program asked its terminal earlier: its kind, cursor position, colors, modes. When old output is
 * shown again, the terminal would answer them again, and type the answers into whatever runs now.
 */
const question =
  /\x1b(?:\[(?:[?>=]?\d*c|\??[\d;]*n|>\d*q|\?u|\??\d+\$p|1[468]t)|\](?:4;\d+|1[0-9]);\?(?:\x07|\x1b\\)|P[+$]q[^\x1b]*\x1b\\)/g;
/** The beginning of a question, or of something else. */
const beginning = /\x1b(?:\[[?>=]?[\d;]*\$?|\][\d;?]{0,20}\x1b?|P[+$]?[^\x1b]{0,200}\x1b?)?$/;

/** Longer beginnings say nothing. */
const longestBeginning = 400;

/** Replaces something in output, however it’s split into pieces. */
class Cut {
  private rest = '';

  constructor(
    private readonly found: RegExp,
    private readonly instead: string,
    private readonly beginning: RegExp,
  ) {}

  /** @param isLast whether to show what may be the beginning of it, too */
  take(text: string, isLast = false): string {
    const all = this.rest + text;
    const at = isLast ? -1 : all.search(this.beginning);
    this.rest = at < 0 || all.length - at > longestBeginning ? '' : all.slice(at);
    return (at < 0 ? all : all.slice(0, at)).replaceAll(this.found, this.instead);
  }
}

/** Removes the questions from output that is shown again. */
export const createReplay = () => new Cut(question, '', beginning);

/** Control characters that a terminal passes over in what it obeys. */
const passed = String.raw`[\0-\x06\x08-\x17\x19\x1c-\x1f\x7f]*`;
const zeros = `${passed}(?:0${passed})*`;
/** Asks for what the user copied, or replaces it; and what may be the beginning of that. */
const copying = new RegExp(`(?:\\x1b${passed}\\]|\\x9d)${zeros}5${passed}2${passed};`, 'g');
const maybeCopying = new RegExp(
  `(?:\\x1b${passed}(?:$|\\]${zeros})|\\x9d${zeros})(?:5${passed}(?:2${passed})?)?$`,
);
/**
 * Keeps programs in a sandbox from what the user copied: the editor’s terminals would tell them, and take what they say for
 * it. A number that isn’t one makes a terminal ignore all of it.
 */
export const createClipboardGuard = () => new Cut(copying, '\x1b]-', maybeCopying);

/** What only a terminal sends, and nobody types. */
const answer =
  /^(?:\x1b(?:\[[?>]?[\d;]*[cnR]|\](?:4;\d+|1\d);rgb:[^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|\[\?[\d;]+\$y))+$/;

/** Whether this is nothing but a terminal’s answer to a program. */
export const isAnswer = (text: string): boolean => answer.test(text);
