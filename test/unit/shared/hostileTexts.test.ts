import assert from 'node:assert/strict';
import { readErrorBody } from '../../../src/api/http/errorBody';
import { secretSign } from '../../../src/core/secretFiles';
import { secretValues } from '../../../src/features/transcript/model/secretValues';

const asIs = (text: string) => text;

// The time grew with the square of the length: each of these took minutes.
describe('texts that are made to take long', () => {
  it('are read at once in the body of an error', () => {
    for (const blank of [' ', '\t', '\n', '\r', '\u00a0'])
      for (let count = 0; count < 20; count += 1)
        assert.match(
          readErrorBody(`Failed${blank.repeat(64_000)}!`, false, asIs).serverText ?? '',
          /^Failed/,
        );
  });

  it('are searched at once for the secrets of MCP servers', () => {
    for (const part of ['x-', '--a', 'a.', 'sk-', 'a+', 'key-'])
      assert.ok(Array.isArray(secretValues([part.repeat(300_000)])));
  });

  it('are recognized as names of files, however many endings they have', () => {
    assert.equal(secretSign(`.env${'.5'.repeat(5_000)}`, Buffer.from('x')), 'name');
  });
});
