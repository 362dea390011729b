/**
 * True for equal data at any depth, whatever the order of members. For plain objects, arrays, and JSON's other values.
 */
export function same(one: unknown, other: unknown): boolean {
  // NaN isn't equal to itself.
  if (one === other || Object.is(one, other)) return true;
  if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
