/** Turns any text into a short name the service accepts for stdio servers: letters, digits, hyphens, underscores. */
export function plainName(text: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .slice(0, 64)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'server' : name;
}
