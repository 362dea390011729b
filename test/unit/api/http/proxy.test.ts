import assert from 'node:assert/strict';
import { proxyFor, proxyLogin, type ProxySettings } from '../../../../src/api/http/proxy';

const none: ProxySettings = { connection: {}, editor: { noProxy: [] }, environment: {} };
const service = 'https://agents.example.com';
const editor = { proxy: 'http://editor.example:3128', noProxy: [] };

/** The settings, the target, and the address of the resulting proxy. */
const cases: [name: string, settings: Partial<ProxySettings>, target: string, proxy: string | undefined][] = [
  ['no settings', {}, service, undefined],
  ['the connection’s own', { connection: { proxy: 'http://own.example' } }, service, 'own.example:80'],
  [
    'the connection’s own over TLS',
    { connection: { proxy: 'https://own.example' } },
    service,
    'own.example:443',
  ],
  [
    'the connection’s own over all others',
    { connection: { proxy: 'http://own:1' }, editor, environment: { HTTPS_PROXY: 'http://env:2' } },
    service,
    'own:1',
  ],
  [
    'the editor’s over the environment’s',
    { editor, environment: { HTTPS_PROXY: 'e:2' } },
    service,
    'editor.example:3128',
  ],
  ['the environment’s', { environment: { https_proxy: 'http://env:2' } }, service, 'env:2'],
  ['the environment’s without a scheme', { environment: { HTTPS_PROXY: 'env:2' } }, service, 'env:2'],
  ['http_proxy for https too', { environment: { http_proxy: 'env:2' } }, service, 'env:2'],
  ['https_proxy not for http', { environment: { https_proxy: 'env:2' } }, 'http://a.example', undefined],
  [
    'an editor with proxy support off',
    { editor: undefined, environment: { HTTPS_PROXY: 'e:2' } },
    service,
    undefined,
  ],
  ['this computer', { editor, environment: { HTTP_PROXY: 'e:2' } }, 'http://localhost:3000', undefined],
  ['this computer by IP address', { editor }, 'http://127.0.0.1:3000', undefined],
  [
    'this computer, when the connection asks for it',
    { connection: { proxy: 'http://own:1' } },
    'http://localhost:3000',
    'own:1',
  ],
  ['an invalid address, which can’t be used', { environment: { HTTPS_PROXY: '://' } }, service, '://'],
  [
    'an invalid address without its credentials',
    { editor: { proxy: 'ada:can@ry@my proxy', noProxy: [] } },
    service,
    'my proxy',
  ],
  ['blanks', { environment: { HTTPS_PROXY: ' ' } }, service, undefined],
  ['an address between blanks', { environment: { HTTPS_PROXY: ' http://env:2\r\n' } }, service, 'env:2'],
  ['a host between blanks', { editor: { proxy: '\tenv:2 ', noProxy: [] } }, service, 'env:2'],
  ['SOCKS without a port', { connection: { proxy: 'socks5h://own.example' } }, service, 'own.example:1080'],
  ['credentials', { environment: { HTTPS_PROXY: 'http://ada:canary@env:2' } }, service, 'env:2'],
];

