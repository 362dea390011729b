import { plainText } from '../../../shared/plainText';
import { isMap, type Value } from './json';
import type { Place, Placeholder } from './types';

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
  place: Place;
  text: string;
}

const token = /\$\{([^{}]+)\}/g;

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

/** What the inside of `${…}` refers to; undefined if it can't be answered. */
function readReference(inside: string): Reference | undefined {
  const prefixed = /^(input|env):(.+)$/s.exec(inside);
  if (prefixed?.[2] !== undefined) {
    const kind = prefixed[1] === 'input' ? 'input' : 'env';
    return { kind, key: `${kind}:${prefixed[2]}`, name: prefixed[2], fallback: undefined };
  }
  const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside) ?? [];
  if (name === undefined || editorVariables.has(name)) return undefined;
  return { kind: 'env', key: `env:${name}`, name, fallback };
}

/** True if the text contains a placeholder that needs an answer. */
export function hasPlaceholder(text: string): boolean {
  return [...text.matchAll(token)].some(([, inside]) => readReference(inside ?? '') !== undefined);
}

/** The placeholders in the texts, other `${…}` that can't be answered, and the defaults by key. */
export function findPlaceholders(
  texts: readonly PlacedText[],
  inputs: ReadonlyMap<string, InputDefinition>,
): {
  placeholders: Placeholder[];
  defaults: Map<string, string>;
  others: PlacedText[];
} {
  const found = new Map<string, Placeholder>();
  const defaults = new Map<string, string>();
  const others: PlacedText[] = [];
  for (const { place, text } of texts) {
    for (const [whole, inside = ''] of text.matchAll(token)) {
      const reference = readReference(inside);
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
        password: input?.password === true,
        hasDefault: false,
        default: null,
        options: input?.options ?? null,
      };
      found.set(key, placeholder);
      placeholder.places.push(place);
      if (isSecret(place)) placeholder.password = true;
      const fallback = input?.default ?? reference.fallback;
      if (fallback !== undefined && !defaults.has(key)) defaults.set(key, fallback);
    }
    if (text.replace(token, '').includes('${')) others.push({ place, text: '${' });
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

function isSecret(place: Place): boolean {
  return place.at === 'apiKey' || place.at === 'env';
}

/**
 * Replaces placeholders with values, in one pass: placeholders within values aren't replaced.
 * @param answerOf the answer by the placeholder's key; without one, its own default applies, then the key's
 * @returns `missing`: the placeholders without a value
 */
export function substitute(
  text: string,
  answerOf: (key: string) => string | undefined,
  defaults: ReadonlyMap<string, string>,
): { text: string; missing: string[] } {
  const missing: string[] = [];
  const filled = text.replace(token, (whole, inside: string) => {
    const reference = readReference(inside);
    if (reference === undefined) return whole;
    const value = answerOf(reference.key) ?? reference.fallback ?? defaults.get(reference.key);
    if (value === undefined) missing.push(whole);
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
