import { isJsonObject } from '../../shared/json';
import { plainText, visibleText } from '../../shared/plainText';
import { withoutNamedSecrets } from '../../shared/namedSecrets';
import { secretSearch } from '../../shared/secretSearch';
import { parseJson } from './body';
import type { ErrorFacts } from './errors';
import { validationErrorSchema } from './validationError';

const longest = 200;

/**
 * Reads the body of an error answer: `{"detail": [...]}` (docs/protocol/service.md, “Validation error body”), and what
 * services send besides: `{"detail": "text"}`, `{"error": "text"}`, `{"message": "text"}`, `{"exception": "text"}`, also with a number `limit` and
 * below `detail`, a bare JSON string, plain text. Web pages are ignored. Every text that is kept has been through `conceal`.
 */
export function readErrorBody(
  text: string,
  isHtml: boolean,
  conceal: (text: string) => string,
): Pick<ErrorFacts, 'serverText' | 'issues' | 'errorCode' | 'limit' | 'current'> {
  if (isHtml) return {};
  const json = parseJson(text);
  const value = json.ok ? json.value : text;
  const told = ownWords(value);
  const failed = told === undefined ? undefined : failedCheck(told);
  if (failed !== undefined) {
    const [place, msg] = failed.map((part) => words(part, conceal)) as [string, string];
    return {
      issues: [{ loc: ['body', ...place.split('.')], msg, type: '' }],
      serverText: `${place}: ${msg}`,
    };
  }
  const validation = validationErrorSchema.safeParse(value);
  if (validation.success && validation.data.detail.length > 0) {
    const issues = validation.data.detail.map(({ loc, msg, type }) => ({
      loc: loc.map((part) => (typeof part === 'string' ? words(part, conceal) : part)),
      msg: words(msg, conceal),
      type: words(type, conceal),
    }));
    return { issues, serverText: plainText(issues.map(({ msg }) => msg).join('; '), longest) };
  }
  const serverText = words(told ?? text, conceal);
  return { ...(serverText !== '' && { serverText }), ...facts(value, conceal) };
}

function words(text: string, conceal: (text: string) => string): string {
  return plainText(conceal(withoutInput(text)), longest);
}

/** Where a validation message starts to quote its input, which may be a whole record with secrets. */
const quotedInput = /(?:\[type=[\w.-]{1,60},\s*)?input_value\s*=|["']input["']\s*:/i;

/** A server’s text up to where it quotes an input, bounded, and without what looks like a secret. */
export const withoutQuotedInput = (text: string): string => words(text, concealing([]));

/** The text up to where it quotes an input. */
function withoutInput(text: string): string {
  return visibleText(text).split(quotedInput, 1)[0] ?? '';
}

/** Place and message of the first failed check in a text such as `1 validation error for X\na.b\n  Too short [type=…`. */
function failedCheck(text: string): [place: string, message: string] | undefined {
  const found = /^\d+ validation errors? for [^\n]*\n(\S+)\n\s([^\n]+)/.exec(withoutInput(text));
  return found === null ? undefined : [found[1] ?? '', found[2] ?? ''];
}

function ownWords(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { detail, error, message, exception } = value as Record<string, unknown>;
  // The only reason that an agent server gives for an unexpected error, such as git's output.
  if (typeof exception === 'string' && exception.trim() !== '') return exception;
  const told = [detail, error, message].filter((member) => typeof member === 'string');
  // A code such as `LIMIT_REACHED` says less than the sentence beside it.
  return (
    told.find((text) => /[^A-Z0-9_]/.test(text)) ??
    told[0] ??
    (isJsonObject(detail) ? ownWords(detail) : undefined)
  );
}

/** The highest number that counts as a limit on concurrent work. */
const highestLimit = 100_000;

/** What an answer, or its `detail`, says besides its message. */
function facts(
  value: unknown,
  conceal: (text: string) => string,
): Pick<ErrorFacts, 'errorCode' | 'limit' | 'current'> {
  if (!isJsonObject(value)) return {};
  const { error, limit, current, detail } = value;
  const hasCode = typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) && conceal(error) === error;
  return {
    ...facts(detail, conceal),
    ...(hasCode && { errorCode: error }),
    ...(isCount(limit) && { limit }),
    ...(isCount(current) && { current }),
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= highestLimit;

const blot = '•••';

/** Number of characters searched for text that looks like a secret; far more than are kept. */
const searched = 4_000;

/** Minimum length of a secret; shorter ones would blot out ordinary words. */
const shortest = 4;

/**
 * Makes a function that blots out what a server should never have repeated: each of `secrets`, in any form in which
 * `secretSearch` finds it; values named like a secret; and the queries of addresses. The text is searched whole before
 * it's cut, so that no cut hides a part.
 */
export function concealing(secrets: readonly string[]): (text: string) => string {
  const search = secretSearch(secrets, shortest);
  return (text) => withoutNamedSecrets(visibleText(search(text, blot).text).slice(0, searched), blot);
}
