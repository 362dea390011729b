import { noStyle, styledBy, terminalText, type TerminalStyle } from '../../../shared/terminal';

/** Terminal text in one style. `classes` are from the style sheet: `fg-1`, `bg-4`, `bold`. */
export interface Span {
  text: string;
  classes: string;
}

/** Terminal output with its colors, as it is on screen in the end. */
export function ansiSpans(text: string): Span[] {
  const spans: Span[] = [];
  let style = noStyle;
  let at = 0;
  const shown = terminalText(text);
  const add = (end: number) => {
    const part = shown.slice(at, end).replace(invisible, '');
    const classes = classesOf(style);
    const last = spans.at(-1);
    if (part !== '' && last?.classes === classes) last.text += part;
    else if (part !== '') spans.push({ text: part, classes });
  };
  for (const { 0: all, 1: parameters = '', index } of shown.matchAll(/\x1b\[([\d;]*)m/g)) {
    add(index);
    style = styledBy(style, parameters);
    at = index + all.length;
  }
  add(shown.length);
  return spans;
}

/** Invisible characters, including those that change the direction of text; without the joiners of real words. */
const invisible = /(?![\u200c\u200d])\p{Cf}/gu;

function classesOf({ fg, bg, flags }: TerminalStyle): string {
  return [fg && `fg-${fg}`, bg && `bg-${bg}`, ...flags].filter(Boolean).join(' ');
}
