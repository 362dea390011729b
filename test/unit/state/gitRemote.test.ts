import assert from 'node:assert/strict';
import { parseRemote } from '../../../src/state/gitRemote';

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
    ['git://git.example.com/acme/shop.git', 'acme/shop', undefined],
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
  ]) {
    it(`finds no repository in “${address}”`, () => assert.equal(parseRemote(address), undefined));
  }
});
