import { loneSurrogates } from './wellFormed';

/**
 * What a terminal would obey: CSI sequences; strings for the terminal (OSC, DCS, SOS, PM, APC) with what's in them, up to
 * the end of the line if they have no end; and the two-character escapes.
 */
export const terminalSequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b\]|\x9d)(?:[^\x07\x18\x1a\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x18|\x1a|\x1b\\|\x9c)|[^\x07\x1b\r\n]*)|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])(?:[^\x18\x1a\x1b\x90\x98\x9c-\x9f]*(?:\x18|\x1a|\x1b\\|\x9c)|[^\x1b\r\n]*)|\x1b[ -/]*[0-~]/g;

/**
 * Invisible characters, including those that change the direction of text. The two joiners shape real words, so they
 * stay.
 */
const invisible = /(?![\u200c\u200d])\p{Cf}/gu;

/** Runs of white space, line separators and control characters. */
const gaps = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Where the text of a Markdown link meets its address: notifications render such links, even to commands. */
const linkJoints = /\](?=\()/g;

/**
 * What starts an icon's name: quick picks and the status bar draw `$(error)` as an icon. At the end, a parenthesis around
 * the text could complete it.
 */
const iconMarks = /\$(?=\([\w-]+(?:~\w+)?(?:\)|$))/g;

/**
 * Words that need no change, as most names are. Testing for them takes a tenth of the time, and lists have thousands.
 */
const plainWords = /^[!-#%-\\^-~]+(?: [!-#%-\\^-~]+)*$/;

/**
 * Text of unknown origin as one line that is safe to show: without terminal sequences, control, bidirectional and
 * invisible characters, and with links and names of icons taken apart. At most `max` characters, cut with an ellipsis;
 * of very long text only the beginning is read.
 */
export function plainText(text: string, max: number): string {
  if (text.length <= max && plainWords.test(text)) return text;
  const line = text
    .slice(0, max * 8)
    .replace(terminalSequences, '')
    .replace(invisible, '')
    .replace(loneSurrogates, '\ufffd')
    .replace(gaps, ' ')
    .replace(linkJoints, '] ')
    .trim()
    .replace(iconMarks, '$ ');
  const characters = Array.from(line);
  const cut = characters.length > max || text.length > max * 8;
  return cut ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** Control characters other than ends of lines and tabs. */
const controls = /(?![\r\n\t])\p{Cc}/gu;

/** Characters that take no room on screen: invisible and joining characters, fillers and variation selectors. */
const ignorable = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The text without characters that could hide part of it from a search. */
export function visibleText(text: string): string {
  return text.replace(terminalSequences, '').replace(ignorable, '').replace(controls, '');
}

/**
 * Multi-line text as people see it, so that what they agree to is what's sent. Without terminal sequences, control,
 * bidirectional and invisible characters, and without white space around it.
 */
export function plainLines(text: string): string {
  return text
    .replace(terminalSequences, '')
    .replace(invisible, '')
    .replace(loneSurrogates, '\ufffd')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(controls, '')
    .trim();
}
