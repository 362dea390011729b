import assert from 'node:assert/strict';
import { programWords, thrownWords } from '../../../src/shared/thrown';

describe('the words of other programs', () => {
  it('have no secret that can be told by its place or its name', () => {
    for (const said of [
      'fatal: unable to access https://canary@host.example/x.git/: 403',
      'fatal: unable to access https://me:canary@host.example/x.git/: 403',
      'remote: https://host.example/x?token=canary failed',
      'curl -H "Authorization: Bearer canary-1234567" failed',
      'GITHUB_TOKEN=canary failed',
      'Command failed: tool --access-token canary --verbose',
      "Command failed: tool --password 'canary canary'",
      '"{\\"access_token\\":\\"canary\\"}"',
      'Authorization: ApiKey canary',
      "('api-key', 'canary')",
      '"API_KEY" => "canary"',
      'Server=db.example;Uid=sa;Pwd=canary;',
      'AccountName=a;AccountKey=canary==',
      '//registry.example/:_auth=canary',
      'ws://host.example/?session_api_key=canary failed',
    ]) {
      assert.doesNotMatch(programWords(said, 200), /canary/, said);
      assert.doesNotMatch(thrownWords(new Error(said)), /canary/, said);
    }
  });

  it('stay as they are otherwise, cut to what is shown', () => {
    for (const said of [
      'error: pathspec ‘main’ did not match any file(s) known to git',
      'PWD is /home/ada, pwd=/home/ada, and the token is old',
      'The token isn’t valid for the secret store',
      'Invalid token, so sign in again',
    ])
      assert.equal(programWords(said, 200), said);
    assert.equal(programWords('x'.repeat(1_000_000), 10).length, 10);
  });
});
