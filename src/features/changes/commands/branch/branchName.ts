/** Characters of the last part. */
const longest = 40;

/** A name for a branch with the changes of a conversation, from its title. */
export function branchNameFor(title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  let name = '';
  for (const word of words) {
    const longer = name === '' ? Array.from(word).slice(0, longest).join('') : `${name}-${word}`;
    if (longer.length > longest) break;
    name = longer;
  }
  return `agent/${name || 'changes'}`;
}
