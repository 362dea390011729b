import { plainText } from '../../../../shared/plainText';
import { isMap, namedValues, type Value } from './json';
import { isSecretName, secretsIn } from './openSecrets';
import type { PlaceholderPlace, Placeholder } from './types';
import * as l10n from '@vscode/l10n';

/** The definition of one id in a file's `inputs`. */
export interface InputDefinition {
  description: string | null;
  password: boolean;
  default: string | null;
  options: string[] | null;
  /** An editor command that would provide the value. */
  command: string | null;
}

/** A text of a server and its place. */
export interface PlacedText {
  place: PlaceholderPlace;
  text: string;
}

/** In any text: `${…}` and `{env:…}`. */
const inText = /\$\{([^{}]+)\}|\{(env:[^{}]+)\}/g;

/** What manuals write in place of a value that they name, also in the languages of this extension, and tools for a variable. */
const named = String.raw`<[A-Za-z\u0080-\uffff][^<>]{0,80}>|\[(?:your [\w -]{2,80}|[A-Z]\w{2,40})\]|\{[A-Z]\w{2,40}\}|your[-_ ][\w -]{2,80}|(?:你的|您的|あなたの|(?:dein|ihr)e?[-_ ])[\p{L}\w -]{2,80}|(?:paste|insert|enter|add|put)[-_ ][\w -]{0,60}(?:key|token|secret)|\w[\w-]{1,60}[-_]here|COPILOT_MCP_\w+`;

/** What refers to a password manager, and what manuals write in place of a value without a name: `sk-...`, `CHANGEME`. */
const nameless = String.raw`op://\S+|(?:[a-z]{1,9}[-_])*(?:x{4,}|\*{3,}|\.{3}|…|changeme|replace[-_ ]me)`;

/**
 * In secrets, also what shells, templates and manuals write in place of a value: `$NAME`, `%NAME%`, `$(…)`, `{{NAME}}`,
 * `<your key>`. Stored, it would pass for the secret.
 */
const inSecret = new RegExp(
  [
    String.raw`\$?\{\{([^{}]+)\}\}`,
    String.raw`\$\{([^{}]+)\}`,
    String.raw`\{((?:env|file|command):[^{}]+)\}`,
    String.raw`(\$\([^()]*\))`,
    String.raw`(?<![A-Za-z0-9$])\$((?:env:)?[A-Za-z_]\w*)`,
    String.raw`%(?![0-9A-Fa-f]{2}%)([A-Za-z_]\w*)%`,
    String.raw`(?<=^\s{0,4}(?:(?:bearer|basic|token)\s)?)(${named}|os\.environ/\w+|${nameless})(?=\s{0,4}$)`,
  ].join('|'),
  'giu',
);

const patternFor = (place: PlaceholderPlace) => (isSecret(place) ? inSecret : inText);

const isNameless = new RegExp(`^(?:${nameless})$`, 'iu');
const isNamed = new RegExp(`^(?:${named})$`, 'iu');

/** What is within a placeholder. */
const insideOf = (match: readonly unknown[]) =>
  match
    .slice(1)
    .find((group): group is string => typeof group === 'string')
    ?.trim() ?? '';

/** True if a secret begins with a placeholder. */
function startsWithPlaceholder(secret: string): boolean {
  return secret.search(inSecret) === 0;
}

/** Names that editors replace with values from this computer. */
const editorVariables = new Set([
  'workspaceFolder',
  'workspaceRoot',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
  'cwd',
  'execPath',
  'file',
  'fileWorkspaceFolder',
  'fileWorkspaceFolderBasename',
  'relativeFile',
  'relativeFileDirname',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileDirname',
  'fileDirnameBasename',
  'fileExtname',
  'lineNumber',
  'columnNumber',
  'selectedText',
  'defaultBuildTask',
  '__dirname',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_PLUGIN_ROOT',
]);

interface Reference {
  kind: 'input' | 'env';
  key: string;
  name: string;
  fallback: string | undefined;
}

