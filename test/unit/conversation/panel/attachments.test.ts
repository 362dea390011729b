import assert from 'node:assert/strict';
import { Attachments } from '../../../../src/features/conversation/panel/attachments';
import { mostAttachments } from '../../../../src/shared/conversationMessages';

const uri = 'data:image/png;base64,AQID';

describe('attached pictures', () => {
  it('never have the same name, whichever was removed before', () => {
    const attachments = new Attachments([]);
    const names = () => attachments.shown.map(({ label }) => label);
    attachments.putBack([uri, uri]);
    assert.deepEqual(names(), ['Picture 1', 'Picture 2']);
    attachments.remove(attachments.all[0]!.id);
    attachments.addPicture(uri);
    attachments.putBack([uri]);
    assert.deepEqual(names(), ['Picture 2', 'Picture 3', 'Picture 4']);
    const many = new Attachments(
      Array.from({ length: 1_001 }, (_, at) => ({ ...attachments.all[0]!, id: `p${at}` })),
    );
    assert.deepEqual([many.shown.length, many.all.length], [mostAttachments, 1_001]);
    const reloaded = new Attachments(attachments.all.slice(1));
    reloaded.addPicture(uri);
    assert.equal(new Set(reloaded.shown.map(({ label }) => label)).size, 3);
  });
});
