import { createServer, type AddressInfo } from 'node:net';

/** A program to start, with the variables that it needs besides those of every server. */
export interface Program {
  readonly command: string;
  readonly args: string[];
  readonly env: NodeJS.ProcessEnv;
  /** The route that answers once everything has started; `/alive`, if undefined. */
  readonly lastReady?: string;
  /** How long it may take to end by itself; at once, if undefined. */
  readonly graceMs?: number;
}

/** Different ports that are currently free. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
