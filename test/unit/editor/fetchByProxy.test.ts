import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fetchByProxy } from '../../../src/editor/fetchByProxy';
import { createFetch } from '../../../src/editor/networkFetch';
import type { NetworkOptions } from '../../../src/shared/connection';
import { createAuthority } from '../api/support/certificates';
import { closeServers, deadOrigin, json, serve, serveTls } from '../api/support/servers';

const page = (_request: IncomingMessage, response: ServerResponse) => json(response, {});

describe('fetches of a connection with its own options', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fetch-by-proxy-'));
  const file = (name: string, text: string) => {
    const full = path.join(folder, name);
    writeFileSync(full, text);
    return full;
  };
  after(() => rmSync(folder, { recursive: true }));
  afterEach(closeServers);

  /** A fetch, and for which proxies it has made its own. */
  const counted = (options: NetworkOptions, proxyOf = (_target: URL) => '') => {
    const made: string[] = [];
    const fetch = fetchByProxy(
      (target) => {
        const url = proxyOf(target);
        return url === '' ? undefined : { url, address: new URL(url).host, source: 'connection' };
      },
      (proxy) => {
        made.push(proxy?.url ?? '');
        return createFetch(options, proxy);
      },
    );
    return { fetch, made };
  };

  it('are kept when a request is canceled, or nothing answers', async () => {
    const cancel = new AbortController();
    const silent = await serve(() => cancel.abort());
    const { fetch, made } = counted({ noProxy: '*' });
    await assert.rejects(fetch(silent.origin, { signal: cancel.signal }), { name: 'AbortError' });
    await assert.rejects(fetch(silent.origin, { signal: AbortSignal.abort() }));
    await assert.rejects(fetch(await deadOrigin()));
    assert.equal((await fetch((await serve(page)).origin)).status, 200);
    assert.deepEqual(made, ['']);
  });

  it('are made once for each proxy', async () => {
    const { origin } = await serve(page);
    const proxy = await deadOrigin();
    const { fetch, made } = counted({}, ({ hostname }) => (hostname === 'sandbox.invalid' ? proxy : ''));
    for (const target of [origin, 'http://sandbox.invalid/', origin, 'http://sandbox.invalid/'])
      await fetch(target).catch(() => undefined);
    assert.deepEqual(made, ['', proxy]);
  });

  it('are made again after a file couldn’t be used', async () => {
    const authority = createAuthority();
    const { origin } = await serveTls(page, authority.issue());
    const caFile = path.join(folder, 'late.pem');
    const { fetch } = counted({ caFile });
    await assert.rejects(fetch(origin));
    file('late.pem', authority.ca);
    assert.equal((await fetch(origin)).status, 200);
  });

  it('are made again with the renewed certificate after one was refused, by either side', async () => {
    const [authority, previous] = [createAuthority(), createAuthority()];
    const { origin } = await serveTls(page, {
      ...authority.issue(),
      ca: authority.ca,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const renew = ({ cert, key }: { cert: string; key: string }, ca: string) => ({
      caFile: file('ca.pem', ca),
      certFile: file('client.pem', cert),
      keyFile: file('client.key', key),
    });
    const { fetch, made } = counted(renew(previous.issue({ client: true }), previous.ca));
    await assert.rejects(fetch(origin));
    renew(previous.issue({ client: true }), authority.ca);
    await assert.rejects(fetch(origin));
    renew(authority.issue({ client: true }), authority.ca);
    assert.equal((await fetch(origin)).status, 200);
    assert.equal((await fetch(origin)).status, 200);
    assert.deepEqual(made, ['', '', '']);
  });
});
