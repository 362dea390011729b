import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { NetworkOptions } from '../shared/connection';

/**
 * A fetch with a dispatcher of its own, for a connection with network options. The dispatcher that all extensions share
 * is left alone: the built-in fetch runs once before undici is read, because undici would otherwise install its own.
 */
export async function createFetch(network: NetworkOptions): Promise<typeof fetch> {
  await globalThis.fetch('data:,');
  const [undici, ca, cert, key] = await Promise.all([
    import('undici'),
    readPem(network.caFile),
    readPem(network.certFile),
    readPem(network.keyFile),
  ]);
  const tls = {
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  const dispatcher =
    network.proxy === undefined
      ? new undici.Agent({ connect: tls })
      : new undici.EnvHttpProxyAgent({
          httpProxy: network.proxy,
          httpsProxy: network.proxy,
          noProxy: network.noProxy ?? '',
          connect: tls,
          requestTls: tls,
        });
  const own = undici.fetch as unknown as (input: unknown, init: unknown) => Promise<Response>;
  return (input, init) => own(input, { ...init, dispatcher });
}

async function readPem(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : readFile(path, 'utf8');
}
