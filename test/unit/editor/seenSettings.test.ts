import assert from 'node:assert/strict';
import { SeenSettings } from '../../../src/editor/seenSettings';

describe('record of saved settings', () => {
  const baseUrl = 'https://one.example.com';
  const memento = () => {
    const values = new Map<string, unknown>();
    return {
      values,
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => {
        values.set(key, value);
        return Promise.resolve();
      },
    };
  };

  it('reaches the next window as a flag without content', () => {
    const stored = memento();
    new SeenSettings(stored).add(baseUrl);
    const next = new SeenSettings(stored);
    assert.deepEqual([next.has(baseUrl), next.has('https://two.example.com')], [true, false]);
    assert.deepEqual([...stored.values.values()], [true]);
    next.delete(baseUrl);
    assert.equal(next.has(baseUrl), false);
    assert.equal(new SeenSettings(stored).has(baseUrl), false);
    next.add(baseUrl);
    assert.equal(next.has(baseUrl), true);
  });

  it('lasts in this window even if nothing can be stored', () => {
    const seen = new SeenSettings({ get: () => undefined, update: () => Promise.resolve() });
    seen.add(baseUrl);
    assert.equal(seen.has(baseUrl), true);
  });

  it('is stored only once', () => {
    const stored = memento();
    let updates = 0;
    const seen = new SeenSettings({
      ...stored,
      update: (key, value) => {
        updates += 1;
        return stored.update(key, value);
      },
    });
    for (let times = 0; times < 3; times += 1) seen.add(baseUrl);
    assert.equal(updates, 1);
  });
});
