import { isObject, issue, type Issue } from './http';

/** How strictly a service takes values: the specification's types and no other, or what its framework coerces. */
export interface ValueRules {
  /** Take `"yes"` and 1 for true, `"2"` for 2 and 3.0 for 3. */
  lax: boolean;
}

/** Reads one value, adds to `issues` what is wrong with it, and answers what is stored; void if something is. */
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
    // Digits, and at most zeros behind a point.
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

/** A list of texts, or what is wrong with it. */
export function readTexts(value: unknown, loc: Issue['loc'], issues: Issue[]): string[] {
  if (!Array.isArray(value)) {
    issues.push(issue(loc, 'Input should be a valid list', 'list_type', value));
    return [];
  }
  value.forEach((item: unknown, index) => readString(item, [...loc, index], { lax: false }, issues));
  return value as string[];
}

/** A map of texts, or what is wrong with it. */
export function readTextMap(value: unknown, loc: Issue['loc'], issues: Issue[]): Record<string, string> {
  if (!isObject(value)) {
    issues.push(issue(loc, 'Input should be a valid dictionary', 'dict_type', value));
    return {};
  }
  for (const [name, item] of Object.entries(value)) readString(item, [...loc, name], { lax: false }, issues);
  return value as Record<string, string>;
}

/** One of a few words. */
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

/** A check of the service's own: pydantic puts "Value error" before its words. */
export const refused = (loc: Issue['loc'], words: string, value: unknown): Issue =>
  issue(loc, `Value error, ${words}`, 'value_error', value, { error: {} });
