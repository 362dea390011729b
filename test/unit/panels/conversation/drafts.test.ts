import assert from 'node:assert/strict';
import { conversationOutboxState } from '../../../../src/ids';
import { noDraft } from '../../../../src/panels/conversation/attachments';
import { Drafts } from '../../../../src/panels/conversation/drafts';

const service = 'http://service.invalid';
const written = { text: 'Not sent yet', attachments: [] };

describe('drafts of messages', () => {
  let stored: Map<string, unknown>;
  let drafts: Drafts;
  beforeEach(() => {
    stored = new Map();
    drafts = new Drafts({
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => {
        if (value === undefined) stored.delete(key);
        else stored.set(key, value);
        return Promise.resolve();
      },
    });
  });

  it('are kept for each conversation, and not once they’re empty', () => {
    drafts.of(service, 'one').write(written);
    assert.deepEqual(drafts.of(service, 'one').read(), written);
    assert.deepEqual(drafts.of(service, 'other').read(), noDraft);
    drafts.of(service, 'one').write(noDraft);
    assert.equal(stored.size, 0);
  });

  it('are read even if another version stored something else', () => {
    drafts.of(service, 'one').write(written);
    for (const key of stored.keys()) stored.set(key, { text: 7 });
    assert.deepEqual(drafts.of(service, 'one').read(), noDraft);
  });

  it('are forgotten with a conversation that was deleted, whatever is still on its way', () => {
    const draft = drafts.of(service, 'one');
    draft.write(written);
    drafts.of(service, 'other').write(written);
    stored.set(conversationOutboxState(service, 'one'), [{ text: 'Sent?' }]);
    drafts.drop(service, 'one');
    draft.write(written);
    assert.equal(stored.size, 1);
    assert.deepEqual(drafts.of(service, 'other').read(), written);
  });
});
