import * as l10n from '@vscode/l10n';
import { plainText } from '../../../../shared/plainText';
import { isMap, type Value } from './json';
import { startsWithPlaceholder } from './placeholders';

/** The part of a server's headers that the service supports. */
export interface ReadHeaders {
  /** Placeholders included. */
  apiKey: string | null;
  /** True if the value starts with a placeholder, which may turn out to contain the scheme. */
  isWholeHeader: boolean;
  cannotCarry: string[];
}

/** Extracts the bearer token from the headers and names all other headers. */
export function readHeaders(headers: Value = new Map()): ReadHeaders {
  const result: ReadHeaders = { apiKey: null, isWholeHeader: false, cannotCarry: [] };
  if (!isMap(headers)) {
    result.cannotCarry.push(l10n.t('“headers” (not an object)'));
    return result;
  }
  for (const [name, value] of headers) {
    const isAuthorization = name.trim().toLowerCase() === 'authorization';
    const text = isAuthorization && typeof value === 'string' ? value.trim() : '';
    const isWhole = startsWithPlaceholder(text);
    const key = isWhole ? text : bearerToken(text);
    if (key !== undefined && result.apiKey === null) {
      result.apiKey = key;
      result.isWholeHeader = isWhole;
    } else if (isAuthorization)
      result.cannotCarry.push(l10n.t('header “Authorization” (only one bearer token is supported)'));
    else result.cannotCarry.push(l10n.t('header “{0}”', plainText(name, 80)));
  }
  return result;
}

/** The token of an Authorization header; undefined for other schemes. */
function bearerToken(header: string): string | undefined {
  const token = /^bearer\s/i.test(header) ? header.slice('bearer'.length).trim() : '';
  return token === '' ? undefined : token;
}

/** The token of a filled whole header; without a scheme, the header is the token. */
export function tokenOf(filled: string): string | undefined {
  const header = filled.trim();
  return /^[A-Za-z][A-Za-z0-9-]*\s/.test(header) ? bearerToken(header) : header;
}
