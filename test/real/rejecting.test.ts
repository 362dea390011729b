import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/api/events/event';
import { withSandboxes } from './support/releases';
import { writingStep, written } from './support/conversations';
import { real, realSuite } from './support/suite';
import { openWorkplace, type Workplace } from './support/workplace';
import { until } from './support/followed';

realSuite('a rejection of nothing', [...withSandboxes, 'agentServer'], function () {
  this.timeout(300_000);
  let work: Workplace;
  before(async () => {
    work = await openWorkplace();
  });
  after(() => work.model.dispose());

  it('changes nothing, so that one can come before a run', async () => {
    const { model } = work;
    const agent = await model.reach();
    // What the agent’s model has cost may be told after the end.
    const isDeed = ({ kind }: AgentEvent) => !['hidden', 'usage', 'status', 'model'].includes(kind);
    const state = async () => {
      const { items, nextPageId } = await agent.searchEvents({ newestFirst: true });
      assert.equal(nextPageId, null);
      return [(await agent.getConversation()).execution, items.filter(isDeed)];
    };
    const before = await state();
    await agent.reject('Nothing waits.');
    assert.deepEqual(await state(), before);
    real().model.script(writingStep('after-rejection.txt', 'written'));
    assert.deepEqual(await model.send('Write another file.'), { kind: 'done' });
    await until(model, ({ execution, outgoing }) => execution === 'finished' && outgoing.length === 0);
    assert.equal(await written('after-rejection.txt'), 'written');
  });
});
