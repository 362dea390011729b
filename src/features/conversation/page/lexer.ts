/** A piece of code; an empty kind for what has none. */
export interface CodeToken {
  kind: '' | 'comment' | 'string' | 'number' | 'keyword';
  text: string;
}

const words = (text: string) => new Set(text.split(' '));

const shared =
  'as async await break case class const continue default do else enum export false finally for from if import in let new null return static super switch this throw true try while with yield';
const typed = words(
  `${shared} abstract bool boolean catch char const defer delete extends extern final float fn fun func function go impl implements instanceof int interface long match mod mut namespace nil of override package private protected pub public readonly self string struct trait type typeof undefined unsigned use using val var void where`,
);
const scripted = words(
  `${shared} and assert begin def del done elif elsif end esac except fi function global is lambda module nil None nonlocal not or pass raise require rescue self then True False until`,
);
const queried = words(
  'and as by case create delete desc distinct drop else end exists from group having in inner insert into is join key left like limit not null on or order outer primary references select set table then union unique update values view when where with',
);

const double = String.raw`"(?:\\[^]|[^"\\\n])*"?`;
// Not the apostrophe of a word, but the quote after a prefix of one letter.
const single = String.raw`(?<!\w\w)'(?:\\[^]|[^'\\\n])*'?`;
const backtick = '`(?:\\\\[^]|[^`\\\\])*`?';
const number = String.raw`\b\d(?:\w|\.(?=\d))*`;
const word = String.raw`[A-Za-z_$][\w$]*`;

/** What makes one family of languages. */
interface Family {
  pattern: RegExp;
  keywords: ReadonlySet<string>;
}

const family = (comment: string, strings: readonly string[], keywords = typed): Family => ({
  pattern: new RegExp(
    `(?<comment>${comment})|(?<string>${strings.join('|')})|(?<number>${number})|(?<word>${word})`,
    'g',
  ),
  keywords,
});

const slashes = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const hash = String.raw`(?<![\w$&{])#[^\n]*`;
const families = {
  slashes: family(slashes, [double, single, backtick]),
  // A lifetime has one quote only.
  rust: family(slashes, [double, String.raw`'(?:\\[^']+|[^'\\])'`]),
  hash: family(hash, ['"""[^]*?(?:"""|$)', "'''[^]*?(?:'''|$)", double, single], scripted),
  dashes: family(String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|$)`, [double, single], queried),
  tags: family('<!--[^]*?(?:-->|$)', [double], words('')),
};

const languages: Readonly<Record<string, keyof typeof families>> = {
  rs: 'rust',
  rust: 'rust',
  ...Object.fromEntries(
    'js mjs cjs jsx javascript ts mts cts tsx typescript java c h cc cpp c++ hpp cs csharp go golang kt kotlin swift scala php dart css scss less json jsonc json5 proto groovy'
      .split(' ')
      .map((name) => [name, 'slashes'] as const),
  ),
  ...Object.fromEntries(
    'py python rb ruby sh bash zsh shell console yaml yml toml ini dockerfile makefile perl pl r ex elixir'
      .split(' ')
      .map((name) => [name, 'hash'] as const),
  ),
  ...Object.fromEntries('sql psql mysql lua'.split(' ').map((name) => [name, 'dashes'] as const)),
  ...Object.fromEntries('html xml svg vue'.split(' ').map((name) => [name, 'tags'] as const)),
};

/** Splits code at what has a color of its own; text of any other language stays in one piece. */
export function tokensOf(code: string, language: string): CodeToken[] {
  const name = language.toLowerCase();
  const known = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (known === undefined) return [{ kind: '', text: code }];
  const { pattern, keywords } = families[known];
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const { index, 0: text, groups = {} } of code.matchAll(pattern)) {
    const found = (['comment', 'string', 'number'] as const).find((kind) => groups[kind] !== undefined);
    const isKeyword = keywords.has(keywords === queried ? text.toLowerCase() : text);
    const kind = found ?? (isKeyword ? 'keyword' : '');
    if (kind === '') continue;
    if (index > end) tokens.push({ kind: '', text: code.slice(end, index) });
    tokens.push({ kind, text });
    end = index + text.length;
  }
  if (end < code.length) tokens.push({ kind: '', text: code.slice(end) });
  return tokens;
}
