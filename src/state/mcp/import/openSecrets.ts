/** A part of a text that looks like a secret. */
export interface OpenSecret {
  start: number;
  end: number;
  /** What it’s called, for a name. */
  name: string;
}

const secretName =
  /(?:^|[-_.\s])(?:api[-_]?key|key|token|secret|passw(?:or)?d|pwd|pat|auth|authorization|credentials?|bearer)$/i;
/** Keys of known services. */
const knownKeys =
  /\b(?:sk|pk|rk|whsec)[-_][\w-]{16,}|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}|\bA(?:KI|SI)A[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bhf_\w{20,}|\bnpm_\w{20,}|\btvly-[\w-]{16,}|\bey[\w-]{8,}\.ey[\w-]{8,}\.[\w-]+/g;
const inAddress = /:\/\/([^\s/@:?#]*):([^\s/@?#]+)@/g;
const inQuery = /[?&;]([\w.-]+)=([^&#\s]+)/g;

/** True for the name of an option, header, variable or parameter that holds a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name.replace(/([a-z])(?=[A-Z])/g, '$1-'));
}

/** What looks like a secret in an address or another text. Placeholders aren’t secrets. */
export function secretsIn(text: string): OpenSecret[] {
  const found: OpenSecret[] = [];
  const add = (name: string, start: number, length: number) => {
    const end = start + length;
    const isKnown = found.some((other) => start < other.end && other.start < end);
    if (length > 0 && !isKnown && !/\$\{|\{env:/.test(text.slice(start, end)))
      found.push({ name, start, end });
  };
  for (const { 0: all, 2: password = '', index } of text.matchAll(inAddress))
    add('password', index + all.length - 1 - password.length, password.length);
  for (const { 0: all, 1: name = '', 2: value = '', index } of text.matchAll(inQuery))
    if (isSecretName(name)) add(name, index + all.length - value.length, value.length);
  const [named = '', name = ''] =
    /^-{0,2}([\w.-]+)\s*[=:]\s*(?:(?:bearer|basic|token)\s+)?(?=[^\s/])/i.exec(text) ?? [];
  if (isSecretName(name)) add(name, named.length, text.length - named.length);
  for (const { 0: key, index } of text.matchAll(knownKeys)) add('key', index, key.length);
  return found.sort((one, other) => one.start - other.start);
}

/** What looks like a secret in arguments: as `secretsIn`, and what comes after an option for a secret. */
export function secretsInArgs(args: readonly string[]): OpenSecret[][] {
  return args.map((text, index) => {
    const [, option = ''] = /^--?([\w.-]+)$/.exec(args[index - 1] ?? '') ?? [];
    const isValue = isSecretName(option) && text !== '' && !text.startsWith('-') && !/\$\{|\{env:/.test(text);
    return isValue ? [{ name: option, start: 0, end: text.length }] : secretsIn(text);
  });
}
