import * as vscode from 'vscode';
import { proxyFor, type Proxy } from '../api/proxy';
import type { NetworkOptions } from '../shared/connection';

/** How requests of one connection go out. */
export interface Network {
  fetch: typeof fetch;
  /** The proxy that is named for an address, as far as settings and environment tell. */
  proxyFor: (target: URL) => Proxy | undefined;
}

/**
 * The network of a connection. Usually the host's own fetch, which follows the editor's proxy and certificate settings;
 * for a connection with network options of its own, undici's, read from a chunk of its own when first used.
 */
export function networkOf(options: NetworkOptions = {}): Network {
  const named = (target: URL) => proxyFor(target, { ...editorsProxy(), connection: options });
  if (Object.values(options).every((value) => value === undefined)) {
    return { fetch: (input, init) => globalThis.fetch(input, init), proxyFor: named };
  }
  let made: Promise<typeof fetch> | undefined;
  return {
    proxyFor: named,
    fetch: async (input, init) => {
      const proxy = named(new URL(input instanceof Request ? input.url : input));
      made ??= import('./networkFetch').then(({ createFetch }) => createFetch(options, proxy));
      const present = made;
      try {
        return await (
          await present
        )(input, init);
      } catch (error) {
        // The next try reads files and settings again: a certificate may have been renewed meanwhile.
        if (made === present) made = undefined;
        throw error;
      }
    },
  };
}

/** The user's own settings: what a workspace or folder sets must never decide where a key goes. */
function editorsProxy() {
  const http = vscode.workspace.getConfiguration('http');
  const own = (name: string): unknown => {
    const inspected = http.inspect(name);
    return inspected?.globalValue ?? inspected?.defaultValue;
  };
  const [support, proxy, noProxy] = [own('proxySupport'), own('proxy'), own('noProxy')];
  return {
    editor:
      support === 'off'
        ? undefined
        : {
            proxy: typeof proxy === 'string' ? proxy : undefined,
            noProxy: Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [],
          },
    environment: process.env,
  };
}
