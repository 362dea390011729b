import assert from 'node:assert/strict';
import { tabTitle, unavailableWords } from '../../../../src/features/conversation/panel/tab';

describe('the tab of a conversation', () => {
  it('is named after it, and tells attempts at one message apart', () => {
    const titled = (title: string, label: string) => tabTitle(title, label, 'Conversation');
    assert.equal(titled('Fix it', ''), 'Fix it');
    assert.equal(titled('', ''), 'Conversation');
    assert.equal(titled('Fix it', 'Claude'), 'Claude – Fix it');
    assert.equal(titled('Fix it – Claude', 'Claude'), 'Fix it – Claude');
    assert.equal(titled('', 'Attempt 1'), 'Attempt 1 – Conversation');
  });

  it('keeps the name with which the editor brought it back until its own is known', () => {
    assert.equal(tabTitle('', '', 'Fix it'), 'Fix it');
    assert.equal(tabTitle('', 'Claude', 'Claude – Fix it'), 'Claude – Fix it');
    assert.equal(tabTitle('Mended', '', 'Fix it'), 'Mended');
  });

  it('says why its conversation can’t be shown, and offers to connect again', () => {
    const [team, lab] = ['https://team.example', 'https://lab.example'];
    const removed = unavailableWords(team, lab, team);
    assert.equal(removed.message, 'The connection to https://team.example was removed.');
    assert.equal(removed.button, 'Connect…');
    assert.match(unavailableWords(team, lab, 'Team').message, /^This conversation is on “Team”, which/);
    assert.equal(unavailableWords(team, team, 'Team').button, undefined);
  });
});
