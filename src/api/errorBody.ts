import { plainText } from '../shared/plainText';
import { parseJson } from './body';
import { type Issue, validationErrorSchema } from './schemas/validationError';

/** What an error's body tells. */
export interface ErrorBody {
  /** The server's own words as plain text. */
  serverText?: string;
  issues?: Issue[];
}

const longest = 200;
/** Characters of a server's text that are looked at: far more than are shown. */
const readable = 4_000;

/**
 * Reads the body of an error answer: `{"detail": [...]}` (specification: "Validation error body"), and what is seen
 * besides: `{"detail": "text"}`, `{"error": "text"}`, `{"message": "text"}`, a bare JSON string, plain text. A web page
 * has no words for people in it. What `conceal` gives in place of a text is what goes on.
 */
export function readErrorBody(text: string, isHtml: boolean, conceal: (text: string) => string): ErrorBody {
  if (isHtml) return {};
  const json = parseJson(text);
  const value = json.ok ? json.value : text;
  const validation = validationErrorSchema.safeParse(value);
  if (validation.success && validation.data.detail.length > 0) {
    const issues = validation.data.detail.map((issue) => ({ ...issue, msg: words(issue.msg, conceal) }));
    return { issues, serverText: plainText(issues.map(({ msg }) => msg).join('; '), longest) };
  }
  const serverText = words(ownWords(value) ?? text, conceal);
  return serverText === '' ? {} : { serverText };
}

function words(text: string, conceal: (text: string) => string): string {
  return plainText(conceal(text), longest);
}

function ownWords(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { detail, error, message } = value as Record<'detail' | 'error' | 'message', unknown>;
  return [detail, error, message].find((member) => typeof member === 'string');
}

const blot = '•••';

/** Of an address in a text only scheme, host and path are kept: user names and queries carry secrets. */
const addressParts =
  /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'<>@]{0,200}:[^\s"'<>]{0,200}@|[^\s/?#"'<>@]{0,200}@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/gi;

/** What stands behind the name of a header or member that carries a secret, whatever its case and quotes. */
const namedSecrets =
  /((?:x-[\w-]{0,40}(?:key|token)|authorization|(?:set-)?cookie|[\w-]{0,40}(?:api[_-]?key|token|secret|password))["']?\s*[:=]\s*)(?:(?:bearer|basic|token)\s+)?("[^"]*"?|'[^']*'?|[^\s,;"'}]+)/gi;

const bearers = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;

/**
 * Blots out what a server must not have repeated: each of `secrets` as it is and as it stands in addresses and JSON,
 * what is named like a secret, and the queries of addresses. Very short secrets would blot out ordinary words, and are
 * none.
 */
export function concealing(secrets: string[]): (text: string) => string {
  const worthwhile = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  const forms = [...new Set(worthwhile)].sort((a, b) => b.length - a.length);
  return (text) =>
    forms
      .reduce((rest, secret) => rest.replaceAll(secret, blot), text.slice(0, readable))
      .replace(addressParts, '$1$2')
      .replace(namedSecrets, `$1${blot}`)
      .replace(bearers, `$1 ${blot}`);
}
