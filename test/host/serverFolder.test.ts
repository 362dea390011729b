import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../src/api/service/agentServerStart';
import { askServerFolder } from '../../src/editor/asking/askServerFolder';
import { answering } from './answering';

const unlisted = 'Couldn’t list the folders here';

describe('browsing the folders of an agent server', () => {
  for (const [what, failure] of [
    ['a refusal', new Error('403')],
    ['no answer', new TypeError('fetch failed')],
  ] as const) {
    it(`says that a folder couldn’t be listed, instead of showing none, and tries again (${what})`, async () => {
      const asked: string[] = [];
      const server = {
        listWorkspaceParents: () => Promise.reject(failure),
        listFolders: (path: string) => {
          asked.push(path);
          return asked.length === 1
            ? Promise.reject(failure)
            : Promise.resolve([{ name: 'shop', path: '/home/shop' }]);
        },
      } as unknown as AgentServerCalls;
      const { rows, restore } = answering([
        'Browse…',
        { type: '', pick: unlisted },
        { type: '', pick: 'shop' },
        'Use This Folder',
      ]);
      try {
        const folder = await askServerFolder(server, { open: [], saved: [], home: '/home' }, undefined);
        assert.equal(folder, '/home/shop');
      } finally {
        restore();
      }
      assert.deepEqual(asked, ['/home', '/home', '/home/shop']);
      assert.deepEqual(
        rows.map((shown) => shown.some((row) => row.startsWith(unlisted))),
        [false, true, false, false],
      );
    });
  }

  it('can begin in one that holds projects', async () => {
    const asked: string[] = [];
    const server = {
      listWorkspaceParents: () => Promise.resolve([{ name: 'work', path: '/srv/work' }]),
      listFolders: (path: string) => {
        asked.push(path);
        return Promise.resolve([{ name: 'shop', path: '/srv/work/shop' }]);
      },
    } as unknown as AgentServerCalls;
    const saved = [{ name: 'docs', path: '/srv/docs' }];
    const { rows, restore } = answering([
      { type: '', pick: 'work' },
      { type: '', pick: 'shop' },
      'Use This Folder',
    ]);
    try {
      const folder = await askServerFolder(server, { open: [], saved, home: '/home' }, undefined);
      assert.equal(folder, '/srv/work/shop');
    } finally {
      restore();
    }
    assert.deepEqual(rows[0], [
      'docs: saved on the server /srv/docs',
      'Browse…:',
      'work: holds projects /srv/work',
    ]);
    assert.deepEqual(asked, ['/srv/work', '/srv/work/shop']);
  });
});
