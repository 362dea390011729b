import assert from 'node:assert/strict';
import { longestText } from '../../../../src/shared/bounded';
import { action, message, step } from '../../../support/conversation/entries';
import { Harness } from './support';

describe('what the page of a conversation asks for', () => {
  const toldBy = (test: Harness) => test.take('notice').map(({ message: words }) => words);

  it('is nothing of what isn’t there', async () => {
    const test = await new Harness().open([message('agent', 'Hi', { id: 'm' })]);
    await test.send({ type: 'openWhole', id: 'x' });
    for (const what of ['text', 'command'] as const) await test.send({ type: 'copy', id: 'x', what });
    await test.send({ type: 'locate', paths: ['a.py'] });
    test.model.set({ head: { pending: [action('p', 'ls')] } });
    await test.send({ type: 'openDiff', id: 'p' });
    assert.deepEqual([test.done, toldBy(test), test.take('located'), test.logged], [[], [], [], []]);
  });

  it('copies the text of what has no command', async () => {
    const test = await new Harness().open([
      message('agent', 'Hi', { id: 'm' }),
      step({ step: 'mcp', tool: 'find', input: '{}', output: null }, { id: 's' }),
    ]);
    await test.send({ type: 'copy', id: 'm', what: 'command' });
    test.model.whole.set('s', 'find {}');
    await test.send({ type: 'copy', id: 's', what: 'command' });
    assert.deepEqual(test.done, ['copied Hi', 'copied find {}']);
  });

  it('names a whole text without a title after what it’s of', async () => {
    const test = await new Harness().open([message('agent', 'Hi', { id: 'm' })]);
    test.model.set({ head: { title: '' } });
    await test.send({ type: 'openWhole', id: 'm' });
    assert.deepEqual(test.done, ['document Conversation: Hi']);
  });

  it('rejects what can’t be read, but doesn’t approve it', async () => {
    const test = await new Harness().open();
    await test.send({ type: 'approve', ids: [], marks: [] });
    assert.notEqual(test.take('outcome')[0]?.problem, '');
    await test.send({ type: 'reject', ids: [], reason: 'No' });
    assert.equal(test.take('outcome')[0]?.problem, '');
    assert.deepEqual(test.model.calls, ['reject : No']);
  });

  it('sends a message of the greatest length, and none that’s longer with what goes along', async () => {
    const test = await new Harness().open();
    const longest = 'x'.repeat(longestText);
    await test.send({ type: 'send', text: longest, revision: 2 });
    assert.equal(test.take('outcome')[0]?.problem, '');
    await test.send({ type: 'attachFiles', uris: ['file:///a.ts'] });
    await test.send({ type: 'send', text: longest, revision: 3 });
    assert.match(test.take('outcome')[0]?.problem ?? '', /^Not sent/);
    assert.equal(test.model.calls.length, 1);
    assert.equal(test.take('restoreText')[0]?.text, longest);
    await test.send({ type: 'send', text: '', revision: 4 });
    assert.equal(test.model.calls[1], 'send In file:///a.ts', 'nothing but what goes along');
  });

  it('is refused where it can’t be read, and gives back only what was to be sent', async () => {
    const test = await new Harness().open();
    await test.forge({ type: 'draft', text: 'Go', revision: 'x' });
    assert.deepEqual([toldBy(test).length, test.take('restoreText')], [1, []]);
    await test.forge({ type: 'refused', what: 5 });
    await test.forge({ type: 'other' });
    assert.deepEqual(toldBy(test), []);
    await test.forge({ type: 'send', text: 'Go', revision: 'x' });
    assert.equal(test.take('restoreText')[0]?.text, 'Go');
  });

  it('gets the focus on what waits, even if the agent’s state isn’t known', async () => {
    const test = await new Harness().open();
    test.model.set({ head: { execution: 'unknown', pending: [action('p', 'ls')] } });
    test.host.focus();
    assert.deepEqual(
      test.take('focus').map(({ on }) => on),
      ['pending'],
    );
  });

  it('waits for a sandbox only while the conversation is followed', async () => {
    const test = await new Harness().open();
    test.model.set({ head: { limit: 'asleep' } });
    const resuming = test.send({ type: 'nextStep' });
    test.host.setVisible(false);
    test.model.set({});
    await resuming;
    assert.deepEqual(test.done, ['run nextStep']);
  });
});
