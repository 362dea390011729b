import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { conversationName, sandboxName } from '../../src/core/lists/names';
import { deleteConversation } from '../../src/features/live/commands/delete';
import { sandboxActions } from '../../src/features/sandboxes';
import { change } from '../../src/features/sandboxes/commands/change';
import { commandIds } from '../../src/ids';
import { makeConversation, makeSandbox, startService, type ReferenceService } from '../service/service';
import { windowOn } from '../support/builders/window';
import { answering, declining } from './answering';

/** A question or a message. */
interface Said {
  message: string;
  detail: string;
  choices: string[];
}

describe('deleting', () => {
  const { showWarningMessage } = vscode.window;
  let service: ReferenceService;
  let window: Awaited<ReturnType<typeof windowOn>>;
  let said: Said[];
  /** Agrees to each question, unless a test says otherwise. */
  let decide: (question: Said) => string | undefined;
  let ran: unknown[];
  let closed: string[];

  async function begin(profile: 'observed' | 'current'): Promise<void> {
    service = await startService({ profile, seed: 'none' });
    for (const id of ['shared', 'own']) service.state.sandboxes.set(id, makeSandbox({ id }));
    for (const [sandbox_id, title] of [
      ['shared', 'Fix the checkout'],
      ['shared', 'Look at the logs'],
      ['own', 'Compare two parsers'],
    ] as const) {
      const record = makeConversation({ sandbox_id, title });
      service.state.conversations.set(record.id, record);
    }
    window = await windowOn(service);
  }
  beforeEach(() => {
    [said, ran, closed] = [[], [], []];
    decide = ({ choices }) => choices[0];
    Object.assign(vscode.window, {
      showWarningMessage: (message: string, options?: { detail?: string }, ...choices: string[]) => {
        const question = { message, detail: options?.detail ?? '', choices };
        said.push(question);
        return Promise.resolve(decide(question));
      },
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showWarningMessage });
    window.dispose();
    await service.close();
  });

  const named = (title: string) => {
    const found = [...service.state.conversations.values()].find((one) => one.title === title);
    assert.ok(found);
    return found;
  };
  const deletions = () => service.requests.filter(({ method }) => method === 'DELETE').length;
  const left = () => ({
    conversations: [...service.state.conversations.values()].map(({ title }) => title).sort(),
    sandboxes: [...service.state.sandboxes.keys()].sort(),
  });
  /** What the views of this window show. */
  const listed = () => ({
    conversations: window.model.conversations.state.items.map(conversationName).sort(),
    sandboxes: window.model.sandboxes.state.items.map(({ id }) => id).sort(),
  });
  const deleteOne = (title: string) =>
    deleteConversation({
      ...window,
      activeConversation: () => undefined,
      closeConversation: (id: string) => Promise.resolve(void closed.push(id)),
      run: (...command: unknown[]) => Promise.resolve(void ran.push(command)),
    })({ ref: { kind: 'conversation', id: named(title).id } });

  describe('a conversation', () => {
    it('is refused while others use its sandbox, if the service would delete that', async () => {
      await begin('observed');
      const before = left();
      decide = () => undefined;
      await deleteOne('Fix the checkout');
      const [{ message, detail, choices } = assert.fail()] = said;
      assert.equal(message, '“Fix the checkout” can’t be deleted on its own.');
      assert.match(detail, /Look at the logs/);
      assert.deepEqual(choices, ['Delete Sandbox and 2 Conversations…']);
      assert.deepEqual([deletions(), left(), ran], [0, before, []]);
      decide = ({ choices }) => choices[0];
      await deleteOne('Fix the checkout');
      assert.deepEqual(ran, [[commandIds.sandboxDelete, [{ ref: { kind: 'sandbox', id: 'shared' } }]]]);
    });

    it('is refused together with the others, too, and all can go with their sandbox', async () => {
      await begin('observed');
      const rows = ['Fix the checkout', 'Look at the logs'].map((title) => ({
        ref: { kind: 'conversation', id: named(title).id },
      }));
      await deleteConversation({
        ...window,
        activeConversation: () => undefined,
        closeConversation: () => Promise.resolve(),
        run: (...command: unknown[]) => Promise.resolve(void ran.push(command)),
      })(rows[0], rows);
      assert.deepEqual(
        said.map(({ message, choices }) => [message, choices]),
        [['These conversations can’t be deleted on their own.', ['Delete Sandbox and 2 Conversations…']]],
      );
      assert.deepEqual(
        [deletions(), ran],
        [0, [[commandIds.sandboxDelete, [{ ref: { kind: 'sandbox', id: 'shared' } }]]]],
      );
    });

    it('leaves others in its sandbox, if the service does', async () => {
      await begin('current');
      await deleteOne('Fix the checkout');
      assert.match(said[0]?.detail ?? '', /Its sandbox stays because other conversations use it/);
      const rest = {
        conversations: ['Compare two parsers', 'Look at the logs'],
        sandboxes: ['own', 'shared'],
      };
      assert.deepEqual([left(), listed()], [rest, rest]);
    });

    for (const profile of ['observed', 'current'] as const)
      it(`goes with its sandbox, once the user agrees (${profile})`, async () => {
        await begin(profile);
        const { id } = named('Compare two parsers');
        const before = left();
        decide = () => undefined;
        await deleteOne('Compare two parsers');
        assert.deepEqual([deletions(), left(), closed], [0, before, []]);
        decide = ({ choices }) => choices[0];
        await deleteOne('Compare two parsers');
        for (const { message, detail } of said) {
          assert.equal(message, 'Delete “Compare two parsers”?');
          assert.match(detail, /Its sandbox is deleted too/);
        }
        const rest = { conversations: ['Fix the checkout', 'Look at the logs'], sandboxes: ['shared'] };
        assert.deepEqual([said.length, left(), listed(), closed], [2, rest, rest, [id]]);
      });

    it('says when its sandbox may not have been deleted', async () => {
      await begin('observed');
      service.behaviour.keepsSandbox = true;
      service.fail({
        method: 'DELETE',
        path: '/api/v1/sandboxes/own',
        effect: { kind: 'answer', status: 500, body: { detail: 'Busy' } },
      });
      await deleteOne('Compare two parsers');
      assert.match(
        said.at(-1)?.message ?? '',
        /^The sandbox of “Compare two parsers” may not have been deleted/,
      );
      assert.deepEqual(left(), {
        conversations: ['Fix the checkout', 'Look at the logs'],
        sandboxes: ['own', 'shared'],
      });
    });
  });

  describe('a sandbox', () => {
    const deleteSandbox = (...args: unknown[]) => change(window, sandboxActions.delete)(...args);
    const shared = { ref: { kind: 'sandbox', id: 'shared' } };

    it('names its conversations, and asks again about one that was started in the meantime', async () => {
      await begin('observed');
      const late = makeConversation({ sandbox_id: 'shared', title: 'Started in the meantime' });
      decide = ({ choices }) => {
        service.state.conversations.set(late.id, late);
        assert.equal(deletions(), 0);
        return choices[0];
      };
      await deleteSandbox(shared);
      const [first, second, ...more] = said.map(({ detail }) => detail);
      assert.match(said[0]?.message ?? '', /^Delete the sandbox “.+”\?$/);
      assert.match(first ?? '', /“Look at the logs”/);
      assert.doesNotMatch(first ?? '', /meantime/);
      assert.match(second ?? '', /“Started in the meantime”/);
      assert.deepEqual([more, left().sandboxes, deletions()], [[], ['own'], 1]);
    });

    it('is asked for without a row, and stays unless the user agrees', async () => {
      await begin('observed');
      const { said: questions, restore } = answering([
        () => sandboxName(service.state.sandboxes.get('own')!, window.model.conversations.state.items),
        declining,
      ]);
      await deleteSandbox().finally(restore);
      assert.match(questions.join(), /^Delete the sandbox “.+”\?$/);
      assert.deepEqual([deletions(), left().sandboxes], [0, ['own', 'shared']]);
    });
  });
});
