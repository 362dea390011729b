import type { ErrorReason } from '../api/http/errors';
import { classifyFailure } from '../api/http/networkFailure';
import type { Proxy } from '../api/http/proxy';

/**
 * Failures after which certificates are read again, as one may have been renewed. A server may just hang up when it
 * refuses that of the client.
 */
const maybeOfCertificates = new Set<ErrorReason>(['tls', 'reset']);

/**
 * A fetch that makes one per proxy when first needed, as the service and a sandbox may need different ones, and keeps
 * them: each has read its certificates from files.
 */
export function fetchByProxy(
  proxyFor: (target: URL) => Proxy | undefined,
  make: (proxy: Proxy | undefined) => Promise<typeof fetch>,
): typeof fetch {
  const made = new Map<string, Promise<typeof fetch>>();
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const proxy = proxyFor(url);
    const way = proxy?.url ?? '';
    const current = made.get(way) ?? make(proxy);
    made.set(way, current);
    let own: typeof fetch | undefined;
    try {
      own = await current;
      return await own(input, init);
    } catch (error) {
      const isUnfit = !own || maybeOfCertificates.has(classifyFailure(error, 'headers', url).reason);
      if (isUnfit && made.get(way) === current) made.delete(way);
      throw error;
    }
  };
}
