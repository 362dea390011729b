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

/** Blots out each of `secrets` that a server echoes. Very short ones would blot out ordinary words, and are none. */
export function concealing(secrets: string[]): (text: string) => string {
  const worthwhile = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  return (text) => worthwhile.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text);
}
