/** The Latin letter of a key. On keyboards with other letters, goes by the key's position, as the editor does. */
export function letterOf({ key, code }: KeyboardEvent): string {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase();
}
