import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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

/**
 * Systems take the ports of outgoing connections, and those that a program leaves to them, from above these. A server
 * may need half a minute to listen, or be started again later: by then, nothing else should have its port. `fetch` and
 * browsers refuse none of these.
 */
const [firstPort, lastPort] = [11_000, 32_000];

/** Different ports that are currently free. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(firstPort, lastPort);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
