/** The Latin letter of a key; by its place on keyboards that have other letters there, as the editor does. */
export function letterOf({ key, code }: KeyboardEvent): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase();
}
