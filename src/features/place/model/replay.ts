/**
 * Questions that a program once put to its terminal: its kind, the cursor’s position, colors, modes. The answers to
 * those in output that is shown again would be typed into whatever runs now.
 */
const question =
  /\x1b(?:\[(?:[?>=]?\d*c|\??[56]n|>\d*q|\?u|\??\d+\$p|1[468]t)|\](?:4;\d+|1[0-9]);\?(?:\x07|\x1b\\)|P[+$]q[^\x1b]*\x1b\\)/g;
/** The beginning of one, or of something else. */

const beginning = /\x1b(?:\[[?>=]?\d*\$?|\][\d;?]{0,20}\x1b?|P[+$]?[^\x1b]{0,200}\x1b?)?$/;

/** Takes the questions out of output that is shown again, whose pieces may end anywhere. */
export class Replay {
  private rest = '';

  /** @param isLast whether what may be the beginning of a question is shown, too */
  take(text: string, isLast: boolean): string {
    const all = this.rest + text;
    const at = isLast ? -1 : all.search(beginning);
    this.rest = at < 0 ? '' : all.slice(at);
    return (at < 0 ? all : all.slice(0, at)).replaceAll(question, '');
  }
}

/** What only a terminal says, and nobody types. */

const answer =
  /^(?:\x1b(?:\[[?>]?[\d;]*[cnR]|\](?:4;\d+|1\d);rgb:[^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|\[\?[\d;]+\$y))+$/;

/** Whether this is nothing but a terminal’s answer to a program. */
export const isAnswer = (text: string): boolean => answer.test(text);
