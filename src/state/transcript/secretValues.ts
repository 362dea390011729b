import type { Json } from '../../shared/json';

/** Members of an MCP server’s object below which every text is a secret. */
const secretMembers = /^(?:env|headers|auth|api_?key|token|secret|password)$/i;

/** All texts that are secrets in objects of MCP servers; of `Bearer x`, the `x` as well. */
export function secretValues(value: Json, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value, ...value.split(/\s+/).slice(1)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretValues(member, isSecret || secretMembers.test(name)),
  );
}
