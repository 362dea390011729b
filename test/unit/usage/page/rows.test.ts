import assert from 'node:assert/strict';
import {
  barLength,
  nameWords,
  pressed,
  priceWords,
  sortedRows,
} from '../../../../src/features/usage/page/rows';

const row = (name: string, cost: number) => ({ name, conversations: 1, cost, input: 0, output: 0 });
const rows = [row('b10', 1), row('', 5), row('b9', 1), row('a', 3)];
const names = (by: 'name' | 'cost', isDescending: boolean) =>
  sortedRows(rows, { by, isDescending }).map(({ name }) => name);

describe('rows of usage', () => {
  // Amounts are in the language of the page.
  before(() => Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));

  it('sorts by any column, equal rows by name, and those without a name last', () => {
    assert.deepEqual(names('name', false), ['a', 'b9', 'b10', '']);
    assert.deepEqual(names('name', true), ['b10', 'b9', 'a', '']);
    assert.deepEqual(names('cost', true), ['', 'a', 'b9', 'b10']);
    assert.deepEqual(names('cost', false), ['b9', 'b10', 'a', '']);
  });

  it('begins a column with the first name or the largest number, and turns it around', () => {
    const byName = { by: 'name', isDescending: false } as const;
    assert.deepEqual(pressed(byName, 'name'), { by: 'name', isDescending: true });
    assert.deepEqual(pressed(byName, 'cost'), { by: 'cost', isDescending: true });
    assert.deepEqual(pressed(byName, 'input'), { by: 'input', isDescending: true });
    assert.deepEqual(pressed({ by: 'cost', isDescending: false }, 'input'), {
      by: 'input',
      isDescending: true,
    });
    const byCost = { by: 'cost', isDescending: true } as const;
    assert.deepEqual(pressed(byCost, 'input'), { by: 'input', isDescending: true });
    assert.deepEqual(pressed({ by: 'cost', isDescending: true }, 'name'), byName);
  });

  it('shows a bar for any amount above zero', () => {
    assert.deepEqual([barLength(0, 0), barLength(0, 9), barLength(1e-9, 9), barLength(9, 9)], [0, 0, 1, 100]);
  });

  it('shows no amount as zero that isn’t', () => {
    assert.deepEqual([0, 0.001, 0.01, 1].map(priceWords), ['$0.00', '<$0.01', '$0.01', '$1.00']);
  });

  it('names rows without a name by their kind, and days as the page’s language does', () => {
    const named = (lang: string, kind: Parameters<typeof nameWords>[0], name: string) => {
      Object.assign(globalThis, { document: { documentElement: { lang } } });
      return nameWords(kind, name);
    };
    assert.equal(named('', 'day', '2026-01-02'), 'Jan 2, 2026');
    assert.equal(named('de', 'day', '2026-01-02'), '02.01.2026');
    assert.equal(named('en', 'day', 'yesterday'), 'yesterday');
    assert.equal(named('en', 'model', '2026-01-02'), '2026-01-02');
    const unnamed = (['day', 'model', 'repository', 'connection'] as const).map((kind) =>
      named('en', kind, ''),
    );
    assert.deepEqual(unnamed, ['Unknown day', 'Unknown model', 'No repository', 'Unnamed']);
  });
});
