import * as vscode from 'vscode';
import type { OpenSocket } from '../api/agent/socket';
import { proxyFor, type Proxy } from '../api/http/proxy';
import type { NetworkOptions } from '../shared/connection';
import { fetchByProxy } from './fetchByProxy';
import { ownSetting } from './ownSetting';

/** How the requests of one connection are sent. */
export interface Network {
  /** Absent where requests are sent like the editor's own. */
  fetch?: typeof fetch;
  /** The proxy for an address, according to settings and environment. */
  proxyFor: (target: URL) => Proxy | undefined;
  /** Absent where sockets are opened like the editor's own. */
  openSocket?: OpenSocket;
}

/**
 * The network of a connection: usually the extension host's own fetch, which follows the editor's proxy and certificate
 * settings. A connection with its own network options uses undici’s, a file of its own that is read when first needed.
 */
export function networkOf(options: NetworkOptions = {}): Network {
  const named = (target: URL) => proxyFor(target, { ...editorsProxy(), connection: options });
  if (!usesOwn(options)) return { proxyFor: named };
  return {
    proxyFor: named,
    openSocket: async (url, headers) => {
      const { createOpenSocket } = await import('./networkFetch');
      const open = await createOpenSocket(options, named(new URL(url.replace(/^ws/, 'http'))));
      return open(url, headers);
    },
    fetch: fetchByProxy(named, async (proxy) => {
      const { createFetch } = await import('./networkFetch');
      return createFetch(options, proxy);
    }),
  };
}

/** Whether a connection has network options of its own. */
function usesOwn(options: NetworkOptions = {}): boolean {
  return Object.values(options).some((value) => value !== undefined);
}

let fetchLoads = false;

/**
 * Node loads its fetch at the first call, which takes as long as loading the extension. Call this right after asking
 * the editor for the key, so that both happen at once. Sends nothing.
 */
export function loadFetch(options: NetworkOptions | undefined): void {
  if (fetchLoads || usesOwn(options)) return;
  fetchLoads = true;
  // In the next turn, so that requests to the editor go out first.
  setTimeout(() => void globalThis.fetch('data:,').catch(() => undefined));
}

/** What the user's own settings and the environment say about proxies. */
function editorsProxy() {
  const http = vscode.workspace.getConfiguration('http');
  const own = (name: string) => ownSetting(http, name);
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
