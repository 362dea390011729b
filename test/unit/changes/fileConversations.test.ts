import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { ChangedFile, ChangeSet } from '../../../src/features/sandboxChanges/model/changeSet';
import {
  candidatesFor,
  changeOf,
  type FileHere,
  mostAsked,
  touchesOf,
  type TouchSources,
} from '../../../src/features/changes/model/fileConversations';
import { aConversation } from '../../support/builders/records';

const file: FileHere = {
  remotes: [
    { name: 'origin', url: 'git@github.com:acme/shop.git' },
    { name: 'mine', url: 'https://github.com/me/shop' },
  ],
  path: 'src/cart.ts',
  fullPath: '/home/me/shop/src/cart.ts',
};

const one = (id: string, selected_repository: string | null, updated_at = '2026-01-01T00:00:00Z') =>
  aConversation({ id, selected_repository, updated_at });

function changes(
  paths: readonly (string | Partial<ChangedFile>)[],
  repository: Partial<ChangeSet['repository']> = {},
): ChangeSet {
  const version = { oid: 'a', mode: '100644', size: 1 } as const;
  return {
    repository: { root: '/w/shop', name: 'shop', remote: null, base: null, head: null, ...repository },
    files: paths.map((some) => ({
      path: '',
      kind: 'modified',
      before: version,
      after: version,
      ...(typeof some === 'string' ? { path: some } : some),
    })),
    complete: true,
  };
}

describe('the conversations that changed a file', () => {
  it('are searched among those about its repository in any form, the last active first, then those about none', () => {
    const all = [
      one('none', null, '2026-05-01T00:00:00Z'),
      one('old', 'acme/shop'),
      one('other', 'acme/shop-two', '2026-05-01T00:00:00Z'),
      one('fork', 'Me/Shop', '2026-03-01T00:00:00Z'),
      one('new', 'acme/shop', '2026-04-01T00:00:00Z'),
    ];
    const { asked, left } = candidatesFor(file, all);
    assert.deepEqual(
      asked.map(({ id }) => id),
      ['new', 'fork', 'old', 'none'],
    );
    assert.equal(left, 0);
  });

  it('are searched within a limit, which is reported', () => {
    const all = Array.from({ length: mostAsked + 7 }, (_, index) => one(`${index}`, 'acme/shop'));
    const { asked, left } = candidatesFor(file, all);
    assert.deepEqual([asked.length, left], [mostAsked, 7]);
  });

  it('changed it, also before they moved it, and not a file of the same name elsewhere', () => {
    const of = (set: ChangeSet, about: string | null = 'acme/shop') => changeOf(file, set, about);
    assert.equal(of(changes(['src/cart.ts'])), 'modified');
    assert.equal(
      of(changes(['src/cart.ts'], { remote: 'https://github.com/acme/shop.git' }), null),
      'modified',
    );
    assert.equal(of(changes([{ path: 'b.ts', oldPath: 'src/cart.ts', kind: 'renamed' }])), 'renamed');
    for (const path of ['cart.ts', 'src/cart.tsx', 'lib/src/cart.ts', '/elsewhere/src/cart.ts'])
      assert.equal(of(changes([path])), undefined, path);
    assert.equal(of(changes(['src/cart.ts'], { remote: 'https://github.com/acme/other' })), undefined);
  });

  it('changed it in the very folder, where a repository has no remote', () => {
    const root = '/home/me/shop';
    assert.equal(changeOf(file, changes(['src/cart.ts'], { root }), null), 'modified');
    assert.equal(changeOf(file, changes(['src/cart.ts'], { root: '/w/shop' }), null), undefined);
    assert.equal(changeOf(file, changes(['/home/me/shop/src/cart.ts'], { root: '/tmp' }), null), 'modified');
  });

  describe('are asked', () => {
    const asked = ['edited', 'ran', 'none', 'apart', 'lost'].map((id) => one(id, 'acme/shop'));
    const hit = changes(['src/cart.ts']);
    const miss = changes(['other.ts']);
    const fail = () => Promise.reject(new Error('unreachable'));
    const events: Record<string, () => Promise<ChangeSet[]>> = {
      edited: () => Promise.resolve([hit]),
      lost: fail,
    };
    const sandbox: Record<string, () => Promise<ChangeSet[]>> = {
      ran: () => Promise.resolve([miss, hit]),
      apart: fail,
      lost: fail,
    };
    const calls: string[] = [];
    const sources: TouchSources = {
      fromEvents: ({ id }) => (calls.push(`events ${id}`), (events[id] ?? (() => Promise.resolve([miss])))()),
      fromSandbox: ({ id }) => (calls.push(`git ${id}`), (sandbox[id] ?? (() => Promise.resolve([])))()),
    };
    beforeEach(() => (calls.length = 0));
    const ask = (signal = new AbortController().signal, reports: number[] = []) =>
      touchesOf(file, asked, sources, (done) => reports.push(done), signal);

    it('by their transcripts first, and by their sandboxes', async () => {
      const reports: number[] = [];
      const { found, unread, apart } = await ask(undefined, reports);
      assert.deepEqual(
        found.map(({ conversation, kind, isOwn }) => [conversation.id, kind, isOwn]),
        [
          ['edited', 'modified', true],
          ['ran', 'modified', false],
        ],
      );
      assert.deepEqual([unread, apart], [1, 2]);
      assert.ok(!calls.includes('git edited'));
      assert.deepEqual(reports, [1, 2, 3, 4, 5]);
    });

    it('no further once it’s canceled', async () => {
      const canceling = new AbortController();
      const only = (of: Conversation) => {
        canceling.abort(new Error('canceled'));
        return sources.fromEvents(of, canceling.signal);
      };
      await assert.rejects(
        touchesOf(file, asked, { ...sources, fromEvents: only }, () => assert.fail(), canceling.signal),
        /canceled/,
      );
      assert.ok(calls.length <= 3, calls.join());
    });
  });
});
