import assert from 'node:assert/strict';
import { conversationDraftState, conversationOutboxState } from '../../../../src/ids';
import { noDraft } from '../../../../src/features/conversation/panel/attachments';
import { Drafts } from '../../../../src/features/conversation/panel/drafts';

const service = 'http://service.invalid';
const written = { text: 'Not sent yet', revision: 3, attachments: [] };
const sent = { ...noDraft, revision: 4 };

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

  it('are kept for each conversation', () => {
    drafts.of(service, 'one').write(written);
    assert.deepEqual(drafts.of(service, 'one').read(), written);
    assert.deepEqual(drafts.of(service, 'other').read(), noDraft);
  });

  it('are what couldn’t be sent, and newer than what the page has without it', () => {
    drafts.of(service, 'one').write({ ...written, text: 'Not sent' });
    const back = drafts.putBack(service, 'one', { text: 'Not sent yet', revision: 4 });
    assert.equal(back.text, 'Not sent yet');
    assert.ok(back.revision > 4);
    assert.deepEqual(drafts.of(service, 'one').read(), { ...written, ...back });
  });

  it('are newer than what the page had before they were sent, also once the tab is closed', () => {
    drafts.of(service, 'one').write(written);
    drafts.tidy(service, 'one');
    assert.deepEqual(drafts.of(service, 'one').read(), written);
    drafts.of(service, 'one').write(sent);
    assert.deepEqual(drafts.of(service, 'one').read(), sent);
    drafts.tidy(service, 'one');
    assert.ok(!stored.has(conversationDraftState(service, 'one')));
    assert.deepEqual(drafts.of(service, 'one').read(), sent);
    drafts.tidy(service, 'one');
    assert.deepEqual(drafts.of(service, 'one').read(), sent);
  });

  it('are known to have been sent for the last 200 tabs that were closed', () => {
    const close = (id: string) => {
      drafts.of(service, id).write(sent);
      drafts.tidy(service, id);
    };
    for (const id of ['first', 'second', ...Array.from({ length: 198 }, (_, n) => `${n}`), 'first', 'last'])
      close(id);
    assert.equal(stored.size, 1);
    const revisions = ['first', 'second', 'last'].map((id) => drafts.of(service, id).read().revision);
    assert.deepEqual(revisions, [4, 0, 4]);
  });

  it('are kept while something is attached, also without a text', () => {
    const attachments = [{ id: 'a', kind: 'quote' as const, label: 'a.ts', content: 'code' }];
    drafts.of(service, 'one').write({ ...sent, attachments });
    drafts.tidy(service, 'one');
    assert.deepEqual(drafts.of(service, 'one').read().attachments, attachments);
  });

  it('are read if an earlier version stored them', () => {
    drafts.of(service, 'one').write(written);
    for (const key of stored.keys()) stored.set(key, { text: 'Earlier', attachments: [] });
    assert.deepEqual(drafts.of(service, 'one').read(), { ...noDraft, text: 'Earlier' });
  });

  it('are found, replaced, and known as sent, however the ID of their conversation is written each time', () => {
    for (const [one, other] of [
      ['0B8E6F3A-C1D2-4E5F-8A7B-9C0D1E2F3A4B', '0b8e6f3ac1d24e5f8a7b9c0d1e2f3a4b'],
      ['0b8e6f3ac1d24e5f8a7b9c0d1e2f3a4b', '0B8E6F3A-C1D2-4E5F-8A7B-9C0D1E2F3A4B'],
    ] as const) {
      drafts.of(service, one).write(written);
      assert.deepEqual(drafts.of(service, one).read(), written);
      assert.deepEqual(drafts.of(service, other).read(), written);
      drafts.of(service, other).write(sent);
      assert.deepEqual(drafts.of(service, one).read(), sent);
      drafts.tidy(service, one);
      assert.deepEqual(drafts.of(service, other).read(), sent);
      stored.clear();
    }
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
    drafts.of(service, 'sent').write(sent);
    drafts.tidy(service, 'sent');
    drafts.drop(service, 'sent');
    stored.set(conversationOutboxState(service, 'one'), [{ text: 'Sent?' }]);
    drafts.drop(service, 'one');
    draft.write(written);
    assert.equal(stored.size, 1);
    assert.deepEqual(drafts.of(service, 'other').read(), written);
  });
});
