import assert from 'node:assert/strict';
import { authorityOf, folderAddress } from '../../../src/features/place/model/folderAddress';

describe('the address of a sandbox’s folder', () => {
  it('leads back to the connection and the conversation, in lowercase, whatever the name', () => {
    for (const name of ['Team', 'a+b', 'Ä b', '+'])
      assert.deepEqual(folderAddress(authorityOf(name, 'C-1')), {
        connection: name.toLowerCase(),
        conversation: 'c-1',
      });
  });

  it('is nothing if it’s forged', () => {
    for (const forged of ['', '+', 'team', 'team+', '+c-1', 'team+c/1', 'team+c-1?x'])
      assert.equal(folderAddress(forged), undefined, forged);
  });
});
