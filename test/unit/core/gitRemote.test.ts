import assert from 'node:assert/strict';
import {
  hasRemote,
  proposeFolders,
  proposeRepositories,
  unpushedProposal,
} from '../../../src/core/gitRemote';
import { parseRemote, repositoryFrom } from '../../../src/core/remoteAddress';

describe('git remotes', () => {
  for (const [address, repository, provider] of [
    ['https://github.com/acme/shop.git', 'acme/shop', 'github'],
    ['https://github.com/acme/shop', 'acme/shop', 'github'],
    ['https://github.com/acme/shop/', 'acme/shop', 'github'],
    ['https://ada:secret@gitlab.com/acme/tools/shop.git', 'acme/tools/shop', 'gitlab'],
    ['git@github.com:acme/shop.git', 'acme/shop', 'github'],
    ['git@bitbucket.org:acme/shop.git', 'acme/shop', 'bitbucket'],
    ['gitlab.example.com:acme/shop', 'acme/shop', 'gitlab'],
    ['ssh://git@gitlab.example.com:2222/acme/shop.git', 'acme/shop', 'gitlab'],
    ['https://gitlab.example.com:8443/acme/tools/web/shop.git', 'acme/tools/web/shop', 'gitlab'],
    ['git@gitlab.com:acme/tools/shop.git', 'acme/tools/shop', 'gitlab'],
    ['ssh://git@ssh.github.com:443/acme/shop.git', 'acme/shop', 'github'],
    ['https://bitbucket.example.com/scm/acme/shop.git', 'acme/shop', 'bitbucket_data_center'],
    ['https://git.example.com:3000/acme/shop', 'acme/shop', undefined],
    ['git://git.example.com/acme/shop.git', 'acme/shop', undefined],
    ['http://git.example.com//acme/shop.git//', 'acme/shop', undefined],
    ['https://git.example.com/acme/shop.github', 'acme/shop.github', undefined],
    ['https://git.example.com/scm/shop', 'scm/shop', undefined],
    ['https://bitbucket.example.com/acme/scm/shop', 'acme/scm/shop', 'bitbucket_data_center'],
    ['https://code.corp.example/scm/web/shop.git', 'web/shop', 'bitbucket_data_center'],
    ['https://corp.example/bitbucket/scm/web/shop.git', 'web/shop', 'bitbucket_data_center'],
    ['ssh://git@code.corp.example:7999/web/shop.git', 'web/shop', 'bitbucket_data_center'],
    ['ssh://git@code.corp.example:7999/~ada/shop.git', '~ada/shop', 'bitbucket_data_center'],
    ['https://gitlab.com/scm/team/shop', 'scm/team/shop', 'gitlab'],
    ['https://codeberg.org/acme/shop.git', 'acme/shop', 'forgejo'],
    ['git@forgejo.corp.example:acme/shop.git', 'acme/shop', 'forgejo'],
    ['git@ssh.dev.azure.com:v3/acme/web/shop', 'acme/web/shop', 'azure_devops'],
    ['git@ssh.dev.azure.com:v3/acme/Web%20Shop/Web%20Shop', 'acme/Web Shop/Web Shop', 'azure_devops'],
    ['acme@vs-ssh.visualstudio.com:v3/acme/web/shop', 'acme/web/shop', 'azure_devops'],
    ['ssh://git@ssh.dev.azure.com/v3/acme/web/shop', 'acme/web/shop', 'azure_devops'],
    ['https://acme@dev.azure.com/acme/web/_git/shop', 'acme/web/shop', 'azure_devops'],
    ['https://dev.azure.com/acme/Web%20Shop/_git/Web%20Shop', 'acme/Web Shop/Web Shop', 'azure_devops'],
    ['https://dev.azure.com/acme/_git/shop', 'acme/shop/shop', 'azure_devops'],
    ['https://acme.visualstudio.com/web/_git/shop', 'acme/web/shop', 'azure_devops'],
    ['https://acme.visualstudio.com/_git/shop', 'acme/shop/shop', 'azure_devops'],
    ['https://acme.visualstudio.com/DefaultCollection/web/_git/shop', 'acme/web/shop', 'azure_devops'],
    ['https://dev.azure.com/acme/web/_git/_optimized/shop', 'acme/web/shop', 'azure_devops'],
    ['ssh://acme@acme.visualstudio.com:22/web/_ssh/shop', 'acme/web/shop', 'azure_devops'],
    ['ssh://acme@vs-ssh.visualstudio.com:22/web/_ssh/shop', 'acme/web/shop', 'azure_devops'],
    [
      'ssh://acme@vs-ssh.visualstudio.com:22/DefaultCollection/web/_ssh/shop',
      'acme/web/shop',
      'azure_devops',
    ],
    ['https://tfs.corp.example/tfs/Main/web/_git/shop', 'Main/web/shop', 'azure_devops'],
    ['https://github.com/acme/shop.GIT', 'acme/shop', 'github'],
    ['git+ssh://git@github.com/acme/shop.git', 'acme/shop', 'github'],
    ['ssh+git://git@gitlab.com/acme/shop', 'acme/shop', 'gitlab'],
    ['git@[fd00::1]:acme/shop.git', 'acme/shop', undefined],
    ['[::1]:acme/tools/shop', 'acme/tools/shop', undefined],
    ['[git@gitlab.local:2222]:acme/shop.git', 'acme/shop', 'gitlab'],
    ['[code.corp.example:7999]:~ada/shop.git', '~ada/shop', 'bitbucket_data_center'],
  ] as const) {
    it(`reads ${address}`, () => assert.deepEqual(parseRemote(address), { repository, provider }));
  }
  for (const address of [
    '/srv/git/shop.git',
    'C:\\git\\shop',
    'C:/git/shop',
    'file:///srv/git/shop',
    '',
    'https://github.com/',
    'https://github.com/acme',
    'x-https://github.com/acme/shop',
    'git@github.com:acme/shop and more',
    'https://github.com/acme/%2e%2e/shop%2Fother',
    'git@ssh.dev.azure.com:v3/acme',
    'codecommit::us-east-1://shop',
    'codecommit://shop',
    'hg::https://github.com/acme/shop',
    'ext::ssh/acme/shop',
    'git@[fd00::1:acme/shop',
    'https://gist.github.com/ada/0123456789abcdef',
    'git@gist.github.com:0123456789abcdef.git',
    'ssh://vs-ssh.visualstudio.com:22/web/_ssh/shop',
    'ssh://git-codecommit.us-east-1.amazonaws.com/v1/repos/shop',
    'https://source.developers.google.com/p/acme/r/shop',
    'ada@host.example:~/acme/shop',
    'https://github.com/acme/shop\n.other',
    'https://github.com\\acme/shop',
  ]) {
    it(`finds no repository in “${address}”`, () => assert.equal(parseRemote(address), undefined));
  }
});

