import assert from 'node:assert/strict';
import { gitElsewhere } from '../../../src/shared/remoteWindow';

describe('repositories of a remote window', () => {
  const remote = { remote: 'ssh-remote', hasGit: false, isLocal: true };

  it('are said to be out of sight where the extension runs on the user’s own computer', () => {
    for (const [kind, name] of [
      ['ssh-remote', 'SSH'],
      ['wsl', 'WSL'],
      ['dev-container', 'Dev Container'],
      ['attached-container', 'Container'],
      ['tunnel', 'tunnel'],
    ] as const)
      assert.match(
        gitElsewhere({ ...remote, remote: kind }) ?? '',
        new RegExp(`\\(${name}\\).*remote.extensionKind`),
      );
  });

  it('aren’t where git can be asked, is turned off, or isn’t remote', () => {
    for (const change of [{ remote: undefined }, { hasGit: true }, { isLocal: false }])
      assert.equal(gitElsewhere({ ...remote, ...change }), undefined, JSON.stringify(change));
  });
});
