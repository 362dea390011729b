import assert from 'node:assert/strict';
import { hasPullRequestPage, pullRequests, pullRequestWords } from '../../../src/core/pullRequest';

const about = (git_provider: string | null, pr_number: number[] = [12]) => ({
  git_provider,
  pr_number,
  selected_repository: 'acme/shop',
});
const urls = (...of: Parameters<typeof pullRequests>) => pullRequests(...of).map(({ url }) => url);

describe('pull requests', () => {
  it('link to the page at each provider, on a custom host if set', () => {
    assert.deepEqual(urls(about('github')), ['https://github.com/acme/shop/pull/12']);
    assert.deepEqual(urls(about('gitlab')), ['https://gitlab.com/acme/shop/-/merge_requests/12']);
    assert.deepEqual(urls(about('bitbucket')), ['https://bitbucket.org/acme/shop/pull-requests/12']);
    assert.deepEqual(urls(about('GITHUB'), 'https://git.example.com:8443/'), [
      'https://git.example.com:8443/acme/shop/pull/12',
    ]);
  });

  it('link to the pages of providers that have forms of their own', () => {
    const at = (git_provider: string, selected_repository: string, host?: string) =>
      urls({ git_provider, selected_repository, pr_number: [5] }, host);
    assert.deepEqual(at('forgejo', 'acme/shop'), ['https://codeberg.org/acme/shop/pulls/5']);
    assert.deepEqual(at('forgejo', 'acme/shop', 'http://gitea.local:3000/api/v1'), [
      'http://gitea.local:3000/acme/shop/pulls/5',
    ]);
    const azure = 'https://dev.azure.com/acme/Web%20Shop/_git/shop/pullrequest/5';
    for (const host of [undefined, 'dev.azure.com', 'https://dev.azure.com/acme', 'dev.azure.com/ACME/'])
      assert.deepEqual(at('azure_devops', 'acme/Web Shop/shop', host), [azure]);
    for (const host of ['acme.visualstudio.com', 'https://ACME.visualstudio.com/'])
      assert.deepEqual(at('azure_devops', 'acme/Web Shop/shop', host), [
        'https://acme.visualstudio.com/Web%20Shop/_git/shop/pullrequest/5',
      ]);
    assert.deepEqual(at('azure_devops', 'acme/shop'), []);
    assert.deepEqual(at('bitbucket_data_center', 'WEB/shop'), []);
    assert.deepEqual(at('bitbucket_data_center', 'WEB/shop', 'https://corp.example/code/rest/api/1.0'), [
      'https://corp.example/code/projects/WEB/repos/shop/pull-requests/5',
    ]);
    assert.deepEqual(at('bitbucket_data_center', 'WEB/shop', 'corp.example/rest/api/latest/'), [
      'https://corp.example/projects/WEB/repos/shop/pull-requests/5',
    ]);
    assert.deepEqual(at('bitbucket_data_center', '~ada/shop', 'code.corp.example'), [
      'https://code.corp.example/users/ada/repos/shop/pull-requests/5',
    ]);
  });

  it('have no link if the provider or repository is unknown', () => {
    assert.equal(hasPullRequestPage(about('github')), true);
    for (const unknown of [
      about(null),
      about('sourcehut'),
      about('github', []),
      about('github', [-1, 0.5, NaN]),
      { ...about('github'), selected_repository: null },
      { ...about('github'), selected_repository: 'shop' },
    ]) {
      assert.equal(hasPullRequestPage(unknown), false);
      assert.deepEqual(urls(unknown), []);
    }
  });

  it('never link to the public host for a repository on another one', () => {
    const named = (selected_repository: string) => urls({ ...about('github'), selected_repository });
    const [url = ''] = named('a/@evil.example/x?#y');
    assert.equal(new URL(url).host, 'github.com');
    // A browser would open the page of another repository.
    for (const name of ['../shop', 'acme/..', 'acme/./shop', 'acme/../other/shop'])
      assert.deepEqual(named(name), []);
    for (const host of [
      ...[
        'user@git.corp.example',
        'a b',
        'javascript:x',
        'x-https://git.corp.example',
        'ftp://git.corp.example',
      ],
      ...[
        'https://git.corp.example?x',
        'git.corp.example#x',
        'git\\corp',
        'https://',
        'git.corp.example:99999',
      ],
    ])
      assert.deepEqual(urls(about('github'), host), [], host);
    for (const host of [null, undefined, '', ' '])
      assert.deepEqual(urls(about('github'), host), ['https://github.com/acme/shop/pull/12']);
  });

  it('take a host or address in any form that people enter, with its path, without that of an interface', () => {
    for (const [host, base] of [
      ['git.example.com', 'https://git.example.com'],
      [' git.example.com ', 'https://git.example.com'],
      ['HTTP://git.example.com//', 'http://git.example.com'],
      ['https://git.example.com', 'https://git.example.com'],
      ['https://git.example.com/api/v3', 'https://git.example.com'],
      ['git.example.com/api/v3/', 'https://git.example.com'],
      ['http://git.example.com:8080', 'http://git.example.com:8080'],
      ['corp.example/gitlab', 'https://corp.example/gitlab'],
      ['https://corp.example/gitlab/api/v4', 'https://corp.example/gitlab'],
      ['git.example.com:99/x', 'https://git.example.com:99/x'],
      ['https://api.github.com', 'https://github.com'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
      ['https://git.example.com/api/graphql', 'https://git.example.com'],
      ['https://api.github.com/graphql', 'https://github.com'],
      ['api.acme.ghe.com', 'https://acme.ghe.com'],
      ['https://api.example.com', 'https://api.example.com'],
    ] as const)
      assert.deepEqual(urls(about('github'), host), [`${base}/acme/shop/pull/12`], host);
    for (const host of ['api.bitbucket.org', 'https://api.bitbucket.org/2.0/'])
      assert.deepEqual(urls(about('bitbucket'), host), ['https://bitbucket.org/acme/shop/pull-requests/12']);
  });

  it('leave out numbers that can’t be one', () => {
    assert.equal(pullRequestWords({ pr_number: [0, 12, -1] }), '#12');
    assert.equal(pullRequestWords({ pr_number: [1, 2, 3] }), '#1 #2 #3');
  });

  it('are labeled with at most three numbers', () => {
    assert.equal(pullRequestWords({ pr_number: [12, 15] }), '#12 #15');
    assert.equal(pullRequestWords({ pr_number: [1, 2, 3, 4] }), '#1 #2 #3…');
    assert.equal(pullRequestWords({ pr_number: null }), undefined);
  });
});
