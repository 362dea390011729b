/** Whether two contents are the same bytes, or both absent. */
export function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a && b ? Buffer.compare(a, b) === 0 : a === b;
}
