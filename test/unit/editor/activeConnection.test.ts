import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ActiveConnection } from '../../../src/editor/activeConnection';
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

/** Of a window with a state of its own, beside others on a computer with keys for `withKey`. */
const anActive = (workspace = aMemento(), { anywhere = aMemento(), withKey = [] as Connection[] } = {}) =>
  new ActiveConnection(workspace, anywhere, (origin) => withKey.some((one) => one.origin === origin));

describe('active connection', () => {
  it('defaults to the first connection', async () => {
    const active = anActive(aMemento());
    assert.equal(active.of([]), undefined);
    assert.equal(active.of([local, team]), local);
    await active.choose(team);
    assert.equal(active.of([local, team]), team);
  });

  it('is remembered for this window only', async () => {
    const memento = aMemento();
    const first = anActive(memento);
    const second = anActive(aMemento());
    await first.choose(team);
    assert.equal(second.of([local, team]), local);
    assert.equal(anActive(memento).of([local, team]), team);
  });

  it('stays selected when connections are added before it', () => {
    const active = anActive(aMemento());
    active.of([local, team]);
    assert.equal(active.of([other, team, local]), local);
  });

  it('follows its name to another address, selected or not', async () => {
    const moved = at('Team', 'https://new.example.com');
    const active = anActive(aMemento());
    await active.choose(team);
    active.of([local, team]);
    assert.equal(active.of([local, moved]), moved);
  });

  it('is the same after a reload if its address was changed before', async () => {
    const moved = at('Team', 'https://new.example.com');
    const memento = aMemento();
    const active = anActive(memento);
    await active.choose(team);
    active.of([local, team]);
    active.of([local, moved]);
    assert.equal(anActive(memento).of([local, moved]), moved);
    assert.equal(active.of([local, team, moved]), moved, 'also if another one gets its previous address');
  });

  it('falls back to the first connection when the active one is removed', async () => {
    const active = anActive(aMemento());
    await active.choose(team);
    active.of([local, team]);
    assert.equal(active.of([local, other]), local);
  });

  it('ignores changes to the state by another window', async () => {
    const memento = aMemento();
    const first = anActive(memento);
    const second = anActive(memento);
    first.of([local, team]);
    await second.choose(team);
    assert.equal(first.of([local, team]), local);
  });

  it('is the one that was selected last anywhere, in a workspace without a choice', async () => {
    const anywhere = aMemento();
    const withKey = [team, other];
    await anActive(aMemento(), { anywhere, withKey }).choose(other);
    assert.equal(anActive(aMemento(), { anywhere, withKey }).of([local, team, other]), other);
  });

  it('keeps the choice of the workspace, whatever was selected elsewhere since', async () => {
    const [anywhere, here] = [aMemento(), aMemento()];
    const withKey = [team, other];
    await anActive(here, { anywhere, withKey }).choose(team);
    await anActive(aMemento(), { anywhere, withKey }).choose(other);
    assert.equal(anActive(here, { anywhere, withKey }).of([local, team, other]), team);
  });

  it('is the first with a key where the one selected last is gone or has none', async () => {
    const anywhere = aMemento();
    const withKey = [other];
    await anActive(aMemento(), { anywhere, withKey }).choose(team);
    assert.equal(anActive(aMemento(), { anywhere, withKey }).of([local, team, other]), other);
    assert.equal(anActive(aMemento(), { anywhere, withKey }).of([local, other]), other);
  });

  it('leaves a connection without a key once another one has one', () => {
    const withKey: Connection[] = [];
    const active = anActive(aMemento(), { withKey });
    assert.equal(active.of([local]), local);
    withKey.push(team);
    assert.equal(active.of([local, team]), team);
  });

  it('stays at what was selected here, with or without a key', async () => {
    const active = anActive(aMemento(), { withKey: [team] });
    await active.choose(local);
    assert.equal(active.of([team, local]), local);
  });
});
