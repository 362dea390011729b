import assert from 'node:assert/strict';
import { generationState } from '../../../src/ids';
import { rememberedGenerations } from '../../../src/editor/generations';

const baseUrl = 'https://agents.example.com';

function memento(entries: [string, unknown][] = []) {
  const stored = new Map<string, unknown>(entries);
  return {
    stored,
    get: (key: string) => stored.get(key) as never,
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
}

describe('remembered generations', () => {
  it('are kept for each base URL', () => {
    const state = memento();
    const generations = rememberedGenerations(state);
    generations.set(baseUrl, 'current');
    assert.equal(generations.get(baseUrl), 'current');
    assert.equal(generations.get(`${baseUrl}/team`), undefined);
    assert.equal(rememberedGenerations(memento([...state.stored])).get(baseUrl), 'current');
  });

  it('tell where conversations can have containers, also after a reload', () => {
    const state = memento();
    const generations = rememberedGenerations(state);
    assert.equal(generations.hasContainers(baseUrl), false);
    generations.setHasContainers(baseUrl, true);
    const later = rememberedGenerations(memento([...state.stored]));
    assert.deepEqual([later.hasContainers(baseUrl), later.hasContainers(`${baseUrl}/team`)], [true, false]);
    later.setHasContainers(baseUrl, false);
    assert.equal(later.hasContainers(baseUrl), false);
  });

  it('tell once that a service was updated', () => {
    const state = memento();
    const generations = rememberedGenerations(state);
    generations.set(baseUrl, 'first');
    assert.equal(generations.takeUpdate(baseUrl), false);
    generations.set(baseUrl, 'current');
    assert.deepEqual([generations.takeUpdate(baseUrl), generations.takeUpdate(baseUrl)], [true, false]);
    generations.set(baseUrl, 'current');
    assert.equal(generations.takeUpdate(baseUrl), false);
  });

  it('are unknown when what is stored isn’t one', () => {
    for (const value of ['future', 1, null, {}])
      assert.equal(
        rememberedGenerations(memento([[generationState(baseUrl), value]])).get(baseUrl),
        undefined,
      );
  });
});
