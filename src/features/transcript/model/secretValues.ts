import { passwordStarts } from '../../../core/passwordStarts';
import { isJsonObject, type Json } from '../../../shared/json';
import { parseUrl, unescaped } from '../../../shared/url';

/** What names of values that are secrets contain. */
const secretName =
  /token|secret|passw|passphr|pwd|credential|bearer|cookie|auth(?!or(?!i[sz]))|(?:api|access|private|session|signing|master)[-_]?key/i;

/** Short names of such values, which other words contain as well, so each is a word of its own at the end. */
const secretEnd = /(?:^|[-_.])(?:key|pass|pat|jwt)$/i;
const camelEnd = /[a-z\d](?:Key|Pass|Pat|Jwt)$/;

/**
 * A name and its value, as in `--api-key=x`, `X-Api-Key: Bearer x`, `{"token": "x"}`; a value may name another. Bounded,
 * since each value is looked at once for each name in it.
 */
const named =
  /(?<![\w.-])([\w.-]{1,200})["']?\s{0,20}[=:]\s{0,20}(?=(?:"([^"]{1,8000})"|'([^']{1,8000})'|["']?(?:(?:bearer|basic|token)\s{1,20})?([^\s"',;}&]{1,8000})))/gi;

/** A word that is a name and its value as a whole, which may have blanks in it. */
const assignment = /^([\w.-]+)\s*[=:]\s*(.+)$/s;

const addresses = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>]+/gi;

/** `me:x@host`, not `image:tag@sha256:…`. */
const login = /^[^\s/:@]+:([^\s/@]+)@(?!sha\d+:)[\w[]/;

const schemeless = /^[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?[/?#]/i;

/** Of `-p`, which is a password to some commands. */
const port = /^(?:[\d.]+:)?\d{1,5}(?:[-:]\d{1,5})*(?:\/\w+)?$/;

/** Tools that have another use for `-p` and `-k`, up to their first argument. */
const harmless = /(?:^|[\\/])(?:mkdir|cp|rsync|scp|ssh|npx|pnpx|uvx?|node|tsc|git|patch|tar|curl)(?:\.exe)?$/;

/** Parts of a path that a service made up, as those of webhooks. */
const madeUp = /^(?=.*\d)(?=.*[a-z])[\w.~-]{20,}$/i;

/**
 * All texts that are secrets in objects of MCP servers: below members named so, after options and names of such values,
 * and in addresses; of `Bearer x`, the `x` as well.
 * @param before the words of the command that a list has the arguments of
 */
export function secretValues(value: Json, isSecret = false, before: readonly string[] = []): string[] {
  if (typeof value === 'string')
    return [...(isSecret ? [value, ...value.split(/\s+/).slice(1)] : []), ...secretsIn(value)];
  if (typeof value === 'number' && isSecret) return [String(value)];
  if (Array.isArray(value)) {
    const words = value.map((item) => (typeof item === 'string' ? item : ''));
    return [
      ...secretsInWords([...before, ...words]),
      ...value.flatMap((item) => secretValues(item, isSecret)),
    ];
  }
  if (!isJsonObject(value)) return [];
  const { command } = value;
  const words = typeof command === 'string' ? command.split(/\s+/) : [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretValues(
      member,
      isSecret || /^env(?:ironment\w*|s|_?vars)?$|headers$/i.test(name) || isSecretName(name),
      words,
    ),
  );
}

function isSecretName(name: string): boolean {
  return secretName.test(name) || ((secretEnd.test(name) || camelEnd.test(name)) && !/public/i.test(name));
}

/** What is secret in the value of an option or another name: `--token x`, `-k x`, `-u me:x`. */
function secretsAfter(name: string, value: string): string[] {
  if (/^-{1,2}(?:u|user|proxy-user)$/i.test(name)) {
    const [, user, password = ''] = /^([^\s:]+):(.+)$/s.exec(value) ?? [];
    // User and group of a container otherwise.
    return password === '' || password === user || /^\d+$/.test(password) ? [] : [password];
  }
  const isShort = /^-{1,2}[kp]$/i.test(name) && !port.test(value);
  return isShort || (/^[\w.-]+$/.test(name) && isSecretName(name)) ? credentials(value) : [];
}

/** What is secret in words by the options before them. A word without a dash says nothing about the next one: `auth login`. */
function secretsInWords(words: readonly string[]): string[] {
  const starts = passwordStarts(words);
  let isHarmless = false;
  return words.flatMap((word, index) => {
    const option = words[index - 1];
    const after =
      option?.startsWith('-') && !(isHarmless && /^-[kp]$/.test(option)) ? secretsAfter(option, word) : [];
    if (!word.startsWith('-')) isHarmless = harmless.test(word);
    const start = starts[index];
    return start === undefined ? after : [...after, word.slice(start)];
  });
}

/** Of `Bearer x`, `me:x`, and `session=x`, the `x` as well. */
const credentials = (value: string) => [
  value,
  value.replace(/^(?:(?:bearer|basic|token)\s+|[\w.@-]+[:=](?=[^=/]))/i, ''),
];

function secretsIn(text: string): string[] {
  const values = Array.from(text.matchAll(named), ([, name = '', double, single, bare = '']) =>
    secretsAfter(name, double ?? single ?? bare),
  );
  const [, name = '', value = ''] = assignment.exec(text) ?? [];
  const words = shellWords(text);
  return [
    ...values.flat(),
    ...secretsAfter(name, value),
    ...Array.from(text.matchAll(addresses), ([address]) => secretsOfAddress(address)).flat(),
    ...secretsInWords(words),
    ...words.flatMap((word) => [
      ...secretsWithoutScheme(word.replace(/^(?:[\w.-]+=)?(?:\/\/)?/, '')),
      // Quotes are gone, so that it's shorter.
      ...(word.length < text.length && /[\s"'=:]/.test(word) ? secretsIn(word) : []),
    ]),
  ];
}

/** The words of a command line, without their quotes, as a shell would take them. */
function shellWords(text: string): string[] {
  const words = text.matchAll(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s\\"'])+/gs);
  return Array.from(words, ([word]) =>
    word.replace(
      /\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs,
      (_, escaped?: string, double?: string, single?: string) =>
        [escaped, double?.replace(/\\(["$`\\])/g, '$1'), single].join(''),
    ),
  );
}

function secretsWithoutScheme(address: string): string[] {
  const [, password] = login.exec(address) ?? [];
  if (password !== undefined) return [password];
  return schemeless.test(address) ? secretsOfAddress(`https://${address}`) : [];
}

/** User name or password, the values of the query, and made-up parts of the path. */
function secretsOfAddress(address: string): string[] {
  const url = parseUrl(address);
  if (url === undefined) return [];
  const { username, password, pathname, searchParams, hash } = url;
  const parts = [password || username, ...pathname.split('/').filter((part) => madeUp.test(part))];
  return [
    ...parts.map(unescaped),
    ...searchParams.values(),
    ...new URLSearchParams(hash.slice(1)).values(),
  ].filter((part) => part !== '');
}
