import assert from 'node:assert/strict';
import { tabTitle, unavailableWords } from '../../../../src/features/conversation/panel/tab';

describe('the tab of a conversation', () => {
  it('is named after it, and tells attempts at one message apart', () => {
    assert.equal(tabTitle('Fix it', ''), 'Fix it');
    assert.equal(tabTitle('', ''), 'Conversation');
    assert.equal(tabTitle('Fix it', 'Claude'), 'Claude – Fix it');
    assert.equal(tabTitle('Fix it – Claude', 'Claude'), 'Fix it – Claude');
    assert.equal(tabTitle('', 'Attempt 1'), 'Attempt 1 – Conversation');
  });

  it('says why its conversation can’t be shown, and offers to connect again', () => {
    const [team, lab] = ['https://team.example', 'https://lab.example'];
    const removed = unavailableWords(team, lab, team);
    assert.equal(removed.message, 'The connection to https://team.example was removed.');
    assert.equal(removed.button, 'Connect…');
    assert.match(unavailableWords(team, lab, 'Team').message, /no connection with a key/);
    assert.equal(unavailableWords(team, team, 'Team').button, undefined);
  });
});
