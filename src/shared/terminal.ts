import { terminalSequences } from './plainText';

/** The style of terminal text. `fg` and `bg` are numbers of the 16 colors that themes have, or empty. */
export interface TerminalStyle {
  fg: string;
  bg: string;
  flags: ReadonlySet<TerminalFlag>;
}

type TerminalFlag = 'bold' | 'dim' | 'italic' | 'underline' | 'strike';

export const noStyle: TerminalStyle = { fg: '', bg: '', flags: new Set() };

const flagOf = new Map<number, TerminalFlag>([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underline'],
  [9, 'strike'],
  [21, 'underline'],
]);

/** What a code switches off. */
const offOf = new Map<number, readonly TerminalFlag[]>([
  [22, ['bold', 'dim']],
  [23, ['italic']],
  [24, ['underline']],
  [29, ['strike']],
]);

/** The style after a color sequence with these parameters, such as `1;31`. */
export function styledBy(style: TerminalStyle, parameters: string): TerminalStyle {
  const codes = parameters.split(';').map(Number);
  let { fg, bg } = style;
  let flags = new Set(style.flags);
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    const flag = flagOf.get(code);
    if (code === 0) [fg, bg, flags] = ['', '', new Set()];
    else if (flag !== undefined) flags.add(flag);
    else if (offOf.has(code)) for (const off of offOf.get(code) ?? []) flags.delete(off);
    else if (code === 38 || code === 48 || code === 58) {
      const isMixed = codes[i + 1] === 2;
      const color = isMixed ? nearest(codes.slice(i + 2, i + 5)) : ofPalette(codes[i + 2] ?? 0);
      if (code === 38) fg = color;
      else if (code === 48) bg = color;
      i += isMixed ? 4 : 2;
    } else if (code >= 30 && code <= 37) fg = String(code - 30);
    else if (code >= 90 && code <= 97) fg = String(code - 82);
    else if (code === 39) fg = '';
    else if (code >= 40 && code <= 47) bg = String(code - 40);
    else if (code >= 100 && code <= 107) bg = String(code - 92);
    else if (code === 49) bg = '';
  }
  return { fg, bg, flags };
}

/** One of 256 colors as one of the theme's: others may be unreadable in some themes. */
function ofPalette(color: number): string {
  if (color < 16) return String(color);
  if (color >= 232) return nearest([0, 0, 0].map(() => 8 + (color - 232) * 10));
  const cube = color - 16;
  return nearest([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => part * 51));
}

/** The theme's color that is most like this mixture of red, green and blue. */
function nearest(mixture: readonly number[]): string {
  const [red = 0, green = 0, blue = 0] = mixture;
  const most = Math.max(red, green, blue);
  if (most < 48) return '0';
  if (most - Math.min(red, green, blue) < 32) return most < 144 ? '8' : most < 216 ? '7' : '15';
  const bits = [red, green, blue].map((part, index) => (part * 2 > most ? 1 << index : 0));
  return String(bits.reduce((sum, bit) => sum + bit, most >= 208 ? 8 : 0));
}

/** The sequence that sets a style, whatever was set before. */
function sequenceOf({ fg, bg, flags }: TerminalStyle): string {
  const color = (number: string, base: number) =>
    number === '' ? [] : [Number(number) < 8 ? base + Number(number) : base + 52 + Number(number)];
  const codes = [...flagOf].flatMap(([code, flag]) => (code < 10 && flags.has(flag) ? [code] : []));
  return `\x1b[${[0, ...codes, ...color(fg, 30), ...color(bg, 40)].join(';')}m`;
}

/** Parameters that are separated by colons, in the form that everybody reads. */
function withSemicolons(parameters: string): string {
  return parameters
    .split(';')
    .map((part) => {
      const [code = '', kind = '', ...more] = part.split(':');
      if (kind === '') return code;
      if (code === '4') return kind === '0' ? '24' : '4';
      // The color space, which may be empty, comes before the three colors.
      return [code, kind, ...(kind === '2' && more.length > 3 ? more.slice(1, 4) : more)].join(';');
    })
    .join(';');
}

