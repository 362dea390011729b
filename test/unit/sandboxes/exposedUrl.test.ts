import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkExposedUrl } from '../../../src/features/sandboxes/model/exposedUrl';
import { seeded } from '../changes/seeded';

/** The authority of an address by RFC 3986, which is how the editor's `Uri.parse` finds it. */
const authorityOf = (address: string) => /^(?:[^:/?#]+:)?(?:\/\/([^/?#]*))?/.exec(address)?.[1];

describe('exposed URLs', () => {
  for (const address of [
    'https://one.example.com/?tkn=x',
    'http://localhost:8000/',
    'http://127.0.0.1:41001',
    'http://[::1]:80/',
    'http://app.localhost/',
  ]) {
    it(`opens ${address}`, () => {
      const checked = checkExposedUrl(address);
      assert.equal(checked.ok && checked.url.href, new URL(address).href);
    });
  }
  for (const address of [
    'http://one.example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'file:///etc/passwd',
    'command:workbench.action.quit',
    'vscode://agent-workspace.agent-workspace/connect',
    'javascript:alert(1)',
    'data:text/html,x',
    '\\\\server\\share',
    '//server/share',
    'https://ada:secret@one.example.com/',
    'https://:secret@one.example.com/',
    'http://localhost@one.example.com/',
    'http://localhost\\@evil.example/x',
    'https://good.example\\@evil.example/',
    'https://good.example/a\\b',
    'https:\\\\good.example/',
    'https://good.exa\tmple/',
    ' https://good.example/',
    'https://good.example/\u202egpj.exe',
    '',
  ]) {
    it(`refuses “${address}” and says why`, () => {
      const checked = checkExposedUrl(address);
      assert.match(checked.ok ? '' : checked.reason, /\w/);
    });
  }

  it('opens the same host in the editor as was checked and shown', () => {
    const part = fc.constantFrom(
      ...['https:', 'http:', '//', '/', '\\', '@', ':', '?', '#', '%5c', '%40', '%2f', '\t', '\n', ' ', '.'],
      ...['good.example', 'evil.example', 'localhost', '127.1', '[::1]', 'bücher.example', ':443', '\u200b'],
    );
    let opened = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, whole) => {
        const checked = checkExposedUrl(`${whole ? 'https://' : ''}${parts.join('')}`);
        if (!checked.ok) return;
        opened += 1;
        assert.equal(authorityOf(checked.url.href), checked.url.host);
      }),
      seeded('EXPOSED_URL_SEED', { numRuns: 5_000 }),
    );
    assert.ok(opened > 50, `only ${opened} were opened`);
  });
});
