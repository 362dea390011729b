import assert from 'node:assert/strict';
import { failed } from '../../../src/features/place/model/fileRefusal';

describe('a script for files that didn’t finish', () => {
  it('is named with the last line that it wrote, or else with its exit code', () => {
    const says = (exitCode: number, output: string) => failed(exitCode, output).message;
    assert.match(says(2, 'sh: warning\nsh: can’t fork\n'), /^The sandbox’s shell failed: sh: can’t fork\. /);
    assert.match(says(137, ' \n'), /^The sandbox’s shell failed: 137\. /);
    assert.match(says(-1, 'sh: killed'), /^The sandbox took too long to answer\. /);
  });
});