/** What the inside of a placeholder refers to; undefined if it can't be answered. */
function readReference(inside: string): Reference | undefined {
  const [, id] = /^inputs?[:.](.+)$/s.exec(inside) ?? [];
  if (id !== undefined) return { kind: 'input', key: `input:${id}`, name: id, fallback: undefined };
  if (isNameless.test(inside)) return undefined;
  const variable = (name: string, fallback?: string) =>
    ({ kind: 'env', key: `env:${name}`, name, fallback }) as const;
  const [, prefix, rest = ''] =
    /^(env:|process\.env\.|os\.environ\/|(?:localEnv|containerEnv|secrets?|vars)[:.])(.+)$/s.exec(inside) ??
    [];
  if (prefix !== undefined) {
    // Development containers write a default after a colon, others as shells do.
    const [, name = rest, other] = /^([A-Za-z_]\w*):[-=]?(.*)$/s.exec(rest) ?? [];
    return variable(name, other);
  }
  if (isNamed.test(inside)) return variable(inside);
  const [, name, fallback] = /^([A-Za-z_]\w*)(?::[-=](.*)|:\?.*)?$/s.exec(inside) ?? [];
  return name === undefined || editorVariables.has(name) ? undefined : variable(name, fallback);
}

/** True if the text contains a placeholder that needs an answer. */
export function hasPlaceholder(text: string): boolean {
  return [...text.matchAll(inText)].some((match) => readReference(insideOf(match)) !== undefined);
}

/**
 * True for `${NAME}` in arguments, with a default or without, if the server's own environment sets it: such a server
 * replaces it by itself.
 */
function isOwn(whole: string, place: PlaceholderPlace, own: ReadonlyMap<string, string>): boolean {
  const [, name = ''] = /^\$\{(\w+)(?::?[-=?+].*)?\}$/s.exec(whole) ?? [];
  return place.at === 'args' && own.has(name);
}

/**
 * The placeholders in the texts, others that can't be answered, and the defaults by key.
 * @param own the variables that the server sets itself
 */
export function findPlaceholders(
  texts: readonly PlacedText[],
  inputs: ReadonlyMap<string, InputDefinition>,
  own: ReadonlyMap<string, string>,
): {
  placeholders: Placeholder[];
  defaults: Map<string, string>;
  others: PlacedText[];
} {
  const found = new Map<string, Placeholder>();
  const defaults = new Map<string, string>();
  const others: PlacedText[] = [];
  for (const { place, text } of texts) {
    const pattern = patternFor(place);
    for (const match of text.matchAll(pattern)) {
      const [whole] = match;
      if (isOwn(whole, place, own)) continue;
      const reference = readReference(insideOf(match));
      if (reference === undefined) {
        others.push({ place, text: whole });
        continue;
      }
      const { key, kind, name } = reference;
      const input = kind === 'input' ? inputs.get(name) : undefined;
      const placeholder = found.get(key) ?? {
        key,
        kind,
        name,
        places: [],
        description: input?.description ?? null,
        password: input?.password === true || isSecretName(name) || own.has(name),
        hasDefault: false,
        default: null,
        options: input?.options ?? null,
      };
      found.set(key, placeholder);
      placeholder.places.push(place);
      if (isSecret(place)) placeholder.password = true;
      // What stands for a value, such as “<your key>” or `${HOME}/data`, is no default.
      const given = input?.default ?? undefined;
      const fallback = given === undefined || given.search(inSecret) >= 0 ? reference.fallback : given;
      if (fallback !== undefined && !defaults.has(key)) defaults.set(key, fallback);
      if (secretsIn(fallback ?? '').length > 0) placeholder.password = true;
    }
    const left = text.replace(pattern, '');
    if (left.includes('${')) others.push({ place, text: '${' });
    // Some tools replace them anywhere, but addresses have escapes like them.
    else if (place.at === 'args' || place.at === 'command')
      for (const match of left.matchAll(inSecret))
        if (!own.has(insideOf(match))) others.push({ place, text: match[0] });
  }
  const placeholders = [...found.values()].map((placeholder): Placeholder => {
    const value = defaults.get(placeholder.key);
    return {
      ...placeholder,
      hasDefault: value !== undefined,
      default: placeholder.password ? null : (value ?? null),
    };
  });
  return { placeholders, defaults, others };
}

