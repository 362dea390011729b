import assert from 'node:assert/strict';
import {
  diffTitle,
  panelContext,
  tabTitle,
  unavailableWords,
} from '../../../../src/features/conversation/panel/tab';
import type { Head } from '../../../../src/shared/transcript';
import { head } from '../../../support/conversation/entries';

describe('the tab of a conversation', () => {
  it('is named after it, and tells attempts at one message apart', () => {
    const titled = (title: string, label: string) => tabTitle(title, label, 'Conversation');
    assert.equal(titled('Fix it', ''), 'Fix it');
    assert.equal(titled('', ''), 'Conversation');
    assert.equal(titled('Fix it', 'Claude'), 'Claude – Fix it');
    assert.equal(titled('Fix it – Claude', 'Claude'), 'Fix it – Claude');
    assert.equal(titled('', 'Attempt 1'), 'Attempt 1 – Conversation');
  });

  it('names a comparison by the last part of a path', () => {
    for (const path of ['/work/src/cart.ts', 'src/cart.ts', 'cart.ts'])
      assert.equal(diffTitle(path), 'cart.ts (before and after the step)', path);
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

  it('says for menus and keybindings what can be done to its conversation', () => {
    const nothing = { hasPullRequestPage: false, hasSandbox: false };
    const about = (change: object) => ({ about: { ...head().about, ...nothing, ...change } });
    const words = (change: Partial<Head> = {}) =>
      panelContext(head({ ...about({}), canInterrupt: false, ...change }));
    const reachable = 'conversation reachable place policy';
    assert.equal(words(), reachable);
    assert.equal(words({ limit: 'busy' }), reachable);
    assert.equal(words({ policy: 'itself' }), 'conversation reachable place');
    assert.equal(words({ canInterrupt: true }), `${reachable} interruptible`);
    assert.equal(words({ execution: 'running' }), `${reachable} running`);
    assert.equal(words({ execution: 'waiting_for_confirmation' }), `${reachable} waiting`);
    assert.equal(words(about({ hasPullRequestPage: true })), `${reachable} pullRequest`);
    assert.equal(words(about({ hasSandbox: true })), `${reachable} sandbox`);
    const unreachable = { execution: 'running', canInterrupt: true } as const;
    assert.equal(words({ ...unreachable, problem: 'No.' }), 'conversation');
    assert.equal(words({ ...unreachable, limit: 'gone' }), 'conversation');
    assert.equal(words({ ...unreachable, limit: 'asleep' }), 'conversation place');
    assert.equal(words({ limit: 'notStarted' }), '');
  });
});
