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
});
