import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { GlobalState } from '../../../src/editor/globalState';

/**
 * Writes as the editor's memento does: a turn later and as a whole, and everything in memory is replaced by what comes back,
 * before the write is confirmed.
 */
class EchoingMemento implements vscode.Memento {
  private values: Record<string, unknown> = {};
  private readonly writes: { stored: Record<string, unknown>; confirm: () => void; refuse: () => void }[] =
    [];
  private waiting: { confirm: () => void; refuse: (error: Error) => void }[] = [];

  keys = () => Object.keys(this.values).filter((key) => this.values[key] !== undefined);
  get = ((key: string) => this.values[key]) as vscode.Memento['get'];

  update = (key: string, value: unknown) => {
    this.values[key] = value;
    return new Promise<void>((confirm, refuse) => {
      if (this.waiting.push({ confirm, refuse }) > 1) return;
      setImmediate(() => {
        const waiting = this.waiting.splice(0);
        this.writes.push({
          stored: { ...this.values },
          confirm: () => waiting.forEach((one) => one.confirm()),
          refuse: () => waiting.forEach((one) => one.refuse(new Error('The disk is full.'))),
        });
      });
    });
  };

  /** What another window, or this one, wrote comes back. Resolves once there was such a write. */
  async echo(outcome: 'confirm' | 'refuse' = 'confirm'): Promise<void> {
    while (this.writes.length === 0) await turn();
    const [write] = this.writes.splice(0, 1);
    assert.ok(write);
    if (outcome === 'confirm') this.values = write.stored;
    write[outcome]();
    await turn();
  }

  /** Another window writes all keys, with what it knows. */
  writtenElsewhere(values: Record<string, unknown>): void {
    this.values = values;
  }

  get writesUnderWay(): number {
    return this.writes.length;
  }
}

/** What is to happen once writes have settled. */
class Later {
  private due: (() => void)[] = [];

  readonly after = (_ms: number, act: () => void) => {
    this.due.push(act);
    return () => undefined;
  };

  async pass(memento: EchoingMemento): Promise<void> {
    for (const act of this.due.splice(0)) act();
    await turn();
    await turn();
    if (memento.writesUnderWay > 0) await memento.echo();
    await turn();
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('state for all windows', () => {
  let later: Later;
  beforeEach(() => (later = new Later()));

  it('keeps what is written between a write and its echo', async () => {
    const memento = new EchoingMemento();
    const state = new GlobalState(memento, later.after);
    const first = state.update('first', 1);
    await turn();
    const second = state.update('second', { at: 2 });
    await memento.echo();
    await first;
    assert.deepEqual(state.get('second'), { at: 2 });
    const third = state.update('third', 3);
    await memento.echo();
    await second;
    await memento.echo();
    await third;
    assert.deepEqual([state.get('first'), state.get('second'), state.get('third')], [1, { at: 2 }, 3]);
    assert.deepEqual(state.keys().toSorted(), ['first', 'second', 'third']);
    assert.deepEqual(memento.get('second'), { at: 2 });
  });

  it('counts the last of several changes, a removal, too', async () => {
    const memento = new EchoingMemento();
    const state = new GlobalState(memento, later.after);
    const all = [state.update('a', 1), state.update('b', 1)];
    await turn();
    all.push(state.update('a', 2), state.update('a', 3), state.update('b', undefined));
    assert.equal(state.get('a'), 3);
    assert.equal(state.get('b', 'none'), 'none');
    assert.deepEqual(state.keys(), ['a']);
    await memento.echo();
    assert.equal(state.get('a'), 3);
    await memento.echo();
    await Promise.all(all);
    assert.equal(memento.writesUnderWay, 0);
    assert.equal(memento.get('a'), 3);
    assert.deepEqual(state.keys(), ['a']);
  });

  it('continues after a failed write, and says that it failed', async () => {
    const memento = new EchoingMemento();
    const state = new GlobalState(memento, later.after);
    const refused = assert.rejects(state.update('a', 1), /full/);
    await memento.echo('refuse');
    await refused;
    const next = state.update('b', null);
    await memento.echo();
    await next;
    assert.deepEqual([memento.get('b'), state.get('b', 'none')], [null, null]);
  });

  it('keeps what was handed over, not what becomes of it', () => {
    const state = new GlobalState(new EchoingMemento(), later.after);
    const value = { ids: ['a'] };
    void state.update('value', value);
    value.ids.push('b');
    assert.deepEqual(state.get('value'), { ids: ['a'] });
  });

  const changed: { what: string; before: unknown; value: unknown }[] = [
    { what: 'a value', before: 1, value: 2 },
    { what: 'a new value', before: undefined, value: { servers: ['parked'] } },
    { what: 'a removal', before: ['pinned'], value: undefined },
  ];
  for (const { what, before, value } of changed)
    it(`repeats ${what} that another window undid because it didn’t know of it, but only once`, async () => {
      const memento = new EchoingMemento();
      memento.writtenElsewhere({ mine: before });
      const state = new GlobalState(memento, later.after);
      const written = state.update('mine', value);
      await memento.echo();
      await written;
      memento.writtenElsewhere({ mine: before, other: 1 });
      await later.pass(memento);
      assert.deepEqual([state.get('mine'), state.get('other')], [value, 1]);
      memento.writtenElsewhere({ mine: before, other: 2 });
      await later.pass(memento);
      assert.deepEqual([state.get('mine'), state.get('other')], [before, 2]);
    });

  it('leaves alone what another window changed to something else, and what was changed back here', async () => {
    const memento = new EchoingMemento();
    const state = new GlobalState(memento, later.after);
    for (const [key, value] of [
      ['elsewhere', 1],
      ['here', true],
      ['here', undefined],
    ] as const) {
      const written = state.update(key, value);
      await memento.echo();
      await written;
    }
    memento.writtenElsewhere({ elsewhere: 2 });
    await later.pass(memento);
    assert.equal(memento.writesUnderWay, 0);
    assert.deepEqual([state.get('elsewhere'), state.get('here')], [2, undefined]);
  });
});
