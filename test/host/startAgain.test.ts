import assert from 'node:assert/strict';
import { startAgain } from '../../src/features/start/commands/startAgain';
import { type FakeModel, ReadModel } from '../support/conversation/fakeModel';
import { head, message } from '../support/conversation/entries';
import { answering } from './answering';

const service = 'https://one.example.com';

describe('starting a conversation again', () => {
  const first = message('user', 'Fix it', { id: 'first' });
  const record = {
    id: 'c-1',
    selected_repository: 'acme/shop',
    selected_branch: 'main',
    git_provider: 'github',
    llm_model: 'large',
  };

  /** Starts again while `draft` is being written, with these answers; what is in the editor then, and what was said. */
  async function startedAgain(
    model: FakeModel,
    draft = '',
    answers: string[] = [],
    conversations: object = { service, model: () => model },
  ) {
    const editor: { text: string; context?: object } = { text: draft };
    const needs = {
      conversations,
      activeTab: () => undefined,
      model: { conversation: () => record },
      message: {
        get text() {
          return editor.text;
        },
        discard: () => Promise.resolve((editor.text = '')),
        restore: (text: string, context: object) =>
          Promise.resolve(
            Object.assign(editor, { text: [editor.text, text].filter(Boolean).join('|'), context }),
          ),
      },
    } as unknown as Parameters<typeof startAgain>[0];
    const { said, restore } = answering(answers);
    await startAgain(needs)({ ref: { kind: 'conversation', id: 'c-1', service } }).finally(restore);
    return { ...editor, said };
  }

  function read(entries = [first]) {
    const model = new ReadModel();
    model.set({ head: head({ about: { ...head().about, folder: '' } }), entries });
    return model;
  }

  it('brings the whole first message, with repository, branch, and model', async () => {
    const model = read([message('user', 'Go on', { id: 'later' })]);
    model.older = [[first, message('agent', 'Done', { id: 'answer' })]];
    model.set({ head: { hasOlder: true } });
    model.whole.set('first', 'Fix it\nall');
    assert.deepEqual(await startedAgain(model), {
      text: 'Fix it\nall',
      context: {
        choice: {
          place: { kind: 'default' },
          repository: 'acme/shop',
          branch: 'main',
          provider: 'github',
          model: 'large',
        },
      },
      said: [],
    });
  });

  it('has the folder of a conversation on an agent server', async () => {
    const model = read();
    model.set({ head: { about: { ...head().about, folder: '/work/shop' } } });
    const { context } = await startedAgain(model);
    assert.equal((context as { folder?: string }).folder, '/work/shop');
  });

  it('asks before it replaces another message, and says that pictures are missing', async () => {
    const model = read([{ ...first, images: 1 } as typeof first]);
    const agreed = await startedAgain(model, 'Not sent');
    assert.equal(agreed.text, 'Fix it');
    assert.deepEqual(agreed.said, [
      'Replace the message of your new conversation?',
      'The pictures of the message aren’t included. Add them after the conversation has started.',
    ]);
  });

  it('says why there is no first message, and leaves the editor as it is', async () => {
    const none = await startedAgain(read([message('agent', 'Hello')]), 'Not sent');
    assert.deepEqual(none.said, ['This conversation has no message of yours to start again with.']);
    assert.equal(none.text, 'Not sent');
    const unread = read([]);
    unread.set({ head: { problem: 'The sandbox is gone.' } });
    const { said } = await startedAgain(unread);
    assert.deepEqual(said, ['Couldn’t read the first message. The sandbox is gone.']);
  });
});
