import { isAmbiguous, parseUrl } from '../../../shared/url';

/** `text` as an http or https URL; undefined for any other scheme, and for text that clients may read differently. */
export function webLink(text: string): URL | undefined {
  if (text.length > 2_000 || isAmbiguous(text)) return undefined;
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : undefined;
}
