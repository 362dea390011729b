import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { proxyFor } from '../../../../src/api/http/proxy';
import { diagnose } from '../../../../src/features/connection/commands/diagnosis/diagnose';
import { reportOf } from '../../../../src/features/connection/commands/diagnosis/report';
import type { Network } from '../../../../src/editor/network';
import { createAuthority, selfSigned } from '../../api/support/certificates';
import { closeServers, deadOrigin, serve, serveProxy, serveTls } from '../../api/support/servers';
import { connectionTo, key, quick, report, section, settings } from './reporting';

describe('the way to a service, in a diagnosis', () => {
  afterEach(closeServers);

  it('says what a host name stands for, and who has made the report of what', async () => {
    const server = await serve(settings);
    const text = await report(server.origin.replace('127.0.0.1', 'localhost'));
    assert.match(section(text, 'Host name'), /localhost is .*(127\.0\.0\.1|::1)/);
    assert.match(
      text,
      /^Agent Workspace: diagnosis of “Team”\nCreated \d{4}-.* with Agent Workspace 0, an editor\./,
    );
    assert.match(section(text, 'Connection'), /the editor’s own settings\n.*Proxy: none/);
  });

  for (const [source, words] of [
    ['editor', 'the editor’s settings'],
    ['environment', 'environment variables'],
  ] as const)
    it(`signs in to a proxy from ${words}, and never shows how`, async () => {
      const refusing = await serveProxy(407);
      const proxy = refusing.origin.replace('://', '://ada:canary@');
      const dead = await deadOrigin();
      const network: Network = {
        proxyFor: (target) =>
          proxyFor(target, {
            connection: {},
            editor: { noProxy: [], ...(source === 'editor' && { proxy }) },
            environment: source === 'environment' ? { https_proxy: proxy } : {},
          }),
        fetch: (_input, init) => fetch(dead, init),
      };
      const connection = connectionTo('https://service.invalid');
      const parts = { connection, sessionKey: key, network, timing: quick() };
      const text = reportOf(await diagnose(parts, 'x', new AbortController().signal));
      const { host } = new URL(refusing.origin);
      assert.ok(section(text, 'Connection').includes(`Proxy: ${host}, from ${words}`), text);
      assert.match(section(text, 'Certificate'), /Not accepted: proxy: HTTP 407/);
      const authorization = `Basic ${Buffer.from('ada:canary').toString('base64')}`;
      assert.deepEqual(refusing.asked, [
        { target: 'service.invalid:443', authorization, certificate: undefined },
      ]);
      assert.ok(!text.includes('canary'), text);
    });

  it('reports an unknown host name', async () => {
    const text = await report('https://service.invalid');
    assert.match(section(text, 'Host name'), /service\.invalid wasn’t found.*(ENOTFOUND|EAI_AGAIN)/);
    assert.match(section(text, 'Certificate'), /Not accepted: (ENOTFOUND|EAI_AGAIN)/);
    assert.match(section(text, 'Result'), /the host wasn’t found/);
  });

  describe('over TLS', () => {
    const authority = createAuthority('Canonical Test CA');
    const folder = mkdtempSync(path.join(tmpdir(), 'canary-folder-'));
    const caFile = path.join(folder, 'ca.pem');
    before(() => writeFileSync(caFile, authority.ca));
    after(() => rmSync(folder, { recursive: true }));

    it('shows the subject, issuer, and expiration of an accepted certificate', async () => {
      const server = await serveTls(settings, authority.issue());
      const text = await report(server.origin, { network: { caFile } });
      const shown = section(text, 'Certificate');
      assert.match(shown, /Accepted \(TLSv1\.3\)/);
      assert.match(shown, /For: localhost \(DNS:localhost, IP Address:127\.0\.0\.1\)/);
      assert.match(shown, /Issued by: Canonical Test CA/);
      assert.match(shown, /Valid from .* to .* GMT/);
      assert.match(section(text, 'Connection'), /own options \(caFile\)/);
      assert.ok(!text.includes('canary'), 'the path of a file');
    });

    const refused: [name: string, identity: () => ReturnType<typeof selfSigned>, code: string][] = [
      ['expired', () => authority.issue({ days: -2 }), 'CERT_HAS_EXPIRED'],
      [
        'for another host',
        () => authority.issue({ hosts: ['other.example'] }),
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ],
      ['self-signed', selfSigned, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      [
        'from an unknown authority',
        () => createAuthority('Nobody').issue(),
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ],
    ];
    for (const [name, identity, code] of refused) {
      it(`shows a certificate that is ${name}, and why it is refused`, async () => {
        const server = await serveTls(settings, identity());
        const proxy = await serveProxy();
        for (const network of [{ caFile }, { caFile, proxy: proxy.origin }]) {
          const text = await report(server.origin, { network });
          assert.match(section(text, 'Certificate'), new RegExp(`Not accepted: ${code}`));
          assert.match(section(text, 'Certificate'), /Issued by: \w+.*\n.*Valid from/);
          assert.match(section(text, 'Result'), /certificate wasn’t accepted/);
        }
        assert.equal(server.requests.length, 0);
        assert.ok(proxy.asked.length > 0);
      });
    }

    it('names the unusable file', async () => {
      const text = await report('https://127.0.0.1:9', {
        network: { caFile: path.join(folder, 'none.pem') },
      });
      assert.match(section(text, 'Certificate'), /network option “caFile” \(ENOENT\)/);
      assert.match(section(text, 'Result'), /network option “caFile”/);
      assert.ok(!text.includes('canary'));
    });

    it('names the proxy, its source, and its refusal', async () => {
      const proxy = await serveProxy(403);
      const text = await report('https://service.example', { network: { caFile, proxy: proxy.origin } });
      const { host } = new URL(proxy.origin);
      assert.match(
        section(text, 'Connection'),
        new RegExp(`Proxy: ${host}, from the connection’s network options`),
      );
      assert.match(section(text, 'Certificate'), /proxy: HTTP 403/);
      assert.match(section(text, 'Result'), new RegExp(`The proxy ${host} rejected the request`));
    });
  });

  it('connects to a proxy with an IPv6 address, rather than looking for a host of that name', async () => {
    const proxy = (await deadOrigin()).replace('127.0.0.1', '[::1]');
    const text = await report('https://service.example', { network: { proxy } });
    // Where there's no IPv6, the reason is another.
    assert.match(section(text, 'Certificate'), /Not accepted: E(?!NOTFOUND)/);
  });
});
