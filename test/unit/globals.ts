import assert from 'node:assert/strict';

const names = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'fetch',
] as const;
const before = names.map((name) => globalThis[name]);

/**
 * Checked after each file: one that leaves a stand-in for Node’s timers makes those that follow wait without end, which
 * says nothing of the cause.
 */
export const mochaHooks = {
  afterAll() {
    assert.deepEqual(
      names.filter((name, index) => globalThis[name] !== before[index]),
      [],
      'globals that a test has left changed',
    );
  },
};
