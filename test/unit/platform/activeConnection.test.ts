import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ActiveConnection } from '../../../src/platform/activeConnection';
import type { Connection } from '../../../src/shared/connection';

const at = (name: string, origin = `https://${name.toLowerCase()}.example.com`): Connection => ({
  name,
  baseUrl: origin,
  origin,
});
const [local, team, other] = [at('Local'), at('Team'), at('Other')];

/** The state of a window; survives a reload. */
function aMemento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  } as vscode.Memento;
}

describe('active connection', () => {
  it('defaults to the first connection', async () => {
    const active = new ActiveConnection(aMemento());
    assert.equal(active.of([]), undefined);
    assert.equal(active.of([local, team]), local);
    await active.choose(team);
    assert.equal(active.of([local, team]), team);
  });

  it('is remembered for this window only', async () => {
    const memento = aMemento();
    const first = new ActiveConnection(memento);
    const second = new ActiveConnection(aMemento());
    await first.choose(team);
    assert.equal(second.of([local, team]), local);
    assert.equal(new ActiveConnection(memento).of([local, team]), team);
  });

  it('stays selected when connections are added before it', () => {
    const active = new ActiveConnection(aMemento());
    active.of([local, team]);
    assert.equal(active.of([other, team, local]), local);
  });

  it('follows its name to another address, selected or not', async () => {
    const moved = at('Team', 'https://new.example.com');
    const active = new ActiveConnection(aMemento());
    await active.choose(team);
    active.of([local, team]);
    assert.equal(active.of([local, moved]), moved);
  });

  it('is the same after a reload if its address was changed before', async () => {
    const moved = at('Team', 'https://new.example.com');
    const memento = aMemento();
    const active = new ActiveConnection(memento);
    await active.choose(team);
    active.of([local, team]);
    active.of([local, moved]);
    assert.equal(new ActiveConnection(memento).of([local, moved]), moved);
    assert.equal(active.of([local, team, moved]), moved, 'also if another one gets its former address');
  });

  it('falls back to the first connection when the active one is removed', async () => {
    const active = new ActiveConnection(aMemento());
    await active.choose(team);
    active.of([local, team]);
    assert.equal(active.of([local, other]), local);
  });

  it('ignores changes to the state by another window', async () => {
    const memento = aMemento();
    const first = new ActiveConnection(memento);
    const second = new ActiveConnection(memento);
    first.of([local, team]);
    await second.choose(team);
    assert.equal(first.of([local, team]), local);
  });
});
