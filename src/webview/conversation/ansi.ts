/** Terminal text in one style. `classes` are from the style sheet: `fg-1`, `bg-4`, `bold`. */
export interface Span {
  text: string;
  classes: string;
}

interface Style {
  fg: string;
  bg: string;
  flags: ReadonlySet<string>;
}

const noStyle: Style = { fg: '', bg: '', flags: new Set() };
const flagOf: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  9: 'strike',
};
/** What a code switches off. */
const offOf: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  29: ['strike'],
};

const sgr = /\x1b\[([\d;]*)m/g;

/** Terminal output with its colors; other codes are removed. */
export function ansiSpans(text: string): Span[] {
  const spans: Span[] = [];
  let style = noStyle;
  let at = 0;
  const add = (end: number) => {
    const part = withoutCodes(text.slice(at, end));
    if (part !== '') spans.push({ text: part, classes: classesOf(style) });
  };
  for (const match of text.matchAll(sgr)) {
    add(match.index);
    style = styled(style, (match[1] ?? '').split(';').map(Number));
    at = match.index + match[0].length;
  }
  add(text.length);
  return spans;
}

/** Without escape sequences, control and bidirectional characters; with tabs and line ends. */
function withoutCodes(text: string): string {
  return text
    .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?/g, '')
    .replace(/\r\n/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '')
    .replace(/(?![\u200c\u200d])\p{Cf}/gu, '');
}

function styled(style: Style, codes: readonly number[]): Style {
  let { fg, bg } = style;
  let flags = new Set(style.flags);
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    const flag = flagOf[code];
    if (code === 0) [fg, bg, flags] = ['', '', new Set()];
    else if (flag !== undefined) flags.add(flag);
    else if (offOf[code]) for (const off of offOf[code]) flags.delete(off);
    else if (code === 38 || code === 48) {
      const color = codes[i + 1] === 5 && (codes[i + 2] ?? 16) < 16 ? String(codes[i + 2]) : '';
      if (code === 38) fg = color;
      else bg = color;
      // Colors other than the theme's may be unreadable in some themes.
      i += codes[i + 1] === 2 ? 4 : 2;
    } else if (code >= 30 && code <= 37) fg = String(code - 30);
    else if (code >= 90 && code <= 97) fg = String(code - 82);
    else if (code === 39) fg = '';
    else if (code >= 40 && code <= 47) bg = String(code - 40);
    else if (code >= 100 && code <= 107) bg = String(code - 92);
    else if (code === 49) bg = '';
  }
  return { fg, bg, flags };
}

function classesOf({ fg, bg, flags }: Style): string {
  return [fg && `fg-${fg}`, bg && `bg-${bg}`, ...flags].filter(Boolean).join(' ');
}
