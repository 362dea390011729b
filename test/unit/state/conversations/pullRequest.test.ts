import assert from 'node:assert/strict';
import {
  hasPullRequestPage,
  pullRequests,
  pullRequestWords,
} from '../../../../src/state/conversations/pullRequest';

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

  it('have no link if the provider or repository is unknown', () => {
    assert.equal(hasPullRequestPage(about('github')), true);
    for (const unknown of [
      about(null),
      about('forgejo'),
      about('github', []),
      about('github', [-1, 0.5, NaN]),
      { ...about('github'), selected_repository: null },
      { ...about('github'), selected_repository: 'shop' },
    ]) {
      assert.equal(hasPullRequestPage(unknown), false);
      assert.deepEqual(urls(unknown), []);
    }
  });

  it('link only to the provider’s host, whatever the service sends', () => {
    const [url = ''] = urls({ ...about('github'), selected_repository: '../@evil.example/x?#y' });
    assert.equal(new URL(url).host, 'github.com');
    for (const host of ['evil.example/path', 'user@evil.example', 'a b', 'javascript:x', '']) {
      assert.equal(new URL(urls(about('github'), host)[0] ?? '').host, 'github.com', host);
    }
  });

  it('take a host in any form that people enter', () => {
    for (const host of [
      'git.example.com',
      ' git.example.com ',
      'HTTP://git.example.com//',
      'https://git.example.com',
    ])
      assert.equal(new URL(urls(about('github'), host)[0] ?? '').host, 'git.example.com', host);
    for (const host of ['x-https://git.example.com', 'git.example.com:99/x'])
      assert.equal(new URL(urls(about('github'), host)[0] ?? '').host, 'github.com', host);
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
