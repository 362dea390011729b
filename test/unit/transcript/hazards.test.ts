import assert from 'node:assert/strict';
import { manualClock } from '../../service/clock';
import { AgentConversation } from '../../service/agent/conversation';
import type { Release } from '../../service/agent/release';

const script = [{ act: [{ command: 'git clean -fdx', risk: 'HIGH' as const }] }];

function start(release: Release) {
  const clock = manualClock();
  const conversation = new AgentConversation({ id: 'a', release, clock, script, modelMs: 100 });
  conversation.message('Clean up', true);
  const executed = () => conversation.deeds.filter((deed) => deed.do === 'execute' && !deed.unasked).length;
  return { clock, conversation, executed };
}

// These hazards are what the tests of the model are about: without them, those could not fail.
describe('the reference agent server', () => {
  for (const release of ['1.7.1', '1.15.0', '1.49.1', '1.58.0'] as const) {
    it(`executes what waits, unasked, on a message that runs (${release})`, async () => {
      const { clock, conversation, executed } = start(release);
      await clock.advance(1_000);
      assert.deepEqual([conversation.status, executed()], ['waiting_for_confirmation', 0]);
      conversation.message('By the way', true);
      await clock.advance(1_000);
      assert.equal(executed(), 1);
    });
  }

  for (const release of ['1.7.1', '1.15.0'] as const) {
    it(`executes what the running step will ask for, on a message that runs (${release})`, async () => {
      const { clock, conversation, executed } = start(release);
      await clock.advance(50);
      assert.equal(conversation.status, 'running');
      conversation.message('By the way', true);
      await clock.advance(1_000);
      assert.equal(executed(), 1);
    });
  }

  for (const release of ['1.49.1', '1.58.0'] as const) {
    it(`rejects what the running step asks for, and continues, on a message (${release})`, async () => {
      const { clock, conversation, executed } = start(release);
      await clock.advance(50);
      conversation.message('By the way', false);
      await clock.advance(1_000);
      assert.deepEqual([executed(), conversation.status], [0, 'finished']);
      assert.ok(conversation.log.all.some(({ kind }) => kind === 'UserRejectObservation'));
    });
  }

  it('runs what a step asks for after a pause that shows at once, on a run that comes later (1.58.0)', async () => {
    const { clock, conversation, executed } = start('1.58.0');
    await clock.advance(50);
    conversation.pause();
    assert.equal(conversation.status, 'paused');
    await clock.advance(1_000);
    assert.equal(conversation.status, 'waiting_for_confirmation');
    conversation.run();
    await clock.advance(1_000);
    assert.equal(executed(), 1);
  });

  it('may continue after a pause (1.49.1)', async () => {
    const { clock, conversation } = start('1.49.1');
    conversation.runsOn = true;
    await clock.advance(50);
    conversation.pause();
    assert.equal(conversation.status, 'running');
    await clock.advance(1_000);
    assert.equal(conversation.status, 'waiting_for_confirmation');
  });

  it('does nothing on a rejection (1.0.0a6)', async () => {
    const { clock, conversation } = start('1.0.0a6');
    await clock.advance(1_000);
    conversation.reject('No');
    assert.equal(conversation.status, 'waiting_for_confirmation');
  });

  for (const release of ['1.7.1', '1.15.0', '1.49.1', '1.58.0'] as const) {
    it(`executes what waits on a run (${release})`, async () => {
      const { clock, conversation, executed } = start(release);
      await clock.advance(1_000);
      conversation.run();
      await clock.advance(1_000);
      assert.equal(executed(), 1);
    });

    it(`keeps waiting on a message that doesn’t run (${release})`, async () => {
      const { clock, conversation, executed } = start(release);
      await clock.advance(1_000);
      conversation.message('By the way', false);
      await clock.advance(1_000);
      assert.equal(executed(), 0);
      assert.equal(conversation.status, 'waiting_for_confirmation');
    });
  }
});
