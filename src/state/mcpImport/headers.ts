import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import { isMap, type Value } from './json';

/** What of a server's headers the service can keep. */
export interface ReadHeaders {
  /** Placeholders included. */
  apiKey: string | null;
  /** True for a value that begins with a placeholder: whether its scheme is in it shows when it is filled. */
  isWholeHeader: boolean;
  cannotCarry: string[];
}

/** Takes the bearer token out of the headers; every other header is named. */
export function readHeaders(headers: Value | undefined): ReadHeaders {
  const result: ReadHeaders = { apiKey: null, isWholeHeader: false, cannotCarry: [] };
  if (!isMap(headers)) {
    if (headers !== undefined && headers !== null)
      result.cannotCarry.push(l10n.t('“headers”, which is not an object'));
    return result;
  }
  for (const [name, value] of headers) {
    const isAuthorization = name.trim().toLowerCase() === 'authorization';
    const text = isAuthorization && typeof value === 'string' ? value.trim() : '';
    const isWhole = text.startsWith('${');
    const key = isWhole ? text : bearerToken(text);
    if (key !== undefined && result.apiKey === null) {
      result.apiKey = key;
      result.isWholeHeader = isWhole;
    } else if (isAuthorization)
      result.cannotCarry.push(
        l10n.t('header “Authorization”, of which only one bearer token can be carried'),
      );
    else result.cannotCarry.push(l10n.t('header “{0}”', plainText(name, 80)));
  }
  return result;
}

/** The token of an Authorization header, undefined for another scheme. */
function bearerToken(header: string): string | undefined {
  const token = /^bearer\s/i.test(header) ? header.slice('bearer'.length).trim() : '';
  return token === '' ? undefined : token;
}

/** The token of a whole header that was filled; one without a scheme is the token itself. */
export function tokenOf(filled: string): string | undefined {
  const header = filled.trim();
  return /^[A-Za-z][A-Za-z0-9-]*\s/.test(header) ? bearerToken(header) : header;
}
