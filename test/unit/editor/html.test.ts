import assert from 'node:assert/strict';
import { pageHtml } from '../../../src/editor/html';

const parts = {
  cspSource: 'https://*.vscode-cdn.net',
  scriptUri: 'https://x.vscode-cdn.net/main.js',
  styleUris: ['https://x.vscode-cdn.net/base.css', 'https://x.vscode-cdn.net/main.css'],
  nonce: 'bm9uY2U=',
  language: 'de',
  title: 'Service Settings',
  translations: undefined,
};

describe('form document', () => {
  it('allows only one script by its nonce, style sheets, and pictures inside the page', () => {
    const html = pageHtml(parts);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-bm9uY2U='; style-src https://*.vscode-cdn.net; img-src data:; base-uri 'none'; form-action 'none'",
    );
    assert.equal([...html.matchAll(/<script/g)].length, 1);
    assert.match(
      html,
      /<script type="module" nonce="bm9uY2U=" src="https:\/\/x\.vscode-cdn\.net\/main\.js"><\/script>/,
    );
    assert.doesNotMatch(html, /unsafe|<style| on\w+=| style=/);
    assert.match(html, /<html lang="de">/);
    assert.deepEqual(
      [...html.matchAll(/<link rel="stylesheet" href="([^"]*)">/g)].map(([, uri]) => uri),
      parts.styleUris,
    );
  });

  it('escapes translations in their attribute', () => {
    const html = pageHtml({ ...parts, translations: { 7: '"><script>alert(1)</script>&' } });
    assert.equal([...html.matchAll(/<script/g)].length, 1);
    assert.ok(html.includes('&quot;&gt;&lt;script&gt;') || html.includes('\\&quot;&gt;&lt;script&gt;'));
  });
});
