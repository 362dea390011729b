import assert from 'node:assert/strict';
import { conflictChoices } from '../../../../src/features/settings/panel/words';
import { wholeServer } from '../../../../src/shared/mcp';

describe('conflict labels', () => {
  const label = (member: string, made: string) => {
    const words = { key: 'k', mine: 'a', theirs: 'b', previous: 'c' };
    return conflictChoices([{ ...words, target: { at: 'mcp', id: 's', member }, label: made }])[0]?.label;
  };

  it('use the server editor’s labels', () => {
    assert.equal(label('args', 'filesystem: args'), 'filesystem: Arguments');
    assert.equal(label('url', 'https://a.example: 8080: url'), 'https://a.example: 8080: URL');
    assert.equal(label('env', 'filesystem: env.ROOT'), 'filesystem: Variable ROOT');
    assert.equal(label(wholeServer, 'odd: name'), 'odd: name');
  });
});
