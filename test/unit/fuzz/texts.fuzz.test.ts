import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { pathSegment } from '../../../src/api/http/ids';
import { proxyFor } from '../../../src/api/http/proxy';
import { parseBaseUrl } from '../../../src/shared/baseUrl';
import { parseConnectLink } from '../../../src/shared/connectLink';
import { connectionEntrySchema } from '../../../src/shared/connection';
import { networkProblem } from '../../../src/shared/networkOptions';
import { plainText } from '../../../src/shared/plainText';
import { checkExposedUrl } from '../../../src/features/sandboxes/model/exposedUrl';
import { parseMcpFile } from '../../../src/features/settings/model/import/parse';
import { anyJson, fuzz, lengthOfNone, nearly } from './support';

const urlish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'http:',
        'https:',
        '//',
        '/',
        '\\',
        '@',
        ':',
        '?',
        '#',
        '%2e',
        '..',
        '[::1]',
        'localhost',
        '127.0.0.1',
        '.',
        'file:',
        'command:',
        '\t',
        '\n',
        '\u3002',
        '０',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));

const connection = {
  name: 'Team',
  url: 'https://a.example',
  network: { caFile: '/a', certFile: '/b', keyFile: '/c', proxy: 'http://p.example:1', noProxy: 'x' },
};

describe('fuzz: external text', () => {
  fuzz(
    'a base address is http(s), without user name, query, or fragment, and is stable',
    fc.oneof(urlish, fc.webUrl()),
    (text) => {
      const parsed = parseBaseUrl(text);
      if (!parsed.ok) return;
      const url = new URL(parsed.baseUrl);
      assert.ok(['http:', 'https:'].includes(url.protocol));
      assert.deepEqual([url.username, url.password, url.search, url.hash], ['', '', '', '']);
      assert.equal(url.origin, parsed.origin);
      assert.deepEqual(parseBaseUrl(parsed.baseUrl), parsed);
      assert.equal(new URL(`${parsed.baseUrl}/api/settings`).origin, parsed.origin);
    },
  );

  fuzz('an exposed URL that is opened is https, or http on this computer', urlish, (text) => {
    const checked = checkExposedUrl(text);
    if (!checked.ok) return;
    const { protocol, hostname, username, password } = checked.url;
    assert.ok(
      protocol === 'https:' || /^(localhost\.?$|127\.|0\.0\.0\.0$|\[::1?\]|.*\.localhost$)/.test(hostname),
    );
    assert.equal(username + password, '');
  });

  fuzz(
    'a link to connect yields only a normalized address',
    fc.tuple(
      fc.constantFrom('/connect', '/connect/', ''),
      fc.array(
        fc.oneof(fc.constantFrom('url=', '&', 'key=', '%26', '%0a', '%5c', 'https://a.example'), urlish),
      ),
    ),
    ([path, parts]) => {
      const link = parseConnectLink(path, parts.join(''));
      if (!link.ok) {
        assert.match(link.reason, /\.$/);
        return;
      }
      assert.equal(path, '/connect');
      assert.deepEqual(parseBaseUrl(link.baseUrl), link);
    },
  );

  fuzz('an id stays one segment of its path', fc.oneof(urlish, fc.string({ unit: 'binary' })), (id) => {
    const segment = pathSegment(id);
    if (segment === undefined) return;
    const { pathname, search, hash, origin } = new URL(`http://a.example/api/${segment}/pause`);
    assert.deepEqual([origin, search, hash], ['http://a.example', '', '']);
    assert.deepEqual(pathname.split('/').map(decodeURIComponent), ['', 'api', id, 'pause']);
  });

  fuzz(
    'a connection from the settings yields a proxy without credentials',
    fc.oneof(anyJson, nearly(connection)),
    (entry) => {
      const parsed = connectionEntrySchema.safeParse(entry);
      if (!parsed.success) return;
      const { url, network } = parsed.data;
      const base = parseBaseUrl(url);
      if (!base.ok || !network || networkProblem(network) !== undefined) return;
      const proxy = proxyFor(new URL(base.baseUrl), {
        connection: network,
        editor: { noProxy: [] },
        environment: {},
      });
      if (proxy) assert.deepEqual([new URL(proxy.url).username, new URL(proxy.url).password], ['', '']);
    },
    [
      { ...connection, network: { caFile: lengthOfNone } },
      { name: lengthOfNone, url: '' },
    ],
  );

  fuzz('proxies and lists of hosts', fc.tuple(urlish, urlish), ([proxy, noProxy]) => {
    const named = proxyFor(new URL('https://a.example'), {
      connection: {},
      editor: { proxy, noProxy: [noProxy] },
      environment: { HTTPS_PROXY: proxy, NO_PROXY: noProxy },
    });
    if (named) assert.doesNotMatch(named.address, /@/);
  });

  fuzz(
    'plain text is a single line of limited length and is stable',
    fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 })),
    ([text, max]) => {
      const plain = plainText(text, max);
      assert.ok(Array.from(plain).length <= max);
      assert.doesNotMatch(plain, /[\p{Cc}\p{Cs}\u2028\u2029]|\]\(/u);
    },
  );

  fuzz(
    'an imported file is read or refused with a message',
    fc.oneof(
      fc.string({ unit: 'binary' }),
      anyJson.map((json) => JSON.stringify(json)),
      nearly({
        inputs: [{ id: 'a', type: 'promptString', password: true, default: 'd', options: ['x'] }],
        servers: {
          a: { command: 'x', args: ['${input:a}'], env: { B: '${env:C}' } },
          b: { url: 'https://a.example', headers: { Authorization: 'Bearer x' } },
        },
      }).map((json) => JSON.stringify(json)),
    ),
    (text) => {
      const parsed = parseMcpFile(text);
      if (!parsed.ok) assert.match(parsed.reason, /\w/);
      else for (const { preview } of parsed.servers) assert.doesNotMatch(preview.name, /[\p{Cc}\p{Cs}]/u);
    },
  );
});
