import assert from 'node:assert/strict';
import { type RefreshPart, Readings } from '../../../../src/core/lists/readings';
import { refOf } from '../../../../src/core/lists/ref';
import { Rotation } from '../../../../src/core/lists/readings';
import type { ReadList, ServiceLists } from '../../../../src/core/lists/serviceLists';

/** What to read of lists, of which some have more pages than the first. */
function setUp({ further = [] as ReadList[], filtered = false, specsLoaded = true } = {}) {
  const list = (name: ReadList) => ({ hasFurther: further.includes(name), state: { loaded: specsLoaded } });
  const lists = {
    sandboxes: list('sandboxes'),
    conversations: list('conversations'),
    matches: list('matches'),
    specs: list('specs'),
    filterQuery: filtered ? { titleContains: 'a' } : undefined,
  };
  return new Readings(lists as unknown as ServiceLists);
}

const names = (parts: readonly RefreshPart[]) =>
  parts.map(({ list, page }) => (page === 'first' ? list : `${list}+`));

describe('what a refresh reads', () => {
  it('is nothing without a view, and the conversations alone for what happens unseen', () => {
    const readings = setUp();
    assert.deepEqual(names(readings.of('look', false)), []);
    assert.deepEqual(names(readings.of('watch', false)), ['conversations']);
    assert.equal(readings.any, false);
  });

  it('is what the views on screen need', () => {
    const readings = setUp();
    assert.deepEqual(names(readings.setVisible('sandboxes', true)), ['sandboxes', 'conversations']);
    assert.deepEqual(names(readings.setVisible('conversations', true)), []);
    assert.deepEqual(names(readings.setVisible('specs', true)), ['specs']);
    assert.deepEqual(names(readings.of('look', false)), ['sandboxes', 'conversations', 'specs']);
    assert.equal(readings.shows('specs'), true);
    readings.setVisible('specs', false);
    assert.equal(readings.shows('specs'), false);
    assert.deepEqual(names(readings.of('look', false)), ['sandboxes', 'conversations']);
  });

  it('doesn’t have what was on screen before in addition', () => {
    const readings = setUp();
    readings.setVisible('specs', true);
    assert.deepEqual(names(readings.setVisible('sandboxes', true)), ['sandboxes']);
    assert.deepEqual(names(readings.setVisible('specs', true)), []);
    assert.deepEqual(names(readings.setVisible('sandboxes', false)), []);
  });

  it('includes the matches of a filter only while conversations are on screen', () => {
    const readings = setUp({ filtered: true });
    readings.setVisible('sandboxes', true);
    assert.deepEqual(names(readings.of('look', false)), ['sandboxes', 'conversations']);
    assert.deepEqual(names(readings.setVisible('conversations', true)), ['matches']);
    const unfiltered = setUp();
    assert.deepEqual(names(unfiltered.setVisible('conversations', true)), ['conversations']);
  });

  it('leaves further pages to the interval, which takes turns', () => {
    const readings = setUp({ further: ['conversations'] });
    readings.setVisible('sandboxes', true);
    assert.deepEqual(names(readings.of('look', false)), ['sandboxes', 'conversations']);
    assert.deepEqual(names(readings.of('interval', false)), ['sandboxes', 'conversations']);
    assert.deepEqual(names(readings.of('interval', false)), ['sandboxes', 'conversations+']);
    assert.deepEqual(names(readings.of('interval', false)), ['sandboxes', 'conversations']);
    assert.deepEqual(names(readings.of('interval', true)), ['sandboxes', 'conversations', 'conversations+']);
  });

  it('reads specs again after a failure, until they are read', () => {
    const readings = setUp();
    readings.setVisible('specs', true);
    const reads = () => names(readings.of('interval', false));
    assert.deepEqual(reads(), ['conversations']);
    readings.ended(false, ['conversations']);
    assert.deepEqual(reads(), ['conversations', 'specs']);
    readings.ended(true, ['conversations']);
    assert.deepEqual(reads(), ['conversations', 'specs']);
    readings.ended(true, ['specs']);
    assert.deepEqual(reads(), ['conversations']);
  });

  it('reads specs at the interval while none are loaded', () => {
    const readings = setUp({ specsLoaded: false });
    readings.setVisible('specs', true);
    assert.deepEqual(names(readings.of('interval', false)), ['conversations', 'specs']);
  });
});

describe('turns', () => {
  it('serve each as often as the others', () => {
    const rotation = new Rotation<string>();
    const turns = Array.from({ length: 4 }, () => rotation.next(['a', 'b', 'c'], 2).join(''));
    assert.deepEqual(turns, ['ab', 'ca', 'ba', 'ca']);
  });
});

describe('the ref of a command’s argument', () => {
  it('is there only if the argument comes from a tree', () => {
    const ref = { kind: 'sandbox', id: 'sb-1' };
    assert.equal(refOf({ ref }), ref);
    for (const argument of [undefined, null, 'ref', 7, {}, () => ref])
      assert.equal(refOf(argument), undefined);
  });
});
