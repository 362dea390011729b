/**
 * What an id must not hold when it becomes a part of a path. Encoding is no help: the URL parser reads `%2e%2e` as
 * `..`, and servers may decode `%2F` before they route. Lone surrogates cannot be encoded at all.
 */
const forbidden = /[/\\?#%\p{Cc}\p{Cs}]/u;

/** The id as one segment of a path, or undefined when it cannot safely be one. */
export function pathSegment(id: string): string | undefined {
  if (id === '' || id === '.' || id === '..' || id.length > 512 || forbidden.test(id)) return undefined;
  return encodeURIComponent(id);
}

/** An id to compare by: services write the same UUID with hyphens in one place and without them in another. */
export function bareId(id: string): string {
  return id.replaceAll('-', '').toLowerCase();
}
