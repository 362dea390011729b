import type { NetworkOptions } from '../shared/connection';

/**
 * The fetch for a connection. Usually the host's own, which follows the editor's proxy and certificate settings; for a
 * connection with network options of its own, undici's, read from a chunk of its own when first used.
 */
export function fetchFor(network: NetworkOptions | undefined): typeof fetch {
  if (!network || Object.values(network).every((value) => value === undefined)) {
    return (input, init) => globalThis.fetch(input, init);
  }
  let own: Promise<typeof fetch> | undefined;
  return async (input, init) => {
    own ??= import('./networkFetch').then(({ createFetch }) => createFetch(network));
    own.catch(() => (own = undefined));
    return (await own)(input, init);
  };
}