describe('remotes of an open repository', () => {
  const remotes = [
    { name: 'fork', url: '/srv/git/shop.git' },
    { name: 'origin', url: 'git@github.com:Acme/Shop.git' },
  ];

  it('include an address in any form and case', () => {
    for (const address of [
      'https://github.com/acme/shop',
      'git@github.com:acme/shop.git',
      '/srv/git/SHOP.git',
    ])
      assert.equal(hasRemote({ remotes }, address), true, address);
  });

  it('don’t include another repository', () => {
    for (const address of ['https://github.com/acme/other', '/srv/git/other.git'])
      assert.equal(hasRemote({ remotes }, address), false, address);
    assert.equal(hasRemote({ remotes: [] }, '/srv/git/shop.git'), false);
  });
});

describe('typed or pasted repository', () => {
  for (const [text, repository, provider] of [
    ['acme/shop', 'acme/shop', undefined],
    ['acme/tools/shop', 'acme/tools/shop', undefined],
    ['acme/shop.git', 'acme/shop', undefined],
    ['git@github.com:acme/shop.git', 'acme/shop', 'github'],
    ['https://gitlab.example.com/acme/tools/shop', 'acme/tools/shop', 'gitlab'],
    ['https://github.com/acme/shop/', 'acme/shop', 'github'],
    ['https://github.com/acme/shop?tab=readme-ov-file#usage', 'acme/shop', 'github'],
    ['https://github.com/acme/shop/pull/12/files', 'acme/shop', 'github'],
    ['https://github.com/acme/shop/issues', 'acme/shop', 'github'],
    ['https://github.com/acme/shop/blob/main/src/a.ts#L3', 'acme/shop', 'github'],
    ['https://github.com/acme/shop/tree/feature/cart', 'acme/shop', 'github'],
    ['github.com/acme/shop', 'acme/shop', 'github'],
    ['www.github.com/acme/shop/pulls', 'acme/shop', 'github'],
    ['gitlab.com/acme/tools/shop/-/merge_requests/5', 'acme/tools/shop', 'gitlab'],
    ['https://git.corp.example/acme/tools/shop/-/issues', 'acme/tools/shop', 'gitlab'],
    ['git.corp.example:3000/acme/shop', 'acme/shop', undefined],
    ['git.corp.example/acme/shop/pulls/5', 'acme/shop', undefined],
    ['https://bitbucket.org/acme/shop/pull-requests/5', 'acme/shop', 'bitbucket'],
    ['https://code.corp.example/projects/WEB/repos/shop/browse', 'WEB/shop', 'bitbucket_data_center'],
    ['https://code.corp.example/users/ada/repos/shop', '~ada/shop', 'bitbucket_data_center'],
    ['https://dev.azure.com/acme/web/_git/shop/pullrequest/5', 'acme/web/shop', 'azure_devops'],
    ['dev.azure.com/acme/web/_git/shop?version=GBmain', 'acme/web/shop', 'azure_devops'],
    ['my.team/shop', 'my.team/shop', undefined],
  ] as const) {
    it(`reads the repository from ${text}`, () =>
      assert.deepEqual(repositoryFrom(text), { repository, provider }));
  }
  for (const [text, repository, branch] of [
    ['https://github.com/acme/shop/tree/main', 'acme/shop', 'main'],
    ['https://gitlab.example.com/acme/tools/shop/-/tree/main', 'acme/tools/shop', 'main'],
    ['https://bitbucket.org/acme/shop/src/main/', 'acme/shop', 'main'],
    ['codeberg.org/acme/shop/src/branch/next', 'acme/shop', 'next'],
  ] as const) {
    it(`reads the branch from ${text}`, () => {
      const found = repositoryFrom(text);
      assert.deepEqual([found?.repository, found?.branch], [repository, branch]);
    });
  }
  for (const text of [
    ...['', 'shop', 'acme/', 'acme /shop', 'https://github.com/acme', 'look into acme/shop and more'],
    ...['../shop', './acme/shop', 'acme/..'],
    ...['https://github.com/acme/shop/unheard/of', 'github.com/acme', 'https://github.com/'],
    ...['https://raw.githubusercontent.com/acme/shop/main/a.md', 'https://vscode.dev/github/acme/shop'],
    ...['acme/shop#12', 'acme/shop?tab=readme'],
    ...['https://gist.github.com/ada/0123456789abcdef', 'gist.github.com/ada/0123456789abcdef'],
  ]) {
    it(`finds no repository in “${text}”`, () => assert.equal(repositoryFrom(text), undefined));
  }
});

