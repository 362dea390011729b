import assert from 'node:assert/strict';
import { featuresOf } from '../../../src/api/agent/features';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import type { Entry, StepDetail } from '../../../src/shared/transcript';
import { headOf, type Known } from '../../../src/features/live/model/head';

const nothing: Known = {
  record: null,
  startedAs: undefined,
  execution: 'unknown',
  policy: 'unknown',
  usage: null,
  limit: 'none',
  features: null,
  workingDir: null,
  isStepOver: true,
  proof: 'whole',
  pending: [],
  outgoing: [],
  masked: 0,
  hasOlder: false,
  readAt: null,
  problem: '',
};
const step = (detail: StepDetail, state: 'running' | 'done' = 'running'): Entry => ({
  id: 'e1',
  at: 0,
  kind: 'step',
  state,
  thought: '',
  summary: '',
  risk: 'LOW',
  took: null,
  problem: { text: '', length: 0 },
  detail,
});
const message: Entry = {
  id: 'e2',
  at: 0,
  kind: 'message',
  from: 'user',
  text: { text: 'Hurry', length: 5 },
  images: 0,
  thought: '',
};
const command = (text: string): StepDetail => ({
  step: 'terminal',
  command: text,
  output: null,
  exitCode: null,
});

describe('the head of a conversation', () => {
  const head = (known: Partial<Known>, entries: readonly Entry[] = [], live = null, now = 7) =>
    headOf({ ...nothing, ...known }, entries, live, now);

  it('says nothing about what isn’t known', () => {
    assert.deepEqual(head({}), {
      proof: 'whole',
      title: '',
      about: {
        repository: '',
        branch: '',
        pullRequests: '',
        hasPullRequestPage: false,
        model: '',
        hasSandbox: false,
        folder: '',
      },
      execution: 'unknown',
      limit: 'none',
      cost: null,
      tokens: null,
      context: null,
      policy: 'unknown',
      live: null,
      pending: [],
      outgoing: [],
      sendEffect: 'impossible',
      masked: 0,
      folders: { repository: '', own: [], above: ['/workspace/project'] },
      hasOlder: false,
      canInterrupt: false,
      readAt: null,
      problem: '',
    });
  });

  it('has the title of the record, and what was used', () => {
    const { title, cost, tokens, context } = head({
      record: { id: 'a', title: 'Fix it' },
      usage: { cost: 0.5, tokens: 12, context: { used: 3, size: 9 } },
    });
    assert.deepEqual([title, cost, tokens, context], ['Fix it', 0.5, 12, { used: 3, size: 9 }]);
  });

  const id = '3cd7b0f4a1b24c5d8e9f001122334455';

  it('is named as in the lists until the service has a title of its own', () => {
    const titled = (record: Partial<Conversation>, startedAs?: string) =>
      head({ record: { id, ...record }, startedAs }).title;
    const madeUp = 'Conversation 3cd7b';
    assert.equal(titled({ title: 'Fix it' }, 'Mend the slug'), 'Fix it');
    assert.equal(titled({ title: madeUp }, 'Mend the slug'), 'Mend the slug');
    assert.equal(titled({ title: null }, 'Mend the slug'), 'Mend the slug');
    assert.equal(titled({ title: madeUp, selected_repository: 'northwind/webshop' }), 'northwind/webshop');
    assert.equal(titled({ title: madeUp }), 'Untitled conversation');
    // Somebody may mean it.
    assert.equal(titled({ title: 'Conversation 3cd7c' }), 'Conversation 3cd7c');
    assert.equal(titled({ title: 'a\u202eb\n' }), 'ab');
  });

  it('says what the conversation is about, and where its agent works', () => {
    const record = {
      id,
      selected_repository: 'northwind/webshop',
      selected_branch: 'fix/\u202eslugs',
      git_provider: 'github',
      pr_number: [318, 2],
      llm_model: 'anthropic/claude',
    };
    const about = {
      repository: 'northwind/webshop',
      branch: 'fix/slugs',
      pullRequests: '#318 #2',
      hasPullRequestPage: true,
      model: 'anthropic/claude',
    };
    const workingDir = '/home/me/webshop';
    assert.deepEqual(head({ record: { ...record, sandbox_id: 'box' }, workingDir }).about, {
      ...about,
      hasSandbox: true,
      folder: '',
    });
    assert.deepEqual(head({ record, workingDir }).about, { ...about, hasSandbox: false, folder: workingDir });
  });

  it('has the state of the agent server, else that of the record', () => {
    const record = { id: 'a', execution_status: 'finished' };
    assert.equal(head({ record, execution: 'idle' }).execution, 'idle');
    assert.equal(head({ record }).execution, 'finished');
    assert.equal(head({ record: { id: 'a', execution_status: 'dreaming' } }).execution, 'unknown');
  });

  it('isn’t running in a sandbox that is paused or gone, whatever the record says', () => {
    const shown = (limit: 'none' | 'asleep' | 'gone', status = 'running') =>
      head({ record: { id: 'a', execution_status: status }, limit }).execution;
    assert.equal(shown('none'), 'running');
    assert.equal(shown('asleep'), 'unknown');
    assert.equal(shown('gone'), 'unknown');
    assert.equal(shown('asleep', 'finished'), 'finished');
  });

  it('offers to interrupt a working agent of a release that can', () => {
    const can = (execution: Known['execution'], version: string) =>
      head({ execution, features: featuresOf(version) }).canInterrupt;
    assert.deepEqual(
      [can('running', '1.58.0'), can('idle', '1.58.0'), can('running', '1.7.1')],
      [true, false, false],
    );
    assert.equal(head({ execution: 'running' }).canInterrupt, false);
  });

  it('says that a message starts a paused agent whose step has ended, or that asks nobody', () => {
    const effect = (known: Partial<Known>) => head({ execution: 'paused', ...known }).sendEffect;
    const acp = { id: 'a', agent_kind: 'acp' };
    assert.deepEqual([effect({ isStepOver: true }), effect({ isStepOver: false })], ['starts', 'joins']);
    assert.equal(effect({ isStepOver: false, policy: 'never' }), 'starts');
    assert.equal(effect({ isStepOver: false, policy: 'itself' }), 'starts');
    assert.equal(effect({ isStepOver: false, record: acp }), 'starts');
  });

  it('says that a message revives a stuck agent where it does', () => {
    const effect = (version: string) =>
      head({ execution: 'stuck', features: featuresOf(version) }).sendEffect;
    assert.deepEqual([effect('1.58.0'), effect('1.7.1')], ['starts', 'impossible']);
    assert.equal(head({ execution: 'stuck' }).sendEffect, 'impossible');
  });

  const tool = { tool: 'look_up', input: '{}', output: null };
  const activities: [detail: StepDetail, text: string][] = [
    [command('npm test\nnpm run build'), 'Running npm test'],
    [command('x'.repeat(300)), `Running ${'x'.repeat(200)}`],
    [
      { step: 'edit', path: '/a', isNew: false, added: 0, removed: 0, diff: [], hasContents: false },
      'Editing /a',
    ],
    [{ step: 'browser', ...tool }, 'Running look_up'],
    [{ step: 'think', text: 'Hm.' }, 'Working'],
  ];
  for (const [detail, text] of activities)
    it(`says “${text.slice(0, 20)}” while the last step is to ${detail.step}`, () => {
      const entries = [step(command('before'), 'done'), step(detail), message];
      assert.deepEqual(head({ execution: 'running' }, entries).live, { text, since: 7 });
      assert.equal(head({ execution: 'paused' }, entries).live, null);
    });

  it('says that the agent works between two steps', () => {
    for (const entries of [[], [message], [step(command('ls')), step(command('ls'), 'done')]])
      assert.equal(head({ execution: 'running' }, entries).live?.text, 'Working');
  });

  it('says since when the same is done', () => {
    const known: Known = { ...nothing, execution: 'running' };
    const first = headOf(known, [step(command('a'))], null, 1);
    const same = headOf(known, [step(command('a'))], first.live, 2);
    assert.equal(same.live, first.live);
    assert.deepEqual(headOf(known, [step(command('b'))], same.live, 3).live, { text: 'Running b', since: 3 });
    assert.equal(headOf({ ...known, execution: 'paused' }, [], same.live, 3).live, null);
  });
});
