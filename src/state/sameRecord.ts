/** Whether two values made of JSON hold the same. Quick on records of one service, whose members agree in order. */
export function sameRecord(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(
      ([name, value]) =>
        Object.hasOwn(other, name) && sameRecord(value, (other as Record<string, unknown>)[name]),
    )
  );
}
