import assert from 'node:assert/strict';
import { parseJson } from '../../../src/api/http/body';
import { readErrorBody } from '../../../src/api/http/errorBody';
import { secretSign } from '../../../src/core/secretFiles';
import { instructionIn } from '../../../src/core/text/selectionMessage';
import { pathProblem } from '../../../src/features/changes/model/paths';
import { readBlocks } from '../../../src/features/conversation/page/blocks';
import { parseMcpFile } from '../../../src/features/settings/model/import/parse';
import { secretValues } from '../../../src/features/transcript/model/secretValues';
import { agentFolders } from '../../../src/shared/agentFolders';
import { imageName } from '../../../src/shared/imageName';
import { inQuestion } from '../../../src/shared/inQuestion';

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

  it('are read at once in messages, titles, names, and numbers', () => {
    const most = 1_000_000;
    assert.equal(instructionIn(`a${' '.repeat(most)}b \n`, []).length, most + 2);
    assert.equal(inQuestion(`${'?'.repeat(most)}a?`).length, most + 1);
    assert.equal(readBlocks(`# a ${'#'.repeat(most)}b #`).blocks.length, 1);
    assert.equal(pathProblem(`${'.'.repeat(most)}a`, false), 'name');
    assert.equal(imageName(`${'@'.repeat(most)}/a@sha256:b`).name, 'a');
    assert.equal(agentFolders('', `/a${'/'.repeat(most)}b/`).above[0]?.length, most + 3);
    for (const mark of ['`', '~']) assert.ok(!parseMcpFile(mark.repeat(most)).ok);
    assert.ok(parseJson(`[1${'0'.repeat(most)}1, 1e${'9'.repeat(most)}]`, true).ok);
  });

  it('are searched at once for the secrets of MCP servers', () => {
    for (const part of ['x-', '--a', 'a.', 'sk-', 'a+', 'key-'])
      assert.ok(Array.isArray(secretValues([part.repeat(300_000)])));
  });

  it('are recognized as names of files, however many endings they have', () => {
    assert.equal(secretSign(`.env${'.5'.repeat(5_000)}`, Buffer.from('x')), 'name');
  });
});
