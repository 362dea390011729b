import assert from 'node:assert/strict';
import { cachedRow } from '../../../../src/core/rows/cachedRow';
import { loadMoreRow, moreRows } from '../../../../src/core/rows/moreRow';
import type { Row } from '../../../../src/core/rows/row';
import { tooltip } from '../../../../src/core/rows/rowText';
import { commandIds } from '../../../../src/ids';

const ref = { kind: 'group', key: 'idle' } as const;

describe('the row of a record', () => {
  it('is made again only when the record, or what else it depends on, changes', () => {
    let made = 0;
    const make = (): Row => ({ ref, id: String((made += 1)), label: 'A', contextValue: '' });
    const [record, other] = [{}, {}];
    const idOf = (...[of, place, key]: [object, string, string]) => cachedRow(of, place, key, make).id;
    assert.deepEqual([idOf(record, 'list', 'k'), idOf(record, 'list', 'k')], ['1', '1']);
    assert.equal(idOf(record, 'sandbox', 'k'), '2', 'in another place, it’s another row');
    assert.equal(idOf(other, 'list', 'k'), '3');
    assert.deepEqual([idOf(record, 'list', 'changed'), idOf(record, 'list', 'changed')], ['4', '4']);
    assert.equal(idOf(record, 'sandbox', 'k'), '2');
  });
});

describe('the tooltip of a row', () => {
  it('has the title, and the facts that are known, some without a label', () => {
    assert.deepEqual(
      tooltip('Title', [
        ['Model', 'gpt'],
        ['Branch', undefined],
        ['Sandbox', null],
        ['Cost', ''],
        [undefined, 'Fact'],
      ]),
      [{ value: 'Title' }, { label: 'Model', value: 'gpt' }, { value: 'Fact' }],
    );
  });
});

describe('the last row of a list', () => {
  it('says how many are hidden, and where they are, if any are', () => {
    assert.deepEqual(moreRows(ref, 'idle/more', 2, 'in the list'), [
      { ref, id: 'idle/more', label: 'and 2 more', description: 'in the list', contextValue: 'more' },
    ]);
    assert.deepEqual(
      [0, -1].map((hidden) => moreRows(ref, 'm', hidden, '')),
      [[], []],
    );
  });

  it('loads more of its own list', () => {
    const { ref, id, label, command } = loadMoreRow('specs');
    assert.deepEqual(
      [ref, id, label, command],
      [{ kind: 'loadMore', list: 'specs' }, 'specs/loadMore', 'Load more', commandIds.viewLoadMore],
    );
  });
});