/** Lists of hosts that bypass the proxy, and whether they match https://agents.example.com. */
const lists: [list: string, bypasses: boolean][] = [
  ['', false],
  ['*', true],
  ['agents.example.com', true],
  ['AGENTS.example.COM', true],
  ['example.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['other.example, example.com', true],
  ['other.example example.com', true],
  ['agents.example.com:443', true],
  ['agents.example.com:8443', false],
  ['ents.example.com', false],
  ['com.evil', false],
  [',', false],
];

describe('the proxy for an address', () => {
  for (const [name, settings, target, expected] of cases) {
    it(`uses ${expected ?? 'no proxy'} for ${name}`, () => {
      const proxy = proxyFor(new URL(target), { ...none, ...settings });
      assert.equal(proxy?.address, expected);
      assert.ok(!proxy?.address.includes('canary'));
    });
  }

  for (const [list, bypasses] of lists) {
    it(`${bypasses ? 'is bypassed' : 'is not bypassed'} with “${list}” from any source`, () => {
      const expected = (address: string) => (bypasses ? undefined : address);
      const at = (settings: Partial<ProxySettings>) =>
        proxyFor(new URL(service), { ...none, ...settings })?.address;
      assert.equal(at({ connection: { proxy: 'http://own:1', noProxy: list } }), expected('own:1'));
      assert.equal(at({ connection: { noProxy: list }, editor }), expected('editor.example:3128'));
      assert.equal(at({ editor: { ...editor, noProxy: [list] } }), expected('editor.example:3128'));
      assert.equal(at({ environment: { HTTPS_PROXY: 'http://env:2', no_proxy: list } }), expected('env:2'));
    });
  }

  it('is bypassed for ranges of addresses, patterns, and names with a final dot', () => {
    const at = (target: string, noProxy: string) =>
      proxyFor(new URL(target), { ...none, connection: { proxy: 'http://own:1', noProxy } })?.address;
    for (const [target, list] of [
      ['http://10.1.2.3', '10.0.0.0/8'],
      ['http://10.1.2.3:8080', 'other.example, 10.1.2.0/24'],
      ['http://10.1.2.3', '10.1.2.3/32'],
      ['http://[fd12::1]', 'fd00::/8'],
      ['http://[fd12::1]', '[fd00::]/8'],
      ['https://[fd12::1]:8443', 'other.example [FD00::]/8'],
      ['http://192.168.7.9', '192.168.*'],
      ['http://192.168.7.9:81', '192.168.*:81'],
      ['https://a.corp.example', '*.corp.*'],
      ['https://agents.example.com', 'example.com.'],
      ['https://agents.example.com.', 'example.com'],
      ['https://agents.example.com.', '.example.com.'],
    ] as const)
      assert.equal(at(target, list), undefined, `${target} ${list}`);
    for (const [target, list] of [
      ['http://11.1.2.3', '10.0.0.0/8'],
      ['http://10.192.168.5', '192.168.*'],
      ['http://10.1.2.3', '10.0.0.0/33'],
      ['http://10.1.2.3', '10.0.0.0/'],
      ['http://10.1.2.3', 'fd00::/8'],
      ['http://[fe80::1]', 'fd00::/8'],
      ['http://[fe80::1]', '[fd00::]/8'],
      ['http://[fd12::1]', '[fd00::/8'],
      ['http://[fd12::1]', '[fd00::]8'],
      ['https://10.example.com', '10.0.0.0/8'],
      ['http://192.168.7.9', '192.169.*'],
      ['http://192.168.7.9:82', '192.168.*:81'],
      ['http://1192.168.7.9.example', '192.168.*'],
      ['https://example.com.evil', 'example.com.'],
    ] as const)
      assert.equal(at(target, list), 'own:1', `${target} ${list}`);
  });

  it('is bypassed for names with letters beyond ASCII', () => {
    const at = (noProxy: string) =>
      proxyFor(new URL('https://git.münchen.example'), { ...none, connection: { proxy: 'own:1', noProxy } })
        ?.address;
    for (const list of [
      'münchen.example',
      '.MÜNCHEN.example',
      '*.münchen.example:443',
      'xn--mnchen-3ya.example',
    ])
      assert.equal(at(list), undefined, list);
    for (const list of ['münchen', 'munchen.example', 'münchen.example:1'])
      assert.equal(at(list), 'own:1', list);
  });

  it('is bypassed for an IPv6 address, however it’s written', () => {
    const target = new URL('http://[fd00::1]:3000');
    const at = (noProxy: string) =>
      proxyFor(target, { ...none, connection: { proxy: 'http://own:1', noProxy } })?.address;
    for (const list of ['fd00::1', 'FD00:0::1', '[fd00::1]', '[fd00::1]:3000', 'other.example,fd00::1'])
      assert.equal(at(list), undefined, list);
    for (const list of ['fd00::2', '::1', '[fd00::1]:1']) assert.equal(at(list), 'own:1', list);
  });
});

describe('who signs in to a proxy', () => {
  it('is in its address, with the escapes decoded, and in the header of HTTP', () => {
    const login = (address: string) => proxyLogin(new URL(address));
    const header = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    assert.deepEqual(login('http://ada:can%40ry@env:2'), {
      username: 'ada',
      password: 'can@ry',
      header: header('ada:can@ry'),
    });
    assert.equal(login('http://ada@env:2').header, header('ada:'));
    assert.equal(login('http://:canary@env:2').header, header(':canary'));
    assert.deepEqual(login('http://env:2'), { username: '', password: '', header: undefined });
  });
});
