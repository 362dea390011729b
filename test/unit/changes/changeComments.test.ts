import assert from 'node:assert/strict';
import {
  type ChangeComment,
  ChangeComments,
  commentsMessage,
} from '../../../src/features/changes/model/changeComments';

const comment = (change: Partial<ChangeComment> = {}): ChangeComment => ({
  id: '1',
  conversation: 'c',
  uri: 'agent-workspace-changes:/a.ts',
  path: 'src/a.ts',
  language: 'typescript',
  firstLine: 3,
  lastLine: 3,
  code: 'let a = 1;',
  text: 'Use const.',
  ...change,
});

describe('comments on changes', () => {
  let stored: unknown;
  const comments = () => new ChangeComments({ read: () => stored, write: (value) => (stored = value) });
  beforeEach(() => (stored = undefined));

  it('are one message with file, lines, and code, in the order of the files', () => {
    const later = comment({ id: '2', path: 'src/b.ts', code: '```', text: ' Why?\n', lastLine: 4 });
    assert.equal(
      commentsMessage([later, comment({ firstLine: 9, lastLine: 9, text: 'And here.' }), comment()]),
      [
        'Comments on your changes:',
        'In `src/a.ts`, line 3:\n\n```typescript\nlet a = 1;\n```\n\nUse const.',
        'In `src/a.ts`, line 9:\n\n```typescript\nlet a = 1;\n```\n\nAnd here.',
        'In `src/b.ts`, lines 3–4:\n\n````typescript\n```\n````\n\nWhy?',
      ].join('\n\n'),
    );
  });

  it('are in that order, however they were made', () => {
    const all = [
      comment({ path: 'b', firstLine: 2 }),
      comment({ path: 'a', firstLine: 10 }),
      comment({ path: 'c', firstLine: 1 }),
      comment({ path: 'a', firstLine: 9 }),
    ].map((one) => ({ ...one, text: `${one.path}${one.firstLine}` }));
    for (const some of [all, all.toReversed(), all.toSorted((a, b) => (a.text < b.text ? -1 : 1))]) {
      const told = commentsMessage(some).match(/^[abc]\d+$/gm);
      assert.deepEqual(told, ['a9', 'a10', 'b2', 'c1']);
    }
  });

  it('survive a reload, each with its conversation', () => {
    comments().add(comment());
    comments().add(comment({ id: '2', conversation: 'other' }));
    assert.deepEqual(comments().of('c'), [comment()]);
    comments().remove([]);
    assert.equal(comments().all.length, 2);
    comments().remove(['1']);
    assert.deepEqual(comments().of('c'), []);
    assert.equal(comments().of('other').length, 1);
  });

  it('are kept, however many there are', () => {
    for (let number = 0; number < 250; number += 1) comments().add(comment({ id: String(number) }));
    assert.equal(comments().all.length, 250);
  });

  it('are left out when they can’t be read', () => {
    stored = [comment(), { id: 1 }, 'x'];
    assert.equal(comments().all.length, 1);
    stored = 'x';
    assert.equal(comments().all.length, 0);
  });
});
