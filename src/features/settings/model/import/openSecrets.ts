import { passwordStarts } from '../../../../core/passwordStarts';
import { secretKeys } from '../../../../core/secretFiles';

/** A part of a text that looks like a secret. */
export interface OpenSecret {
  start: number;
  end: number;
  /** What it's called, for a name. */
  name: string;
}

const secretName =
  /(?:(?:api|auth|access|secret|private)[-_]?key|token|secret|passw(?:or)?d|passphrase|credentials?|(?:^|[-_.\s])(?:key|pwd|pat|auth|authorization|auth[-_]header|bearer|jwt|cookie|sig|signature))[-_]?\d*$/i;

/** Keys of known services. What comes before isn't part of a word, so each character is looked at once. */
const knownKeys =
  /(?<![\w-])(?:(?:sk|pk|rk|whsec)[-_][\w-]{16,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AIza[\w-]{30,}|hf_\w{20,}|npm_\w{20,}|tvly-[\w-]{16,}|tskey-[\w-]{16,}|ey[\w-]{8,}\.ey[\w-]{8,}\.[\w-]+)/g;

const moreKeys = new RegExp(secretKeys.map(({ source }) => source).join('|'), 'g');
/** A header’s value by itself. */
const bearer = /^bearer\s{1,4}(?=\S{8,}$)(?=\D*\d)/i;

const inAddress = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*):\/\/([^\s/?#]*)@/gi;
/** A long part of a path; those with both letters and digits are keys rather than words. */
const inPath = /(?<=\/)(?=[^/?#]*\d)(?=[^/?#]*[A-Za-z])[\w~=-]{24,}(?=[/?#]|$)/g;
/** The key of an Azure function. */
const functionKey = /(?<=[?&]code=)[\w%-]{20,}={0,2}/g;
/** In JSON, also within a text that is in quotes itself, and as JavaScript writes it. */
const inJson = /(\\?["'])([\w.-]+)\1\s*:\s*\1([^"'\\]+)\1/g;
/** A name and what separates it from its value. */
const beforeValue =
  /(?<![\w.-])([\w.-]+)\s{0,4}[=:]\s{0,4}["']?(?:(?:bearer|basic|token)\s{1,4})?(?=[^\s/"'=])/gi;

/** True for the name of an option, header, variable or parameter that holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name.replace(/([a-z\d])(?=[A-Z])/g, '$1-'));
}

/** False for what's no secret under any name: placeholders, switches and small numbers. */
function mayBeSecret(value: string): boolean {
  return !/\$\{|\{env:|^(?:true|false|null|none|\d{0,5})$/i.test(value);
}

function valueAt(text: string, start: number): string | undefined {
  const value = /[^\s&;,"'#]+/y;
  value.lastIndex = start;
  return value.exec(text)?.[0];
}

/** What looks like a secret in an address or another text, in order. Placeholders aren't secrets. */
export function secretsIn(text: string): OpenSecret[] {
  const found: OpenSecret[] = [];
  const add = (name: string, start: number, value: string) => {
    if (mayBeSecret(value)) found.push({ name, start, end: start + value.length });
  };
  for (const { 0: all, 1: scheme = '', 2: login = '', index } of text.matchAll(inAddress)) {
    // Web services take a key as the user, too; others have known users.
    const secret = /^https?$/i.test(scheme) ? login : login.slice((login + ':').indexOf(':') + 1);
    add('login', index + all.length - 1 - secret.length, secret);
  }
  if (/^[a-z]+:\/\//i.test(text))
    for (const { 0: part, index } of text.matchAll(inPath)) add('key', index, part);
  for (const { 0: all, 1: quote = '', 2: name = '', 3: value = '', index } of text.matchAll(inJson))
    if (isSecretName(name)) add(name, index + all.length - quote.length - value.length, value);
  const [scheme] = bearer.exec(text) ?? [];
  if (scheme !== undefined) add('token', scheme.length, text.slice(scheme.length));
  let done = 0;
  for (const { 0: all, 1: name = '', index } of text.matchAll(beforeValue)) {
    const start = index + all.length;
    if (start < done || !isSecretName(name)) continue;
    // A name that begins the text is all of it; others are among several.
    const value = index === 0 && !/["']/.test(all) ? text.slice(start) : (valueAt(text, start) ?? '');
    add(name.replace(/^-+/, ''), start, value);
    done = start + value.length;
  }
  for (const pattern of [knownKeys, moreKeys, functionKey])
    for (const { 0: key, index } of text.matchAll(pattern)) add('key', index, key);
  // A command line in one text, as for a shell.
  const words = [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)];
  passwordStarts(words.map(([word]) => word)).forEach((start, at) => {
    const { 0: word, index } = words[at] ?? { 0: '', index: 0 };
    if (start !== undefined) add('password', index + start, word.slice(start));
  });

  const ordered = found.sort((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return ordered.filter((secret) => {
    const isFree = secret.start >= end;
    if (isFree) end = secret.end;
    return isFree;
  });
}

/** What looks like a secret in arguments: as `secretsIn`, and what comes after an option for a secret. */
export function secretsInArgs(args: readonly string[], command = ''): OpenSecret[][] {
  const starts = passwordStarts([command, ...args]);
  return args.map((text, index) => {
    const [, option = ''] = /^--?([\w.-]+)$/.exec(args[index - 1] ?? '') ?? [];
    const isValue = isSecretName(option) && !/^[-/]/.test(text) && mayBeSecret(text);
    if (isValue) return [{ name: option, start: 0, end: text.length }];
    const start = starts[index + 1];
    return start === undefined || !mayBeSecret(text.slice(start))
      ? secretsIn(text)
      : [{ name: 'password', start, end: text.length }];
  });
}

/** The text with its secrets replaced. */
export function withoutSecrets(
  text: string,
  secrets: readonly OpenSecret[],
  replacement: (secret: OpenSecret) => string,
): string {
  let end = 0;
  const parts = secrets.flatMap((secret) => {
    const before = text.slice(end, secret.start);
    end = secret.end;
    return [before, replacement(secret)];
  });
  return [...parts, text.slice(end)].join('');
}
