/**
 * What an id in a path must not contain. Encoding is no help: the URL parser reads `%2e%2e` as
 * `..`, and servers may decode `%2F` before they route. Lone surrogates cannot be encoded at all.
 */
const forbidden = /[/\\?#%\p{Cc}\p{Cs}]/u;

/** The id as one segment of a path, or undefined if it can’t safely be one. */
export function pathSegment(id: string): string | undefined {
  if (id === '' || id === '.' || id === '..' || id.length > 512 || forbidden.test(id)) return undefined;
  return encodeURIComponent(id);
}

/**
 * The path of a file as one segment of a route; undefined for one that isn’t absolute or can’t be encoded. Its slashes
 * are encoded, so that no server on the way resolves a “..” in it.
 */
export function fileSegment(path: string): string | undefined {
  return isFilePath(path) ? encodeURIComponent(path) : undefined;
}

/** Whether a text can be the path of a file in a sandbox: absolute, without NUL and lone surrogates. */
export function isFilePath(path: string): boolean {
  return path.startsWith('/') && path.length <= 4_096 && !/[\0\p{Cs}]/u.test(path);
}

/**
 * An id to compare by: services write the same UUID with hyphens in one place and without them in another. In any other
 * id, hyphens distinguish it from others.
 */
export function bareId(id: string): string {
  return isUuid(id) ? id.replaceAll('-', '').toLowerCase() : id;
}

/** Whether an id is a UUID, which no other service gives to something else. */
export function isUuid(id: string): boolean {
  return /^[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}$/i.test(id);
}
