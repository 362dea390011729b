import assert from 'node:assert/strict';
import { goesElsewhere, modelPlace, modelProvider, placeName } from '../../../src/shared/modelProvider';

describe('the provider of a model', () => {
  const named: readonly (readonly [model: string, provider: string])[] = [
    ['openai/gpt-5', 'openai'],
    ['gpt-5-mini', 'openai'],
    ['o3', 'openai'],
    ['chatgpt-4o-latest', 'openai'],
    [' Anthropic/Claude-Sonnet-4-5 ', 'anthropic'],
    ['claude-opus-4-1', 'anthropic'],
    ['gemini/gemini-2.5-pro', 'gemini'],
    ['gemini-2.5-pro', 'vertex_ai'],
    ['ft:gpt-4.1-2025-04-14', 'openai'],
    ['codex-mini-latest', 'openai'],
    ['o3-mini', 'openai'],
    ['o3x', ''],
    ['claude', ''],
    ['deepseek-chat', ''],
    ['mistral-large', ''],
    ['openrouter/anthropic/claude-sonnet-4.5', 'openrouter'],
    ['openhands/claude-sonnet-4-5', 'openhands'],
    ['', ''],
    ['my-own-model', ''],
    ['opus', ''],
    ['/gpt-5', ''],
  ];
  for (const [model, provider] of named)
    it(`of ${JSON.stringify(model)} is ${provider || 'not known'}`, () =>
      assert.equal(modelProvider(model), provider));

  it('is the same place for a key only if it’s known, and no address is set', () => {
    const at = (provider: string, origin = '', model = '') => ({ provider, origin, model });
    const url = 'https://llm.example';
    assert.equal(goesElsewhere(at('openai'), at('anthropic')), true);
    assert.equal(goesElsewhere(at('openai'), at('openai')), false);
    assert.equal(goesElsewhere(at(''), at('anthropic')), true);
    assert.equal(goesElsewhere(at('openai'), at('')), true);
    assert.equal(goesElsewhere(at('', '', 'mine'), at('', '', 'mine')), false);
    assert.equal(goesElsewhere(at('', '', 'mine'), at('', '', 'theirs')), true);
    assert.equal(goesElsewhere(at('', '', 'mine'), at('')), true);
    assert.equal(goesElsewhere(at('openai', url), at('anthropic', url)), false);
    assert.equal(goesElsewhere(at('openai', url), at('openai')), true);
    assert.equal(goesElsewhere(at(''), at('', url)), true);
  });

  it('is the place of its key only while no address is set, and its name where nothing else is known', () => {
    const place = modelPlace(' GPT-5 ', ' https://llm.example/v1 ');
    assert.deepEqual(place, { origin: 'https://llm.example', provider: 'openai', model: 'gpt-5' });
    assert.equal(placeName(place), 'https://llm.example');
    assert.equal(placeName(modelPlace('gpt-5', null)), 'openai');
    assert.equal(placeName(modelPlace('Mine', '')), 'mine');
    assert.deepEqual(modelPlace(null, undefined), { origin: '', provider: '', model: '' });
  });
});