describe('repository suggestions', () => {
  const origin = { name: 'origin', url: 'git@github.com:acme/shop.git' };
  const fork = { name: 'fork', url: 'https://github.com/ada/shop.git' };
  const root = 'file:///home/ada/shop';
  const open = { root, remotes: [fork, origin], branch: 'mend', upstream: undefined, remoteBranches: [] };

  it('lists origin first and marks a branch that was never pushed', () => {
    assert.deepEqual(proposeRepositories([open]), [
      {
        repository: 'acme/shop',
        provider: 'github',
        root,
        remote: 'origin',
        branch: 'mend',
        pushed: false,
        branches: [],
      },
      {
        repository: 'ada/shop',
        provider: 'github',
        root,
        remote: 'fork',
        branch: 'mend',
        pushed: false,
        branches: [],
      },
    ]);
  });

  it('lists the tracked remote first, with the remote’s branch name', () => {
    const upstream = { remote: 'fork', branch: 'mend-login' };
    const [first, second] = proposeRepositories([
      { ...open, upstream, remoteBranches: [{ remote: 'origin', branch: 'main' }, upstream] },
    ]);
    assert.deepEqual(first, {
      repository: 'ada/shop',
      provider: 'github',
      root,
      remote: 'fork',
      branch: 'mend-login',
      pushed: true,
      branches: ['mend-login'],
    });
    assert.equal(second?.pushed, false);
    assert.deepEqual(second.branches, ['main']);
  });

  it('includes no branch for a detached HEAD', () => {
    const [first] = proposeRepositories([{ ...open, branch: undefined }]);
    assert.equal(first?.branch, undefined);
  });

  it('marks a branch that must be pushed first', () => {
    const proposals = proposeRepositories([open]);
    const chosen = { repository: 'acme/shop', branch: 'mend' };
    assert.equal(unpushedProposal(chosen, proposals)?.remote, 'origin');
    assert.equal(unpushedProposal({ ...chosen, branch: 'main' }, proposals), undefined);
    assert.equal(unpushedProposal({ ...chosen, branch: undefined }, proposals), undefined);
    assert.equal(unpushedProposal({ ...chosen, repository: 'acme/other' }, proposals), undefined);
    const pushed = proposeRepositories([{ ...open, remoteBranches: [{ remote: 'origin', branch: 'mend' }] }]);
    assert.equal(unpushedProposal(chosen, pushed), undefined);
    const detached = proposeRepositories([{ ...open, branch: undefined }]);
    assert.equal(unpushedProposal({ ...chosen, branch: undefined }, detached), undefined);
  });

  it('lists each folder once where its changes count, with the remote it tracks', () => {
    const other = { ...open, root: 'file:///home/ada/other', upstream: { remote: 'fork', branch: 'mend' } };
    const disk = { ...open, root: 'file:///disk', remotes: [{ name: 'disk', url: '/srv/git/x' }] };
    assert.deepEqual(
      proposeFolders([open, disk, other, { ...open, root: 'file:///clone' }]).map((one) => [
        one.root,
        one.repository,
      ]),
      [
        [root, 'acme/shop'],
        [other.root, 'ada/shop'],
        ['file:///clone', 'acme/shop'],
      ],
    );
  });

  it('lists each repository once', () => {
    assert.equal(proposeRepositories([open, open]).length, 2);
    assert.deepEqual(proposeRepositories([]), []);
    assert.deepEqual(proposeRepositories([{ ...open, remotes: [{ name: 'disk', url: '/srv/git/x' }] }]), []);
  });
});
