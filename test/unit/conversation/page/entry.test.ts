import assert from 'node:assert/strict';
import { Files } from '../../../../src/features/conversation/page/files';
import { initialConversation } from '../../../../src/features/conversation/page/state';
import { drawEntry } from '../../../../src/features/conversation/page/view/entry';
import type { MessageEntry } from '../../../../src/shared/transcript';
import { drawn } from '../../../support/drawn';

/** A message as the page draws it. */
function message(members: Partial<MessageEntry>, open = false) {
  const entry: MessageEntry = {
    ...{ kind: 'message', id: 'm', at: 0, from: 'user', images: 0 },
    ...{ text: { text: 'Go.', length: 3 }, thought: '' },
    ...members,
  };
  const nothing = () => undefined;
  return drawn(() =>
    drawEntry(entry, {
      ...{ open, toggle: nothing, tab: true, pictures: undefined },
      ...{ showPictures: nothing, openPort: nothing, openDiff: nothing, showStep: nothing },
      ...{ openWhole: nothing, copy: nothing, openLink: nothing },
      files: new Files(nothing).links(initialConversation, 'm'),
    }),
  );
}

describe('a message in a transcript', () => {
  it('has what skills added below a line of its own, which opens', () => {
    const folded = message({ thought: 'git\n\nUse **the** API.' });
    assert.match(folded.text, /Added for the agent : git/);
    assert.ok(!folded.html.includes('<strong>'));
    assert.match(message({ thought: 'git\n\nUse **the** API.' }, true).html, /<strong>the<\/strong>/);
  });

  it('has no such line without anything added', () => {
    assert.ok(!message({}).text.includes('Added'));
  });

  it('calls what the model thought a thought', () => {
    assert.match(message({ from: 'agent', thought: 'Hm.' }).text, /Thought : Hm\./);
  });
});
