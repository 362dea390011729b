import assert from 'node:assert/strict';
import { HostSlot } from '../../../../src/features/conversation/panel/conversationHost';
import { Harness } from './support';

const focused = (of: Harness) => of.take('focus').map(({ on }) => on);

describe('the host of a tab', () => {
  it('gets what was asked for before it was there, once', async () => {
    const slot = new HostSlot();
    slot.use((host) => host.focus('composer'));
    const test = new Harness();
    slot.fill(test.host);
    await test.open();
    assert.deepEqual(focused(test), ['composer']);
    slot.clear();
    const next = new Harness();
    slot.fill(next.host);
    await next.open();
    assert.deepEqual(focused(next), []);
  });

  it('passes the focus on if another takes its place before the page has loaded', async () => {
    const slot = new HostSlot();
    const start = new Harness();
    slot.fill(start.host);
    slot.use((host) => host.focus());
    slot.clear();
    assert.equal(slot.host, undefined);
    const conversation = new Harness();
    slot.fill(conversation.host);
    await conversation.open();
    assert.deepEqual(focused(start), []);
    assert.deepEqual(focused(conversation), ['composer']);
  });

  it('focuses at once while it’s there', async () => {
    const slot = new HostSlot();
    const test = new Harness();
    slot.fill(test.host);
    await test.open();
    slot.use((host) => host.focus('pending'));
    assert.deepEqual(focused(test), ['pending']);
  });
});
