import assert from 'node:assert/strict';
import type { CommandResult, FolderState } from '../../../src/api/service/serverFolders';
import { ApiError } from '../../../src/api/http/errors';
import {
  cloneAddress,
  cloneName,
  folderProblem,
  prepareFolder,
} from '../../../src/features/start/model/agentFolder';
import { StartFailed, type StartStep } from '../../../src/features/start/model/startConversation';

const address = 'https://github.com/acme/shop.git';
const cloned: FolderState = {
  kind: 'repository',
  branch: 'main',
  changed: 0,
  hasCommit: true,
  origin: address,
};

describe('the folder of a start on an agent server', () => {
  let states: (FolderState | Error)[];
  let result: CommandResult;
  let clones: string[];
  let steps: StartStep['kind'][];
  beforeEach(() => {
    states = [{ kind: 'missing' }, cloned];
    result = { exitCode: 0, stdout: '', stderr: '' };
    clones = [];
    steps = [];
  });

  const prepare = (choice: { isWorktree?: boolean; clone?: string } = {}) =>
    prepareFolder({
      server: {
        readFolder: () => {
          const state = states.shift();
          return state instanceof Error
            ? Promise.reject(state)
            : Promise.resolve(state ?? { kind: 'missing' });
        },
        clone: (from, to) => {
          clones.push(`${from} ${to}`);
          return Promise.resolve(result);
        },
      },
      choice: { folder: '/home/shop', isWorktree: false, ...choice },
      report: ({ kind }) => steps.push(kind),
      signal: new AbortController().signal,
      wait: () => Promise.resolve(),
    });
  const refusal = async (choice: Parameters<typeof prepare>[0]) => {
    const error = await prepare(choice).then(
      () => assert.fail('it was taken'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof StartFailed, String(error));
    return error.message;
  };

  it('is left as it is without a repository to clone', async () => {
    for (const state of ['missing', 'folder', 'repository'] as const) {
      states = [{ kind: state }];
      await prepare();
    }
    assert.deepEqual([clones, steps], [[], []]);
  });

  it('gets a clone, and says so', async () => {
    await prepare({ clone: address });
    assert.deepEqual([clones, steps], [[`${address} /home/shop`], ['cloning']]);
  });

  it('is used again if the clone is there, however its address is written', async () => {
    for (const origin of [
      address,
      'https://github.com/acme/shop',
      'https://github.com/acme/shop/',
      'https://GitHub.com/Acme/Shop.git',
      'https://x-access-token:t@github.com/acme/shop.git',
      'git@github.com:acme/shop.git',
      'ssh://git@ssh.github.com:443/acme/shop.git',
    ]) {
      states = [{ ...cloned, origin }];
      await prepare({ clone: address, isWorktree: true });
    }
    assert.deepEqual(clones, []);
  });

  it('is used if another start has cloned it in the meantime', async () => {
    result = { exitCode: 17, stdout: '', stderr: '' };
    await prepare({ clone: address });
  });

  it('never loses what is in it', async () => {
    for (const state of [
      { kind: 'file' },
      { kind: 'repository', hasCommit: true },
      { ...cloned, origin: 'https://github.com/acme/docs.git' },
      { ...cloned, origin: 'https://git.example.com/acme/shop.git' },
      { ...cloned, origin: '/srv/acme/shop.git' },
    ] as const) {
      states = [state];
      assert.match(await refusal({ clone: address }), /“\/home\/shop” has something else in it/);
    }
    assert.deepEqual(clones, []);
    states = [{ kind: 'folder' }, { kind: 'folder' }];
    result = { exitCode: 17, stdout: '', stderr: '' };
    assert.match(await refusal({ clone: address }), /has something else in it, so nothing was cloned/);
  });

  it('says in git’s words why nothing was cloned, and how to get access', async () => {
    states = [{ kind: 'missing' }, { kind: 'missing' }];
    result = {
      exitCode: 128,
      stdout: '',
      stderr: 'fatal: unable to access: Could not resolve host: github.com\n',
    };
    const unreachable = await refusal({ clone: address });
    assert.match(unreachable, /couldn’t be cloned\. Git says: .*Could not resolve host: github\.com\.$/);
    states = [{ kind: 'missing' }, { kind: 'missing' }];
    // As Git's own settings rewrite addresses.
    result.stderr =
      "fatal: unable to access 'https://me:canary-token@github.com/acme/shop/?key=canary': 403\n";
    const unauthorized = await refusal({ clone: address });
    assert.match(unauthorized, /Git says: .*'https:\/\/github\.com\/acme\/shop\/': 403\.$/);
    states = [{ kind: 'missing' }, { kind: 'missing' }];
    result.stderr = "fatal: could not read Username for 'https://github.com': terminal prompts disabled\n";
    assert.match(await refusal({ clone: address }), /needs access to it: sign in there/);
    states = [{ kind: 'missing' }, { kind: 'missing' }];
    result.stderr = 'one\ntwo\nthree\nfatal: four\n';
    assert.match(await refusal({ clone: address }), /Git says: two three fatal: four\.$/);
    states = [{ kind: 'missing' }, { kind: 'missing' }];
    result = { exitCode: -1, stdout: '', stderr: '' };
    assert.match(await refusal({ clone: address }), /No reason was given\./);
  });

  it('can’t be a file, nor have a worktree without a commit', async () => {
    for (const [state, isWorktree, words] of [
      [{ kind: 'file' }, false, /is a file/],
      [{ kind: 'folder' }, true, /isn’t in a Git repository/],
      [{ kind: 'missing' }, true, /isn’t in a Git repository/],
      [{ kind: 'repository', hasCommit: false }, true, /has no commit yet/],
    ] as const) {
      states = [state];
      assert.match(await refusal({ isWorktree }), words);
    }
    assert.equal(folderProblem('/a', { kind: 'repository', hasCommit: false }, false), undefined);
    assert.equal(folderProblem('/a', cloned, true), undefined);
  });

  it('is left to the server where its shell doesn’t answer, unless something is to be cloned', async () => {
    const failure = () => new ApiError('serverError', 'POST', '/api/bash/execute_bash_command');
    states = [failure()];
    await prepare({ isWorktree: true });
    states = [failure()];
    await assert.rejects(prepare({ clone: address }), ApiError);
  });

  it('isn’t left to a server that refuses the key, and defects are passed on', async () => {
    const route = '/api/bash/execute_bash_command';
    for (const error of [new ApiError('unauthorized', 'POST', route, { status: 401 }), new TypeError('x')]) {
      states = [error];
      await assert.rejects(prepare(), error);
    }
  });
});

describe('the address of a repository to clone', () => {
  for (const [typed, expected, name] of [
    ['acme/shop', address, 'shop'],
    ['acme/shop.js', 'https://github.com/acme/shop.js.git', 'shop.js'],
    ['acme/shop.git', address, 'shop'],
    ['https://github.com/acme/shop?tab=readme-ov-file#usage', 'https://github.com/acme/shop', 'shop'],
    ['http://git.example/acme/shop#usage', 'http://git.example/acme/shop', 'shop'],
    ['https://github.com/acme/shop/blob/main/a.ts#L3', 'https://github.com/acme/shop', 'shop'],
    [
      'https://code.corp.example/projects/WEB/repos/shop/browse',
      'https://code.corp.example/scm/WEB/shop.git',
      'shop',
    ],
    [
      'https://code.corp.example/git/users/ada/repos/shop?tab=x',
      'https://code.corp.example/git/scm/~ada/shop.git',
      'shop',
    ],
    ['https://gitlab.example.com/a/b/c.git', 'https://gitlab.example.com/a/b/c.git', 'c'],
    ['git@github.com:acme/shop.git', 'git@github.com:acme/shop.git', 'shop'],
    ['ssh://git@host.example:22/acme/shop', 'ssh://git@host.example:22/acme/shop', 'shop'],
    ['ssh://git@host.example:22/acme/shop/', 'ssh://git@host.example:22/acme/shop', 'shop'],
    ['work-github:acme/shop.git', 'work-github:acme/shop.git', 'shop'],
    ['github.com/acme/shop', 'https://github.com/acme/shop', 'shop'],
    ['https://github.com/acme/shop/tree/main', 'https://github.com/acme/shop', 'shop'],
    ['https://gitlab.com/a/b/c/-/merge_requests/5', 'https://gitlab.com/a/b/c', 'c'],
    ['https://acme@dev.azure.com/acme/web/_git/shop', 'https://dev.azure.com/acme/web/_git/shop', 'shop'],
    ['https://me@bitbucket.org/acme/shop.git', 'https://bitbucket.org/acme/shop.git', 'shop'],
  ] as const)
    it(`is understood as ${typed}`, () => {
      assert.equal(cloneAddress(typed), expected);
      assert.equal(cloneName(expected), name);
    });

  for (const typed of [
    'shop',
    '../..',
    './shop',
    'https://github.com/acme/..',
    'https://user:token@github.com/acme/shop.git',
    'https://token@github.com/acme/shop.git',
    'https://acme:token@dev.azure.com/acme/web/_git/shop',
    '-oProxyCommand:acme/shop',
    'C:/acme/shop',
    'https://github.com/acme/shop.git?access_token=x',
    'https://github.com/acme/shop.git#x',
    'https://github.com/acme/shop?access_token=x',
    'git+https://github.com/acme/shop#main',
    'https://github.com/acme/shop x',
    'https://github.com/acme/\u202eshop',
    'git@host.example:acme/shop x',
    'https://user:token@github.com/acme/shop#usage',
    'ssh://git:secret@host.example/acme/shop',
    'ext::sh -c touch% /tmp/x',
    '--upload-pack=touch /tmp/x',
    'file:///etc/passwd',
    '/srv/git/shop.git',
    'git@host:a/../b',
    "https://h.example/a/b'\n; touch x",
  ])
    it(`isn’t ${JSON.stringify(typed)}`, () => assert.equal(cloneAddress(typed), undefined));
});
