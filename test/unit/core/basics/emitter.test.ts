import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/core/basics/emitter';

describe('an event', () => {
  it('reaches every listener until it is disposed', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const first = emitter.event((value) => heard.push(`first ${value}`));
    emitter.event((value) => heard.push(`second ${value}`));
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, ['first 1', 'second 1', 'second 2']);
  });

  it('doesn’t reach listeners that are added while it fires', () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    emitter.event((value) => {
      if (value === 1) emitter.event((later) => heard.push(later));
    });
    emitter.fire(1);
    assert.deepEqual(heard, []);
    emitter.fire(2);
    assert.deepEqual(heard, [2]);
  });
});
