import assert from 'node:assert/strict';
import { Attachments, messageOf } from '../../../../src/features/conversation/panel/attachments';
import { mostAttachments, mostPictures } from '../../../../src/shared/conversationMessages';

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

describe('attached quotes', () => {
  const quotes = (count: number, text = 'q') =>
    Array.from({ length: count }, () => ({ text, label: 'a.ts' }));

  it('leave room for pictures, and are told apart from them', () => {
    const most = mostAttachments - mostPictures;
    const attachments = new Attachments([]);
    assert.equal(attachments.addQuotes(quotes(most, uri)), true);
    assert.equal(attachments.shown[0]?.preview, null);
    assert.equal(attachments.addQuotes(quotes(1)), false);
    attachments.putBack(Array.from({ length: mostPictures + 2 }, () => uri));
    assert.equal(attachments.addQuotes(quotes(3)), false);
    assert.equal(attachments.all.length, most + mostPictures + 2);
    const fewer = new Attachments([]);
    assert.equal(fewer.addQuotes(quotes(most + 1)), false);
    assert.equal(fewer.all.length, most);
  });

  it('have a name that the page can take', () => {
    const attachments = new Attachments([]);
    attachments.addQuotes([{ text: 'q', label: 'x'.repeat(600) }]);
    assert.equal(attachments.shown[0]?.label.length, 500);
  });

  it('go below the message, or alone', () => {
    const attachments = new Attachments([]);
    attachments.addQuotes(quotes(2));
    attachments.addPicture(uri);
    assert.deepEqual(messageOf(' Go ', attachments.all), { text: 'Go\n\nq\n\nq', images: [uri] });
    assert.deepEqual(messageOf(' ', attachments.take()).text, 'q\n\nq');
    assert.deepEqual(attachments.all, []);
  });
});