const coloring = /^(?:\x1b\[|\x9b)([\d;:]*)m$/;
/** Moves to a place on screen aren't among them, and the whole screen isn't erased: what was above would be lost. */
const moving = /^(?:\x1b\[|\x9b)(?:([\d;]*)([A-GKPX@`])|0?(J)|([su]))$/;
const kept = /\r(?!\n)|\x08|\x1b\[\d*(?:[A-GJKPX@`su])/;
/** Saves and restores the cursor with its style, as the sequences that do that without it. */
const keeping = new Map([
  ['\x1b7', '\x1b[1s'],
  ['\x1b8', '\x1b[1u'],
]);

/**
 * Output of a command as it is on screen in the end: text that was overwritten or erased in its line, or in lines that
 * the cursor went back to, isn't in it. Of all sequences, only those that color text are left.
 */
export function terminalText(text: string): string {
  const plain = text
    .replace(terminalSequences, (sequence) => {
      const [, colors] = coloring.exec(sequence) ?? [];
      if (colors !== undefined) return `\x1b[${colors.includes(':') ? withSemicolons(colors) : colors}m`;
      const [, count = '', editing, erasing, command = editing ?? erasing] = moving.exec(sequence) ?? [];
      return command === undefined
        ? (keeping.get(sequence) ?? '')
        : `\x1b[${Number.parseInt(count, 10) || ''}${command}`;
    })
    .replace(/\r+\n/g, '\n')
    .replace(/(?![\b\n\r\t\x1b])\p{Cc}|\x1b(?!\[[\d;]*[A-GJKPX@`msu])/gu, '');
  return kept.test(plain) ? new Screen().write(plain) : plain;
}

/** A line without the moves in it. */
function plainRow(line: string, start: TerminalStyle): Row {
  const text = line.replace(/\x1b\[[\d;]*[A-Z@`su]|[\r\b]/g, '');
  let end = start;
  for (const [, colors = ''] of text.matchAll(/\x1b\[([\d;]*)m/g)) end = styledBy(end, colors);
  return { text, start, end };
}

/** A line that nothing was overwritten in, or the characters and styles of one. */
type Row =
  { text: string; start: TerminalStyle; end: TerminalStyle } | { cells: string[]; styles: TerminalStyle[] };

/** Rows are as long as their text: how wide the terminal was isn't known. */
const longestMove = 1_000;
/**
 * What all moves and characters together may cost, in characters that are touched: what comes after is shown as it is,
 * without moves.
 */
const mostSteps = 4_000_000;
/** The most characters of a row that are moved or erased one by one. */
const longestEdited = 2_000;

const piece = /\x1b\[([\d;]*)([A-Z@`msu])|[\r\b\t]|[^\x1b\r\b\t]+/g;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const attached = /[\p{M}\p{Cf}]/u;

class Screen {
  readonly #rows: Row[] = [];
  #row = 0;
  #column = 0;
  #style = noStyle;
  #saved: { row: number; column: number; style: TerminalStyle } | undefined;
  #stepsLeft = mostSteps;
  /** Blanks that moves past the end of a line may still add. */
  #blanksLeft = 100_000;

  write(text: string): string {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.#row += 1;
      this.#column = 0;
      this.#line(line);
    }
    return this.#shown();
  }

  #line(line: string): void {
    const isNew = this.#row >= this.#rows.length;
    if (this.#stepsLeft < 0) {
      this.#row = this.#rows.length;
      this.#rows.push(plainRow(line, this.#style));
      return;
    }
    if (isNew && !kept.test(line)) {
      const start = this.#style;
      for (const [, colors = ''] of line.matchAll(/\x1b\[([\d;]*)m/g))
        this.#style = styledBy(this.#style, colors);
      this.#rows.push({ text: line, start, end: this.#style });
      return;
    }
    if (isNew) this.#rows.push({ cells: [], styles: [] });
    for (const { 0: all, 1: parameters = '', 2: command, index } of line.matchAll(piece)) {
      if (this.#stepsLeft < 0) {
        this.#line(line.slice(index));
        return;
      }
      if (command === 'm') this.#style = styledBy(this.#style, parameters);
      else if (command !== undefined) this.#move(command, Number(parameters));
      else if (all === '\r') this.#column = 0;
      else if (all === '\b') this.#column = Math.max(0, this.#column - 1);
      else if (all === '\t') this.#column = (Math.floor(this.#column / 8) + 1) * 8;
      else this.#print(all);
    }
  }

  #move(command: string, parameter: number): void {
    const count = Math.min(parameter || 1, longestMove);
    const { cells, styles } = this.#cells();
    const end = Math.min(this.#column + count, cells.length);
    this.#stepsLeft -= 'KP@X'.includes(command) ? 1 + Math.min(cells.length, longestEdited) : 1;
    switch (command) {
      case 's':
        this.#saved = { row: this.#row, column: this.#column, style: this.#style };
        break;
      case 'u':
        if (!this.#saved) break;
        [this.#row, this.#column] = [this.#saved.row, this.#saved.column];
        if (parameter === 1) this.#style = this.#saved.style;
        break;
      case 'F':
      case 'E':
        this.#column = 0;
        this.#row += command === 'F' ? -count : count;
        break;
      case 'A':
      case 'B':
        this.#row += command === 'A' ? -count : count;
        break;
      case 'C':
        this.#column += count;
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - count);
        break;
      case 'G':
      case '`':
        this.#column = count - 1;
        break;
      case 'J':
        this.#rows.length = this.#row + 1;
        cells.length = Math.min(cells.length, this.#column);
        break;
      case 'K':
        if (parameter === 0) cells.length = Math.min(cells.length, this.#column);
        else if (parameter === 2) cells.length = 0;
        else if (this.#column < longestEdited) cells.fill(' ', 0, this.#column + 1);
        break;
      case 'X':
        if (this.#column < end) cells.fill(' ', this.#column, end);
        break;
      case 'P':
        if (cells.length > longestEdited) break;
        cells.splice(this.#column, count);
        styles.splice(this.#column, count);
        break;
      case '@':
        if (cells.length > longestEdited || this.#column >= cells.length) break;
        cells.splice(this.#column, 0, ...Array.from({ length: count }, () => ' '));
        styles.splice(this.#column, 0, ...Array.from({ length: count }, () => noStyle));
    }
    this.#row = Math.max(0, Math.min(this.#row, this.#rows.length - 1));
  }

  #print(text: string): void {
    const { cells, styles } = this.#cells();
    this.#stepsLeft -= text.length;
    const missing = this.#column - cells.length;
    if (missing > this.#blanksLeft) this.#column = cells.length;
    for (let at = cells.length; at < this.#column; at += 1) {
      cells.push(' ');
      styles[at] = noStyle;
      this.#blanksLeft -= 1;
    }
    const put = (character: string) => {
      cells[this.#column] = character;
      styles[this.#column] = this.#style;
      this.#column += 1;
    };
    for (const character of text) {
      if (character > '\u02ff' && attached.test(character) && this.#column > 0) {
        cells[this.#column - 1] = `${cells[this.#column - 1] ?? ''}${character}`;
        continue;
      }
      // Half of a wide character that is overwritten is blank.
      if (cells[this.#column] === '') cells[this.#column - 1] = ' ';
      put(character);
      if (character >= '\u1100' && wide.test(character)) put('');
      if (cells[this.#column] === '') cells[this.#column] = ' ';
    }
  }

  /** The current row, as cells. */
  #cells(): { cells: string[]; styles: TerminalStyle[] } {
    const row = this.#rows[this.#row];
    if (row !== undefined && 'cells' in row) return row;
    const made = { cells: [], styles: [] };
    this.#rows[this.#row] = made;
    if (row !== undefined) {
      const [column, style] = [this.#column, this.#style];
      [this.#column, this.#style] = [0, row.start];
      this.#line(row.text);
      [this.#column, this.#style] = [column, style];
    }
    return made;
  }

  #shown(): string {
    let style = sequenceOf(noStyle);
    const styled = (next: TerminalStyle) => {
      const sequence = sequenceOf(next);
      if (sequence === style) return '';
      style = sequence;
      return sequence;
    };
    return this.#rows
      .map((row) => {
        if ('text' in row) {
          const start = styled(row.start);
          style = sequenceOf(row.end);
          return start + row.text;
        }
        let last: TerminalStyle | undefined;
        return row.cells
          .map((cell, index) => {
            const next = row.styles[index] ?? noStyle;
            if (next === last) return cell;
            last = next;
            return styled(next) + cell;
          })
          .join('');
      })
      .join('\n');
  }
}
