import assert from 'node:assert/strict';

/** Values of context keys. */
export type Context = Record<string, unknown>;

/** Evaluates a when clause. Supports only what ours contain: `&&`, `||`, `!`, parentheses, `==`, `!=`, `=~`, `in`, `not in`, and bare keys. */
export function holds(condition: string, context: Context): boolean {
  let rest = condition.trim();
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const match = pattern.exec(rest);
    if (!match) return undefined;
    rest = rest.slice(match[0].length).trimStart();
    return match;
  };
  const all = (): boolean => {
    let value = one();
    while (take(/^&&/)) value = one() && value;
    return value;
  };
  const any = (): boolean => {
    let value = all();
    while (take(/^\|\|/)) value = all() || value;
    return value;
  };
  const one = (): boolean => {
    if (take(/^!/)) return !one();
    if (take(/^\(/)) {
      const value = any();
      assert.ok(take(/^\)/), condition);
      return value;
    }
    const key = take(/^[\w.]+/)?.[0];
    assert.ok(key, `“${rest}” in “${condition}”`);
    const text = typeof context[key] === 'string' ? context[key] : '';
    const equal = take(/^([!=])= ([\w.-]+)/);
    if (equal) return (text === equal[2]) === (equal[1] === '=');
    const matches = take(/^=~ \/((?:[^/\\]|\\.)+)\//);
    if (matches) return new RegExp(matches[1] ?? '').test(text);
    const within = take(/^(not )?in ([\w.]+)/);
    if (within) {
      const list = context[within[2] ?? ''];
      return (Array.isArray(list) && list.includes(context[key])) === (within[1] === undefined);
    }
    return Boolean(context[key]);
  };
  const value = any();
  assert.equal(rest, '', condition);
  return value;
}
