import assert from 'node:assert/strict';
import { ShownEntries } from '../../../../src/features/conversation/panel/shownEntries';
import { parseToPage } from '../../../../src/shared/conversationMessages';
import type { Entry } from '../../../../src/shared/transcript';
import { message, terminal } from '../../../support/conversation/entries';

describe('the entries that a page gets', () => {
  const long = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => message('agent', `${index} ${'x'.repeat(length)}`));
  const firstOf = (all: readonly Entry[]) => new ShownEntries().update(all)?.added.length ?? 0;

  it('are the newest ones, fewer of long ones', () => {
    assert.equal(firstOf(long(1_000, 10)), 200);
    assert.equal(firstOf(long(50, 10)), 50);
    assert.equal(firstOf(long(1_000, 40_000)), 49);
    assert.equal(firstOf(long(40, 40_000)), 40);
    assert.equal(firstOf(long(1_000, 400_000)), 20);
    assert.equal(firstOf([...long(1_000, 400_000), ...long(150, 10)]), 154);
    assert.equal(firstOf([]), 0);
  });

  it('stay while more are added', () => {
    const shown = new ShownEntries();
    const all = long(1_000, 40_000);
    shown.update(all);
    const more = [...all, message('user', 'x')];
    assert.deepEqual([shown.from(more), shown.update(more)?.added.length], [951, 1]);
  });

  it('are all there, with a line in place of each that can’t be read', () => {
    const good = [message('user', 'one'), terminal('ls', 'a')];
    const odd: unknown[] = [
      { ...good[0], at: null },
      { ...good[0], id: 'known', text: 7 },
      { ...good[1], state: 'new' },
      { ...good[1], detail: { step: 'new' } },
      { kind: 'new', id: 'x', at: 1 },
      null,
      7,
      [],
      undefined,
    ];
    const parsed = parseToPage({
      type: 'entries',
      at: 0,
      removed: 0,
      added: [good[0], ...odd, good[1]],
      hasOlder: false,
    });
    assert.ok(parsed.ok && parsed.message.type === 'entries');
    const { added } = parsed.message;
    assert.deepEqual([added.length, added[0], added.at(-1)], [odd.length + 2, ...good]);
    const lines = added.slice(1, -1);
    assert.ok(
      lines.every(
        (entry) => entry.kind === 'separator' && entry.what === 'unread' && Number.isFinite(entry.at),
      ),
    );
    assert.equal(lines[1]?.id, 'known');
    assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length - 1);
  });
});
