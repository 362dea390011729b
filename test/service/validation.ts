import { isObject, issue, type Issue } from './http';

/** How strictly a service checks values: only the specification's types, or whatever its framework can convert. */
export interface ValueRules {
  /** Accept `"yes"` and 1 as true, `"2"` as 2, and 3.0 as 3. */
  lax: boolean;
}

/**
 * Reads one value. Adds problems to `issues`, and returns the value to store, which is meaningless if there are any.
 */
export type ReadValue = (value: unknown, loc: Issue['loc'], rules: ValueRules, issues: Issue[]) => unknown;

export const readString: ReadValue = (value, loc, _rules, issues) => {
  if (typeof value !== 'string')
    issues.push(issue(loc, 'Input should be a valid string', 'string_type', value));
  return value;
};

const truths = ['1', 'on', 't', 'true', 'y', 'yes'];
const lies = ['0', 'off', 'f', 'false', 'n', 'no'];

export const readBoolean: ReadValue = (value, loc, { lax }, issues) => {
  if (typeof value === 'boolean') return value;
  const isText = typeof value === 'string';
  if (lax && (isText || Number.isInteger(value))) {
    const text = String(value).toLowerCase();
    if (truths.includes(text)) return true;
    if (lies.includes(text)) return false;
    issues.push(
      issue(loc, 'Input should be a valid boolean, unable to interpret input', 'bool_parsing', value),
    );
  } else {
    issues.push(issue(loc, 'Input should be a valid boolean', 'bool_type', value));
  }
  return value;
};

export const readInteger: ReadValue = (value, loc, { lax }, issues) => {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value;
    const msg = 'Input should be a valid integer, got a number with a fractional part';
    issues.push(issue(loc, msg, 'int_from_float', value));
  } else if (lax && typeof value === 'boolean') {
    return Number(value);
  } else if (lax && typeof value === 'string') {
    // Digits, with only zeros after the point.
    if (/^[+-]?\d+(\.0*)?$/.test(value.trim())) return Number(value);
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    issues.push(issue(loc, msg, 'int_parsing', value));
  } else {
    issues.push(issue(loc, 'Input should be a valid integer', 'int_type', value));
  }
  return value;
};

export const readNumber: ReadValue = (value, loc, { lax }, issues) => {
  if (typeof value === 'number') return value;
  if (lax && typeof value === 'boolean') return Number(value);
  if (lax && typeof value === 'string') {
    if (value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
    const msg = 'Input should be a valid number, unable to parse string as a number';
    issues.push(issue(loc, msg, 'float_parsing', value));
  } else {
    issues.push(issue(loc, 'Input should be a valid number', 'float_type', value));
  }
  return value;
};

/** Reads a list of strings, adding problems to `issues`. */
export function readTexts(value: unknown, loc: Issue['loc'], issues: Issue[]): string[] {
  if (!Array.isArray(value)) {
    issues.push(issue(loc, 'Input should be a valid list', 'list_type', value));
    return [];
  }
  value.forEach((item: unknown, index) => readString(item, [...loc, index], { lax: false }, issues));
  return value as string[];
}

/** Reads a map of strings, adding problems to `issues`. */
export function readTextMap(value: unknown, loc: Issue['loc'], issues: Issue[]): Record<string, string> {
  if (!isObject(value)) {
    issues.push(issue(loc, 'Input should be a valid dictionary', 'dict_type', value));
    return {};
  }
  for (const [name, item] of Object.entries(value)) readString(item, [...loc, name], { lax: false }, issues);
  return value as Record<string, string>;
}

/** Checks that a value is one of `choices`, adding an issue if it isn't. */
export function readChoice(
  value: unknown,
  loc: Issue['loc'],
  choices: readonly string[],
  issues: Issue[],
  type: 'enum' | 'literal_error' = 'enum',
): void {
  if (choices.includes(value as string)) return;
  const expected = listed(choices);
  issues.push(issue(loc, `Input should be ${expected}`, type, value, { expected }));
}

/** `'a', 'b' or 'c'` */
function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `'${word}'`);
  const last = quoted.at(-1) ?? '';
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`;
}

/** A refusal by one of the service's own checks. pydantic puts "Value error" before its text. */
export const refused = (loc: Issue['loc'], words: string, value: unknown): Issue =>
  issue(loc, `Value error, ${words}`, 'value_error', value, { error: {} });
