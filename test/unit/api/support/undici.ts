import type * as Undici from 'undici';

/**
 * The npm package, loaded after the first use of the built-in fetch. Loaded earlier, it would replace the built-in
 * dispatcher for the whole process.
 */
async function load() {
  await (await fetch('data:,')).text();
  return import('undici');
}

const closing: (() => Promise<void>)[] = [];
after(() => Promise.all(closing.map((close) => close())));

/** A fetch that trusts an additional certificate authority. */
export async function trusting(ca: string): Promise<typeof fetch> {
  const { Agent, fetch: undiciFetch } = await load();
  const dispatcher = new Agent({ connect: { ca } });
  closing.push(() => dispatcher.close());
  return bound(undiciFetch, dispatcher);
}

/** A fetch that waits at most `ms` for a connection. */
export async function connectingWithin(ms: number): Promise<typeof fetch> {
  const { Agent, fetch: undiciFetch } = await load();
  const dispatcher = new Agent({ connect: { timeout: ms } });
  closing.push(() => dispatcher.destroy());
  return bound(undiciFetch, dispatcher);
}

/** A fetch that uses a proxy. */
export async function through(proxy: string): Promise<typeof fetch> {
  const { ProxyAgent, fetch: undiciFetch } = await load();
  const dispatcher = new ProxyAgent(proxy);
  closing.push(() => dispatcher.destroy());
  return bound(undiciFetch, dispatcher);
}

function bound(undiciFetch: typeof Undici.fetch, dispatcher: Undici.Dispatcher): typeof fetch {
  return ((input: string, init: object) =>
    undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch;
}