function isSecret(place: PlaceholderPlace): boolean {
  return place.at === 'apiKey' || place.at === 'env';
}

/**
 * Replaces placeholders with values, in one pass: placeholders within values aren't replaced.
 * @param answerOf the answer by the placeholder's key; without one, its own default applies, then the key's
 * @param own the variables that the server sets itself
 * @returns `missing`: the placeholders without a value; in a secret, also those that can't be answered
 */
export function substitute(
  { text, place }: PlacedText,
  answerOf: (key: string) => string | undefined,
  defaults: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string>,
): { text: string; missing: string[] } {
  const pattern = patternFor(place);
  const missing = isSecret(place) && text.replace(pattern, '').includes('${') ? ['${'] : [];
  const filled = text.replace(pattern, (...match: [string, ...unknown[]]) => {
    const [whole, ...rest] = match;
    if (isOwn(whole, place, own)) return whole;
    // After the groups come the offset and the whole text.
    const reference = readReference(insideOf([whole, ...rest.slice(0, -2)]));
    const value = reference && (answerOf(reference.key) ?? reference.fallback ?? defaults.get(reference.key));
    if (value === undefined && (reference !== undefined || isSecret(place))) missing.push(whole);
    return value ?? whole;
  });
  return { text: filled, missing };
}

/** Reads the `inputs` of a VS Code file, without invalid entries. */
export function readInputs(list: Value): Map<string, InputDefinition> {
  const result = new Map<string, InputDefinition>();
  for (const input of Array.isArray(list) ? list : []) {
    if (!isMap(input)) continue;
    const text = (name: string) => {
      const value = input.get(name);
      return typeof value === 'string' ? value : null;
    };
    const id = text('id');
    if (id === null) continue;
    const description = text('description');
    const options = input.get('options');
    const choices = (Array.isArray(options) ? options : []).flatMap((option) => {
      const choice = isMap(option) ? option.get('value') : option;
      return typeof choice === 'string' ? [choice] : [];
    });
    result.set(id, {
      description: description === null ? null : plainText(description, 300),
      password: input.get('password') === true,
      default: text('default'),
      options: choices.length > 0 ? choices : null,
      command: text('type') === 'command' ? (text('command') ?? '') : null,
    });
  }
  return result;
}

/** The part of a server's headers that the service supports. */
interface ReadHeaders {
  /** Placeholders included. */
  apiKey: string | null;
  /** True if the value starts with a placeholder, which may turn out to contain the scheme. */
  isWholeHeader: boolean;
  cannotCarry: string[];
}

/** Extracts the bearer token from the headers and names all other headers. */
export function readHeaders(headers: Value = new Map()): ReadHeaders {
  const result: ReadHeaders = { apiKey: null, isWholeHeader: false, cannotCarry: [] };
  const named = namedValues(headers, ':');
  if (named === undefined) {
    result.cannotCarry.push(l10n.t('“{0}”', 'headers'));
    return result;
  }
  for (const [name, value] of named) {
    const isAuthorization = name.trim().toLowerCase() === 'authorization';
    const text = isAuthorization && typeof value === 'string' ? value.trim() : '';
    const isWhole = startsWithPlaceholder(text);
    const key = isWhole ? text : bearerToken(text);
    if (key !== undefined && result.apiKey === null) {
      result.apiKey = key;
      result.isWholeHeader = isWhole;
    } else if (isAuthorization)
      result.cannotCarry.push(l10n.t('header “Authorization” (only one bearer token is supported)'));
    else result.cannotCarry.push(l10n.t('header “{0}”', plainText(name, 80)));
  }
  return result;
}

/** The token of an Authorization header; undefined for other schemes. */
function bearerToken(header: string): string | undefined {
  const token = /^bearer\s/i.test(header) ? header.slice('bearer'.length).trim() : '';
  return token === '' ? undefined : token;
}

/** The token of a filled whole header; without a scheme, the header is the token. */
export function tokenOf(filled: string): string | undefined {
  const header = filled.trim();
  return /^[A-Za-z][A-Za-z0-9-]*\s/.test(header) ? bearerToken(header) : header;
}
