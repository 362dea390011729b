/** CSI and OSC sequences, and the two-character escapes: what a terminal would obey. */
const terminalSequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]/g;

/** Invisible characters, the ones that turn the direction of text among them; the two joiners shape real words. */
const invisible = /(?![\u200c\u200d])\p{Cf}/gu;

const loneSurrogates = /\p{Cs}/gu;

/** Runs of white space, line separators and control characters. */
const gaps = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Where a link of Markdown goes from its words to its address: notifications make links of those, commands too. */
const linkJoints = /\](?=\()/g;

/** What begins the name of an icon: lists to choose from and the status bar draw `$(error)` as one. */
const iconMarks = /\$(?=\([\w-]+(?:~\w+)?\))/g;

/** Words with nothing to change in them, as most names are; looked at in a tenth of the time, since lists have thousands. */
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
    .replace(iconMarks, '$ ')
    .trim();
  const characters = Array.from(line);
  const cut = characters.length > max || text.length > max * 8;
  return cut ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** Control characters other than ends of lines and tabs. */
const controls = /(?![\r\n\t])\p{Cc}/gu;

/** What takes no room on screen: invisible and joining characters, fillers and selectors of variants. */
const ignorable = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The text without anything that could hide in it what a search would find. */
export function visibleText(text: string): string {
  return text.replace(terminalSequences, '').replace(ignorable, '').replace(controls, '');
}

/**
 * Text of several lines as people see it: what they agree to and what is sent is then the same. Without terminal
 * sequences, control, bidirectional and invisible characters, and without white space around it.
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

/** Output of a command as a terminal would show it: of all its sequences, only those that color text are kept. */
export function terminalText(text: string): string {
  return text
    .replace(terminalSequences, (sequence) => (/^\x1b\[[\d;]*m$/.test(sequence) ? sequence : ''))
    .replace(/\r\n/g, '\n')
    .replace(/(?![\n\r\t\x1b])\p{Cc}|\x1b(?!\[[\d;]*m)/gu, '');
}
