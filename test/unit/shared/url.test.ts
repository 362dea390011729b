import assert from 'node:assert/strict';
import { everyCase } from '../../support/everyCase';
import {
  isAmbiguous,
  isExposedHttp,
  isLocalInBrowser,
  isLoopback,
  parseUrl,
  placeOfUrl,
  unescaped,
} from '../../../src/shared/url';

describe('parseUrl', () => {
  it('parses absolute and relative addresses', () => {
    assert.equal(parseUrl('https://a.example/b')?.pathname, '/b');
    assert.equal(parseUrl('../c', new URL('https://a.example/b/d'))?.href, 'https://a.example/c');
    assert.equal(parseUrl('../c'), undefined);
    assert.equal(parseUrl('https://'), undefined);
  });

  it('returns the same result the 10,000th time', () => {
    for (let count = 0; count < 10_000; count += 1)
      assert.equal(parseUrl('https://bücher.example')?.hostname, 'xn--bcher-kva.example');
  });
});

describe('hosts of this computer', () => {
  const hosts: [hostname: string, loopback: boolean, inBrowser: boolean][] = [
    ['localhost', true, true],
    ['127.9.0.1', true, true],
    ['[::1]', true, true],
    ['app.localhost', false, true],
    ['localhost.example.com', false, false],
    ['notlocalhost', false, false],
    ['127.0.0.1.example.com', false, false],
    ['127.100.20.255', true, true],
    ['localhost.', true, true],
    ['0.0.0.0', true, true],
    ['[::]', true, true],
    ['[::ffff:7f00:1]', true, true],
    ['[::ffff:0:0]', true, true],
    ['[::2]', false, false],
    ['[::ffff:a00:1]', false, false],
    ['10.0.0.0', false, false],
    ['0.0.0.0.example.com', false, false],
  ];
  it('are told apart from others, by any client and by a browser', () =>
    everyCase(
      hosts,
      ([hostname]) => hostname,
      ([hostname, loopback, inBrowser]) => {
        assert.equal(isLoopback(hostname), loopback);
        assert.equal(isLocalInBrowser(hostname), inBrowser);
        assert.equal(isExposedHttp({ protocol: 'http:', hostname }), !loopback);
        assert.equal(isExposedHttp({ protocol: 'https:', hostname }), false);
      },
    ));
});

describe('a part of an address', () => {
  it('is read without its escapes, as far as they are some', () => {
    for (const [part, read] of [
      ['a%20b%C3%BC', 'a bü'],
      ['100%', '100%'],
      ['%zz%41', '%zzA'],
      ['%4%20', '%4 '],
      ['%C3%41', '%C3%41'],
      ['plain', 'plain'],
    ])
      assert.equal(unescaped(part!), read);
  });
});

describe('an address that parsers read in different ways', () => {
  it('has a backslash, a space, or something that isn’t seen', () => {
    for (const odd of [
      'https:\\\\a.example',
      'https://a .example',
      'https://a\n.example',
      'https://a\u200b.example',
    ])
      assert.equal(isAmbiguous(odd), true, odd);
    for (const plain of ['https://a.example/b?c#d', '', 'https://bücher.example'])
      assert.equal(isAmbiguous(plain), false);
  });

  it('is a place of its own for what is sent to it', () => {
    for (const [address, place] of [
      [' https://a.example/v1 ', 'https://a.example'],
      ['HTTPS://A.example:443', 'https://a.example'],
      ['https://a.example:8443', 'https://a.example:8443'],
      ['https://a.example\\@b.example', 'https://a.example\\@b.example'],
      ['mailto:a', 'mailto:a'],
      ['a.example', 'a.example'],
      ['', ''],
    ])
      assert.equal(placeOfUrl(address!), place);
  });
});
