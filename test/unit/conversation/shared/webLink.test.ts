import assert from 'node:assert/strict';
import { webLink } from '../../../../src/features/conversation/shared/webLink';

describe('links in texts of unknown origin', () => {
  it('are web addresses', () => {
    assert.equal(webLink('https://example.com/a?b#c')?.href, 'https://example.com/a?b#c');
    assert.equal(webLink(`https://example.com/${'a'.repeat(1_980)}`)?.href.length, 2_000);
    assert.equal(webLink('http://127.0.0.1:3000')?.href, 'http://127.0.0.1:3000/');
  });

  for (const text of [
    '',
    'example.com',
    '/etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'command:workbench.action.quit',
    'vscode://x',
    'ftp://example.com',
    'https:\\\\example.com',
    'https://example.com/\u202ea',
    ' https://example.com',
    'https://user@example.com',
    'https://user:pass@example.com',
    'https://:pass@example.com',
    'https://',
    `https://example.com/${'a'.repeat(2_000)}`,
  ]) {
    it(`are not ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(webLink(text), undefined));
  }
});
