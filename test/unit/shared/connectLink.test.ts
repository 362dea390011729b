import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseConnectLink } from '../../../src/shared/connectLink';
import { seeded } from '../changes/seeded';

const follow = (query: string, path = '/connect') => parseConnectLink(path, query);

describe('link to connect', () => {
  it('contains an address, percent-encoded or decoded by the editor', () => {
    for (const query of [
      'url=https://agents.example.com',
      'url=https%3A%2F%2Fagents.example.com%2F',
      'url=HTTPS://Agents.Example.com/',
    ]) {
      assert.deepEqual(follow(query), {
        ok: true,
        baseUrl: 'https://agents.example.com',
        origin: 'https://agents.example.com',
      });
    }
    const withPath = follow('url=http://localhost:3000/team/a');
    assert.equal(withPath.ok && withPath.baseUrl, 'http://localhost:3000/team/a');
  });

  it('shows the real host of a lookalike address', () => {
    const link = follow('url=https://аgents.example.com');
    assert.equal(link.ok && link.origin, 'https://xn--gents-3ve.example.com');
  });

  for (const [what, query] of [
    ['nothing', ''],
    ['no value', 'url='],
    ['another name', 'address=https://a.example'],
    ['a session key', 'url=https://a.example&key=k'],
    ['a token', 'token=t&url=https://a.example'],
    ['a key in the address', 'url=https://a.example?key=k'],
    ['an encoded key in the address', 'url=https%3A%2F%2Fa.example%3Fkey%3Dk'],
    ['a second address', 'url=https://a.example&url=https://b.example'],
    ['a user name', 'url=https://user@a.example'],
    ['a user name and password', 'url=https://user:secret@a.example'],
    ['a fragment', 'url=https://a.example%23x'],
    ['another scheme', 'url=ftp://a.example'],
    ['a command', 'url=command:workbench.action.quit'],
    ['a script', 'url=javascript:alert(1)'],
    ['a file', 'url=file:///etc/passwd'],
    ['no slashes', 'url=https:a.example'],
    ['an address without a host', 'url=https:///a.example'],
    ['white space', 'url=https://a.exa mple'],
    ['a line break', 'url=https://a.exa%0Ample'],
    ['reversed text', 'url=https://a.example/%E2%80%AEmoc'],
    ['a backslash', 'url=https://a.example%5C@b.example'],
    ['an address of 10 kB', `url=https://a.example/${'a'.repeat(10_000)}`],
  ] as const) {
    it(`is refused with ${what}`, () => {
      const link = follow(query);
      assert.ok(!link.ok && link.reason.length > 0, JSON.stringify(link));
    });
  }

  it('may have 2,048 characters', () => {
    const link = (length: number) => follow('url=https://a.example/'.padEnd(length, 'a'));
    assert.deepEqual([link(2_048).ok, link(2_049).ok], [true, false]);
  });

  it('is refused with what is wrong with its address', () => {
    const reason = (query: string) => {
      const link = follow(query);
      return link.ok ? '' : link.reason;
    };
    for (const url of ['https://a.example%5C@b.example', 'https://a.example/%E2%80%AEmoc'])
      assert.match(reason(`url=${url}`), /in the link contains invalid characters/);
    for (const url of ['command:https://a.example', 'https:///a.example', 'ftp://a.example'])
      assert.match(reason(`url=${url}`), /in the link must start with http/);
  });

  it('is refused with another path', () => {
    for (const path of ['', '/', '/Connect', '/connect/', '/../connect', '/disconnect']) {
      assert.equal(follow('url=https://a.example', path).ok, false, path);
    }
  });

  it('yields a normalized address or no address for any input', () => {
    let cases = 0;
    let followed = 0;
    const part = fc.constantFrom(
      ...[
        'url',
        'key',
        '=',
        '&',
        ';',
        'https://',
        'http:',
        '//',
        '@',
        ':',
        '?',
        '#',
        '%',
        '%2523',
        '%00',
        '%0d',
        '\\',
      ],
      ...[
        'a.example',
        '[::1]',
        '127.1',
        'localhost:3000',
        '..',
        '/%2e%2e/',
        '\u202e',
        'é',
        '$(zap)',
        '](command:x)',
        '\u{d800}',
      ],
    );
    const hostile = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
    const query = fc.oneof(
      fc.string({ unit: 'binary' }),
      hostile,
      hostile.map((text) => `url=https://${text}`),
    );
    fc.assert(
      fc.property(query, (text) => {
        cases += 1;
        const link = follow(text);
        if (!link.ok) return;
        followed += 1;
        const url = new URL(link.baseUrl);
        assert.match(url.protocol, /^https?:$/);
        assert.equal(url.origin, link.origin);
        assert.equal(url.username + url.password + url.search + url.hash, '');
        assert.match(link.baseUrl, /^[\x21-\x7e]+$/, 'printable ASCII only');
        assert.ok(url.hostname.length > 0);
      }),
      seeded('CONNECT_LINK_SEED', { numRuns: 5_000 }),
    );
    console.log(`        ${cases} cases, ${followed} followed`);
    assert.ok(followed > 50, 'some are harmless');
  });
});
