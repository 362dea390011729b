import assert from 'node:assert/strict';
import { parseBaseUrl, withScheme, portProblem } from '../../../src/shared/baseUrl';

describe('parseBaseUrl', () => {
  for (const [text, baseUrl, origin] of [
    ['http://localhost:3000', 'http://localhost:3000', 'http://localhost:3000'],
    ['  https://Agents.Example.com/  ', 'https://agents.example.com', 'https://agents.example.com'],
    ['https://example.com:443/team/agents///', 'https://example.com/team/agents', 'https://example.com'],
    ['http://[::1]:3000/a/../b', 'http://[::1]:3000/b', 'http://[::1]:3000'],
    ['HTTP://127.1', 'http://127.0.0.1', 'http://127.0.0.1'],
    ['https://bücher.example', 'https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ] as const) {
    it(`accepts ${text}`, () => assert.deepEqual(parseBaseUrl(text), { ok: true, baseUrl, origin }));
  }

  for (const [text, reason] of [
    ['', /http:\/\//],
    ['localhost:3000', /http:\/\//],
    ['example.com', /http:\/\//],
    ['ftp://example.com', /http:\/\//],
    ['file:///etc/passwd', /http:\/\//],
    ['javascript:alert(1)', /http:\/\//],
    ['http://', /http:\/\//],
    ['http://exa mple.com', /http:\/\//],
    ['https://user@example.com', /user name/],
    ['https://user:pass@example.com', /user name/],
    ['https://:pass@example.com', /user name/],
    ['http://localhost\\@evil.example', /backslashes/],
    ['https:\\\\example.com', /backslashes/],
    ['https://exam\tple.com', /spaces/],
    ['https://exam\u200bple.com', /invisible/],
    ['https://example.com/?a=1', /“\?”/],
    ['https://example.com?', /“\?”/],
    ['https://example.com/#top', /“#”/],
    ['https://example.com/#', /“#”/],
  ] as const) {
    it(`refuses "${text}" with the reason`, () => {
      const parsed = parseBaseUrl(text);
      assert.ok(!parsed.ok);
      assert.match(parsed.reason, reason);
      assert.ok(!parsed.reason.includes('pass@'));
    });
  }
});

describe('an address as people type it', () => {
  for (const [text, address] of [
    ['localhost:3000', 'http://localhost:3000'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['[::1]:8000/team', 'http://[::1]:8000/team'],
    [' agents.example.com ', 'https://agents.example.com'],
    ['agents.example.com:8443/team', 'https://agents.example.com:8443/team'],
    ['bücher.example', 'https://bücher.example'],
    ['localhost.example.com', 'https://localhost.example.com'],
    ['localhost@evil.example', 'https://localhost@evil.example'],
    ['agents.example.com/to/http://a', 'https://agents.example.com/to/http://a'],
    ['agents.example.com/https:/a', 'https://agents.example.com/https:/a'],
    ['3a://b', 'https://3a://b'],
  ] as const) {
    it(`is completed: ${text}`, () => assert.equal(withScheme(text), address));
  }

  for (const text of [
    '',
    'http://agents.example.com',
    'FTP://example.com',
    'https:/example.com',
    'http:/example.com',
    'S3://bucket',
    'x-a.b+c2://d',
    '/etc',
    '//example.com',
    '?a',
    '#',
  ])
    it(`is left as it is: “${text}”`, () => assert.equal(withScheme(text), text));

  for (const text of ['javascript:alert(1)', 'user@example.com', 'C:\\agents', 'exa mple.com'])
    it(`isn’t accepted because it was completed: “${text}”`, () =>
      assert.equal(parseBaseUrl(withScheme(text)).ok, false));
});

describe('the port of an address', () => {
  it('has words of its own if nothing can be sent there, as fetch says itself', async () => {
    for (const port of [1, 9, 22, 6000, 6666, 10080]) {
      const url = `http://127.0.0.1:${port}`;
      assert.match(portProblem(url) ?? '', new RegExp(`Port ${port} `));
      await assert.rejects(fetch(url), (error: Error) => String(error.cause).includes('bad port'));
    }
    for (const url of ['http://localhost:3000', 'https://agents.example.com', 'http://[::1]:8000/a', 'x'])
      assert.equal(portProblem(url), undefined, url);
  });
});
