import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseRemote } from '../../../src/core/remoteAddress';
import { localGitEnvironment } from '../../../src/editor/localGitEnvironment';
import { errorWords } from '../../../src/editor/errorText';
import { addressOfRemote, gitRunner, inGitsWords, type RunGit } from '../../../src/editor/runGit';

describe('the address of a remote', () => {
  let folder: string;
  let run: RunGit;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'agent-workspace-test-'));
    run = gitRunner('git', folder, localGitEnvironment());
    await run(['init', '--quiet']);
    for (const [base, short] of [
      ['https://github.com/', 'gh:'],
      ['https://github.com/ada/', 'me:'],
      ['git@gitlab.com:', 'gitlab://'],
      ['ssh://git@bitbucket.org/', 'bb/'],
    ] as const)
      await run(['config', `url.${base}.insteadOf`, short]);
    await run(['config', 'url.git@github.com:.pushInsteadOf', 'push:']);
    await run(['config', 'url.https://mirror.example/.insteadOf', 'https://codeberg.org/']);
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [written, repository, provider] of [
    ['gh:acme/shop', 'acme/shop', 'github'],
    ['me:shop.git', 'ada/shop', 'github'],
    ['gitlab://acme/web/shop', 'acme/web/shop', 'gitlab'],
    ['bb/acme/shop', 'acme/shop', 'bitbucket'],
    ['unknown:acme/shop', 'acme/shop', undefined],
  ] as const)
    it(`is what git makes of “${written}”`, async () => {
      await run(['remote', 'add', 'origin', written]);
      const address = await addressOfRemote(run, { name: 'origin', fetchUrl: written, pushUrl: written });
      assert.deepEqual(parseRemote(address ?? ''), { repository, provider });
    });

  it('is where git pushes to if nothing else is told', async () => {
    await run(['config', 'remote.-o.url', 'push:acme/shop']);
    const address = 'git@github.com:acme/shop';
    assert.equal(await addressOfRemote(run, { name: '-o', fetchUrl: 'push:acme/shop' }), address);
    await run(['config', 'remote.-o.pushurl', 'me:shop']);
    const remote = { name: '-o', pushUrl: 'me:shop' };
    assert.equal(await addressOfRemote(run, remote), 'https://github.com/ada/shop');
  });

  it('stays as it is where it names its host, and where git can’t tell', async () => {
    const asks: RunGit = () => Promise.reject(new Error('asked'));
    for (const fetchUrl of [
      'https://codeberg.org/a/b',
      'git@h.example:a/b',
      'ssh://h/a/b',
      '/srv/a',
      'gh:a/b',
    ])
      assert.equal(await addressOfRemote(asks, { name: 'origin', fetchUrl }), fetchUrl);
    assert.equal(await addressOfRemote(asks, { name: 'origin' }), undefined);
  });
});

describe('a failure of git', () => {
  const said = (stderr: string) =>
    inGitsWords(Object.assign(new Error('Failed to execute git'), { stdout: '', stderr }));

  it('is told in git’s words, with the files they’re about, also by the editor’s git', () => {
    const overwritten =
      'error: Your local changes to the following files would be overwritten by checkout:\n\ta.ts\n\tb.ts\nPlease commit your changes or stash them before you switch branches.\nAborting\n';
    assert.equal(
      errorWords(said(overwritten)),
      'Git on this computer failed: Your local changes to the following files would be overwritten by checkout: a.ts b.ts. Try again. If it fails again, run Show Logs for details.',
    );
    const unreachable = 'fatal: unable to access https://h/: Could not resolve host: h\n';
    assert.match(errorWords(said(unreachable)), /failed: unable to access .* host: h\. Try again\./);
  });

  it('stays as it is where git said nothing', () => {
    const error = new Error('The repository is no longer open.');
    assert.equal(inGitsWords(error), error);
  });
});
