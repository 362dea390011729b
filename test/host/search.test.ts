import assert from 'node:assert/strict';
import { clearSearchIndex, searchAll, showEntry } from '../../src/features/search/commands/searchAll';
import type { Connection } from '../../src/shared/connection';
import { aClient } from '../support/builders/client';
import { windowWith } from '../support/builders/window';
import { answering } from './answering';

type Needs = Parameters<typeof searchAll>[0];

const connection = (name: string): Connection => {
  const origin = `https://${name.toLowerCase()}.example.com`;
  return { name, baseUrl: origin, origin };
};
const [one, two, locked] = [connection('One'), connection('Two'), connection('Locked')];

describe('searching all conversations', () => {
  /** What happened, in order. */
  let done: string[];
  let window: Awaited<ReturnType<typeof windowWith>>;
  beforeEach(async () => {
    done = [];
    window = await windowWith(aClient(), one.baseUrl);
  });
  afterEach(() => window.dispose());

  const needs = (connections: readonly Connection[]): Needs => ({
    session: window.session,
    // There’s no key for one of them.
    keys: { has: (origin: string) => origin !== locked.origin } as unknown as Needs['keys'],
    listConnections: () => ({ connections, problems: [] }) as unknown as ReturnType<Needs['listConnections']>,
    searching: () =>
      Promise.resolve({
        search: {
          search: (query, places) => {
            done.push(`“${query}” in ${places.map(({ name }) => name).join(', ')}`);
            return Promise.resolve();
          },
          cancel: () => void done.push('canceled'),
          clear: () => void done.push('cleared'),
        },
        files: { keepOnly: (names) => Promise.resolve(void done.push(`kept ${[...names].length} files`)) },
        show: () => Promise.resolve(void done.push('shown')),
      }),
    showEntry: (...entry) => Promise.resolve(void done.push(entry.join(' '))),
  });
  async function search(connections: readonly Connection[], ...answers: Parameters<typeof answering>[0]) {
    const { rows, said, restore } = answering(answers);
    await searchAll(needs(connections))().finally(restore);
    return { rows: rows.filter((shown) => shown.length > 0), said };
  }

  it('asks only for words where one connection has a key', async () => {
    const { rows } = await search([one, locked], 'login');
    assert.deepEqual([rows, done], [[], ['“login” in One', 'shown']]);
  });

  it('asks whether to search this connection or all that have a key', async () => {
    const all = [two, one, locked];
    const { rows } = await search(all, 'One', 'login');
    assert.deepEqual(rows, [['One: current', 'All Connections: 2']]);
    await search(all, 'All Connections', 'login');
    assert.deepEqual(done, ['“login” in One', 'shown', '“login” in Two, One', 'shown']);
  });

  it('searches all where the window’s own connection isn’t among them', async () => {
    const { rows } = await search([two, connection('Three')], 'login');
    assert.deepEqual([rows, done], [[], ['“login” in Two, Three', 'shown']]);
  });

  it('does nothing when it’s canceled, or without a connection, which it says', async () => {
    await search([one, two]);
    await search([one, two], 'One');
    const { said } = await search([locked]);
    assert.deepEqual(said, ['This window isn’t connected to an agent workspace service.']);
    assert.deepEqual(done, []);
  });

  it('opens what was found, and forgets the texts that it kept', async () => {
    await showEntry(needs([one]))({ ref: { kind: 'entry', id: 'c1', entry: 'e1', service: one.baseUrl } });
    await showEntry(needs([one]))({ ref: { kind: 'conversation', id: 'c1' } });
    const { said, restore } = answering([]);
    await clearSearchIndex(needs([one]))().finally(restore);
    assert.deepEqual(done, [`c1 e1 ${one.baseUrl}`, 'cleared', 'kept 0 files']);
    assert.match(said.join('\n'), /^The search index is cleared\. [^\n]*$/);
  });
});
