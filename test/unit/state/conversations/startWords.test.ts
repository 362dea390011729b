import assert from 'node:assert/strict';
import { startTaskStates } from '../../../../src/api/service/schemas/startTask';
import { stepWords } from '../../../../src/state/conversations/startWords';

const words = (status: string, detail?: string) => stepWords({ kind: 'task', status, detail });

describe('start status text', () => {
  it('describes every state of a start task', () => {
    for (const state of startTaskStates)
      if (state !== 'READY' && state !== 'ERROR') assert.doesNotMatch(words(state), /[A-Z_]{3}/, state);
    assert.equal(words('SETTING_UP_SKILLS'), 'Setting up skills…');
  });

  it('is readable for an unknown state', () => {
    assert.equal(words('LOADING_PLUGINS_2'), 'Loading plugins 2…');
  });

  it('prefers the service’s detail', () => {
    assert.equal(words('WORKING', 'Pulling image 3 of 7'), 'Pulling image 3 of 7');
  });
});
