import assert from 'node:assert/strict';
import { startTaskStates } from '../../../src/api/service/schemas/startTask';
import type { StartStep } from '../../../src/features/start/model/startConversation';
import { stepWords } from '../../../src/features/start/model/startWords';

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

  const steps: [step: StartStep, words: string][] = [
    [{ kind: 'startingSandbox' }, 'Starting sandbox…'],
    [{ kind: 'resuming' }, 'Resuming the sandbox…'],
    [{ kind: 'waitingForSandbox' }, 'Waiting for the sandbox…'],
    [{ kind: 'creating' }, 'Sending request…'],
    [{ kind: 'unanswered' }, 'Can’t get progress from the service. Retrying…'],
    [{ kind: 'task', status: '', detail: undefined }, 'Request accepted…'],
    [{ kind: 'task', status: 'WORKING', detail: undefined }, 'Request accepted…'],
    [{ kind: 'task', status: 'WAITING_FOR_SANDBOX', detail: undefined }, 'Waiting for the sandbox…'],
    [{ kind: 'task', status: 'PREPARING_REPOSITORY', detail: undefined }, 'Preparing repository…'],
    [{ kind: 'task', status: 'SETTING_UP_GIT_HOOKS', detail: undefined }, 'Setting up git hooks…'],
  ];
  for (const [step, expected] of steps) {
    it(`is “${expected}” for ${JSON.stringify(step)}`, () => assert.equal(stepWords(step), expected));
  }
});
