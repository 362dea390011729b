import type { Json } from '../../shared/json';
import { parseUrl } from '../../shared/url';

/** What names of values that are secrets contain. */
const secretName = String.raw`(?:token|secret|passw|pwd|credential|bearer|cookie|auth|(?:api|access|private|session|signing|master)[-_]?key)`;

/** Members of an MCP server’s object below which every text is a secret. */
const secretMembers = new RegExp(`^(?:env|headers|key|.*${secretName}.*)$`, 'i');

/** Arguments whose next one is a secret: `--token x`, `-k x`. */
const secretOption = new RegExp(`^-{1,2}(?:k|key|p|[\\w.-]*${secretName}[\\w.-]*)$`, 'i');

/** A value after its name, as in `--api-key=x`, `X-Api-Key: Bearer x`, `{"token": "x"}`. */
const named = new RegExp(
  String.raw`(?<![\w.-])-{0,2}[\w.-]*?${secretName}[\w.-]*["']?\s*[=:]\s*["']?(?:(?:bearer|basic|token)\s+)?([^\s"',;}&]+)`,
  'gi',
);

const addresses = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;

/** Parts of a path that a service made up, as those of webhooks. */
const madeUp = /^(?=.*\d)(?=.*[a-z])[\w.~-]{20,}$/i;

/**
 * All texts that are secrets in objects of MCP servers: below members named so, after options and names of such values,
 * and in addresses; of `Bearer x`, the `x` as well.
 */
export function secretValues(value: Json, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value, ...value.split(/\s+/).slice(1)] : secretsIn(value);
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => secretValues(item, isSecret || isOption(value[index - 1])));
  return Object.entries(value).flatMap(([name, member]) =>
    secretValues(member, isSecret || secretMembers.test(name)),
  );
}

const isOption = (value: Json | undefined) => typeof value === 'string' && secretOption.test(value);

function secretsIn(text: string): string[] {
  const values = Array.from(text.matchAll(named), ([, value = '']) => value);
  return [
    ...values,
    ...Array.from(text.matchAll(addresses), ([address]) => secretsOfAddress(address)).flat(),
  ];
}

/** User name or password, the values of the query, and made-up parts of the path. */
function secretsOfAddress(address: string): string[] {
  const url = parseUrl(address);
  if (url === undefined) return [];
  const { username, password, pathname, searchParams, hash } = url;
  const parts = [password || username, ...pathname.split('/').filter((part) => madeUp.test(part))];
  return [
    ...parts.map(unescaped),
    ...searchParams.values(),
    ...new URLSearchParams(hash.slice(1)).values(),
  ].filter((part) => part !== '');
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
