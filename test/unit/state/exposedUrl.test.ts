import assert from 'node:assert/strict';
import { whyNotOpened } from '../../../src/state/exposedUrl';

describe('exposed URLs', () => {
  for (const address of [
    'https://one.example.com/?tkn=x',
    'http://localhost:8000/',
    'http://127.0.0.1:41001',
    'http://[::1]:80/',
    'http://app.localhost/',
  ]) {
    it(`opens ${address}`, () => assert.equal(whyNotOpened(address), undefined));
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
    'http://localhost@one.example.com/',
    '',
  ]) {
    it(`refuses “${address}” and says why`, () => assert.match(whyNotOpened(address) ?? '', /\w/));
  }
});
