import assert from 'node:assert/strict';
import type { ReadChanges } from '../../../src/features/sandboxChanges/model/changeSet';
import { ownRepositories } from '../../../src/features/changes/model/ownRepositories';

const repository = (root: string, remote: string | null): ReadChanges => ({
  changes: {
    repository: { root, name: root.slice(root.lastIndexOf('/') + 1), remote, base: null, head: null },
    files: [],
    complete: true,
  },
  source: { list: () => assert.fail(), content: () => assert.fail() },
});
const own = (all: readonly ReadChanges[], name: string | null | undefined) =>
  ownRepositories(all, name).map(({ changes }) => changes.repository.root);

describe('the repositories that a conversation is about', () => {
  const shop = repository('/work/shop', 'git@github.com:Acme/shop.git');
  const worktree = repository('/elsewhere/fix', 'https://github.com/acme/shop');
  const submodule = repository('/work/shop/vendor/lib', 'https://github.com/acme/lib');
  const other = repository('/work/other/shop', 'https://github.com/other/shop');
  const beside = repository('/work/shopping', 'https://github.com/acme/shopping');

  it('are the one with its remote, its worktrees, and what is in them', () => {
    const all = [other, shop, worktree, submodule, beside];
    assert.deepEqual(own(all, 'acme/shop'), ['/work/shop', '/elsewhere/fix', '/work/shop/vendor/lib']);
    assert.deepEqual(own(all, 'other/shop'), ['/work/other/shop']);
  });

  it('are the one with its name where there is no remote', () => {
    assert.deepEqual(own([repository('/work/Shop', null), other], 'acme/shop'), ['/work/Shop']);
  });

  it('are none where it has none, or that has no changes', () => {
    for (const name of [null, undefined, 'acme/none']) assert.deepEqual(own([shop, other], name), []);
  });
});
