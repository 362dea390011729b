import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SandboxWorkspace } from '../../src/api/agent/workspace';
import { finishDelivery, type FinishNeeds } from '../../src/features/start/commands/finishDelivery';
import { followLeftDeliveries } from '../../src/features/start/commands/leftDeliveries';
import { startWithChanges } from '../../src/features/start/commands/startWithChanges';
import type { CommandDependencies } from '../../src/compose/commands/dependencies';
import { dismissStart } from '../../src/features/start/commands/failedStart';
import type { SettablePolicy } from '../../src/shared/transcript';
import { Deliveries, noChanges } from '../../src/features/changes/model/deliveries';
import type { Outcome } from '../../src/features/live/model/model';
import { aDelivery } from '../support/builders/records';
import { answering } from './answering';
import { untilCanceled } from './canceling';

const service = 'https://one.example.com';
const delivery = { ...aDelivery({ message: 'Mend it, please' }), conversationId: 'c-1' };

describe('changes on their way to a sandbox', () => {
  const { showErrorMessage, showInformationMessage, showWarningMessage } = vscode.window;
  let said: string[];

  beforeEach(() => {
    said = [];
    const say = (message: string) => Promise.resolve(void said.push(message));
    const silent = { showErrorMessage: say, showInformationMessage: say, showWarningMessage: say };
    Object.assign(vscode.window, silent);
  });
  afterEach(() =>
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage, showWarningMessage }),
  );

  /** What delivers to a workspace, and what became of it. */
  function deliveringTo(workspace: Partial<SandboxWorkspace>, connection = new AbortController()) {
    const sent: string[] = [];
    const removed: string[] = [];
    const opened: string[] = [];
    let stored: unknown;
    const deliveries = new Deliveries({ read: () => stored, write: (value) => (stored = value) });
    const model = {
      signal: connection.signal,
      isCurrent: true,
      readings: 1,
      head: { readAt: 1, problem: '' },
      keepCurrent: () => ({ dispose: () => undefined }),
      onDidChange: () => ({ dispose: () => undefined }),
      changes: { place: () => Promise.resolve({ workspace, workingDir: '/work' }) },
      send: (text: string) => Promise.resolve({ kind: 'done', text: sent.push(text) }),
    };
    const needs = {
      conversations: { service, model: () => model },
      deliveries,
      patches: {
        read: () => Promise.resolve(new Uint8Array()),
        remove: (id: string) => Promise.resolve(void removed.push(id)),
      },
      showConversation: (id: string) => Promise.resolve(void opened.push(id)),
      isConversationVisible: () => false,
    } as unknown as FinishNeeds;
    const left = () => deliveries.of(service).map(({ message }) => message);
    return { needs, sent, removed, left, opened };
  }

  const answerOf = (answer: string) => {
    const stdout = `=${Buffer.from(answer).toString('base64')}=`;
    return Promise.resolve({ exitCode: 0, stdout, stderr: '' });
  };

  it('keep their message if the connection changes as they arrive', async () => {
    const connection = new AbortController();
    const answers = ['/work/shop\0', 'done'];
    const workspace = {
      execute: () => {
        const answer = answers.shift() ?? '';
        if (answer === 'done') connection.abort();
        return answerOf(answer);
      },
      upload: () => Promise.resolve(),
    };
    const { needs, sent, removed, left } = deliveringTo(workspace, connection);
    await finishDelivery(needs, delivery);
    assert.deepEqual(answers, []);
    assert.deepEqual([sent, removed, left()], [[], [], ['Mend it, please']]);
    assert.match(said.join(), /your message wasn’t sent/);
  });

  it('stay as they are, in the tab of their start, when the user cancels their upload', async () => {
    const workspace = {
      execute: () => answerOf('/work/shop\0'),
      upload: (_path: string, _content: Uint8Array, signal?: AbortSignal) => {
        assert.ok(needs.deliveries.cancel(delivery.id));
        return untilCanceled(signal);
      },
    };
    const { needs, sent, removed, left, opened } = deliveringTo(workspace);
    await finishDelivery(needs, delivery, true);
    assert.deepEqual([sent, removed, left(), said], [[], [], ['Mend it, please'], []]);
    assert.deepEqual(opened, ['start:s-1']);
    const { lines, isUnderWay } = needs.deliveries.courseOf(delivery.id);
    assert.deepEqual(
      [...lines.map(({ words }) => words), isUnderWay],
      ['Connecting to the sandbox…', 'Uploading your changes…', false],
    );
  });

  describe('a confirmation policy', () => {
    const policed = { ...delivery, ...noChanges, policy: 'always' as const };
    /** Delivers to a conversation whose server takes the policy as `outcome` says, and then has `policy`. */
    async function setTo(outcome: Outcome, policy: SettablePolicy) {
      const { needs, sent, left, opened } = deliveringTo({});
      const done: string[] = [];
      const model = Object.assign(needs.conversations.model('c-1') as object, {
        head: { readAt: 1, problem: '', policy: 'never' },
        setPolicy(wanted: SettablePolicy) {
          done.push(`${wanted} before ${sent.length} messages`);
          this.head.policy = policy;
          return Promise.resolve(outcome);
        },
      });
      needs.conversations = { ...needs.conversations, model: () => model } as never;
      const isDone = await finishDelivery(needs, policed);
      return { done, sent, left: left(), opened, isDone };
    }

    it('is set before the message is sent', async () => {
      const { done, sent, left } = await setTo({ kind: 'done' }, 'always');
      assert.deepEqual([done, sent, left], [['always before 0 messages'], ['Mend it, please'], []]);
      assert.deepEqual(said, []);
    });

    it('takes nobody away from the editor they’re in', async () => {
      for (const policy of ['always', 'never'] as const) {
        const { opened, isDone } = await setTo({ kind: 'done' }, policy);
        assert.deepEqual([opened, isDone], [[], policy === 'always']);
      }
    });

    it('keeps the message if it can’t be set, or isn’t what the server has then', async () => {
      const refused = await setTo({ kind: 'refused', problem: 'The sandbox is gone.' }, 'never');
      const ignored = await setTo({ kind: 'done' }, 'never');
      for (const { sent, left } of [refused, ignored])
        assert.deepEqual([sent, left], [[], ['Mend it, please']]);
      assert.deepEqual(
        said,
        ['The sandbox is gone.', 'The agent server didn’t confirm the policy. Try again.'].map(
          (why) =>
            `Couldn’t set the confirmation policy of “Mend it”: ${why} The conversation exists, and your message wasn’t sent.`,
        ),
      );
    });
  });

  describe('after a window reload', () => {
    let stored: unknown;
    const removed: string[] = [];
    const changed = new vscode.EventEmitter<undefined>();
    /** The starts still in progress; `conversations` has those that succeeded. */
    let starting: string[];
    let conversations: Map<string, string>;
    const client = { baseUrl: service };
    const follow = (left: readonly unknown[]) => {
      stored = left;
      const deliveries = new Deliveries({ read: () => stored, write: (value) => (stored = value) });
      const following = followLeftDeliveries({
        session: { current: { kind: 'ready', client }, onDidChange: changed.event },
        starts: {
          get: (id: string) => (starting.includes(id) ? {} : undefined),
          conversationOf: (id: string) => conversations.get(id),
          onDidChange: changed.event,
        },
        conversations: { service, model: () => undefined },
        deliveries,
        patches: { remove: (id: string) => Promise.resolve(void removed.push(id)) },
        showConversation: () => Promise.resolve(),
        isConversationVisible: () => false,
      } as unknown as Parameters<typeof followLeftDeliveries>[0]);
      return { deliveries, following };
    };
    beforeEach(() => {
      starting = [];
      conversations = new Map();
      removed.length = 0;
    });

    it('are announced once their conversation exists, and continue when the user agrees', async () => {
      let go: (picked: string) => void = () => undefined;
      const showWarning = (message: string, ...buttons: string[]) => {
        said.push(`${message} [${buttons.join()}]`);
        return new Promise((resolve) => (go = resolve));
      };
      Object.assign(vscode.window, { showWarningMessage: showWarning });
      starting = ['s-1'];
      const { deliveries, following } = follow([{ ...delivery, conversationId: null }]);
      changed.fire(undefined);
      assert.equal(said.length, 0);
      starting = [];
      conversations.set('s-1', 'c-9');
      changed.fire(undefined);
      changed.fire(undefined);
      assert.equal(said.length, 1);
      assert.match(said.join(), /^Your message to “Mend it” wasn’t sent.* \[Continue\]$/);
      assert.deepEqual(
        deliveries.of(service).map(({ conversationId }) => conversationId),
        ['c-9'],
      );
      go('Continue');
      await new Promise((resolve) => setImmediate(resolve));
      // It got as far as the conversation, which this service offers only in the browser.
      assert.match(
        said.at(-1) ?? '',
        /^Couldn’t send your changes to “Mend it”: Conversations of this service/,
      );
      following.dispose();
    });

    it('are forgotten only if their start was never sent', () => {
      const unknown = { ...delivery, id: 'd-2', conversationId: null };
      const { following } = follow([{ ...unknown, id: 'd-1', isAccepted: false }, unknown]);
      assert.deepEqual([said, removed, stored], [[], ['d-1'], [unknown]]);
      following.dispose();
    });

    it('come back with their message when their start is dismissed', async () => {
      const back: unknown[] = [];
      starting = ['s-1'];
      const { deliveries, following } = follow([{ ...delivery, conversationId: null }]);
      const dismiss = () => {
        starting = [];
        changed.fire(undefined);
        return 'goesOn';
      };
      const start = { id: 's-1', message: delivery.message };
      await dismissStart({
        starts: { get: () => start, dismiss },
        deliveries,
        patches: { remove: () => Promise.resolve() },
        message: { restore: (...restored: unknown[]) => Promise.resolve(void back.push(restored)) },
      } as unknown as Parameters<typeof dismissStart>[0])({ ref: { kind: 'start', id: 's-1' } });
      assert.deepEqual(back, [[delivery.message, { changes: delivery.root, selected: delivery.paths }]]);
      following.dispose();
    });

    it('are neither continued nor discarded by an open question once something else continues them', async () => {
      for (const label of ['Continue “Mend it”', 'Discard the message to “Mend it”']) {
        stored = [delivery];
        const deliveries = new Deliveries({ read: () => stored, write: (value) => (stored = value) });
        let end: () => void = () => undefined;
        const { restore } = answering([
          () => {
            void deliveries.during(delivery.id, () => new Promise<void>((resolve) => (end = resolve)));
            return label;
          },
        ]);
        try {
          await startWithChanges({
            session: { current: { kind: 'ready', client } },
            deliveries,
            patches: { remove: (id: string) => Promise.resolve(void removed.push(id)) },
            conversations: { service, model: () => assert.fail('continued twice') },
          } as unknown as CommandDependencies)();
        } finally {
          restore();
        }
        assert.deepEqual([removed, stored], [[], [delivery]]);
        end();
      }
    });

    it('wait for their service', () => {
      const other = { ...delivery, service: 'https://two.example.com' };
      const { following } = follow([other]);
      assert.deepEqual([said, removed, stored], [[], [], [other]]);
      following.dispose();
    });
  });

  it('come from the folder whose menu was used, even among clones of one repository', async () => {
    const repository = (root: string) => ({
      rootUri: vscode.Uri.parse(root),
      state: { remotes: [{ name: 'origin', fetchUrl: 'https://github.com/acme/shop.git' }] },
      getBranches: () => Promise.resolve([]),
    });
    const repositories = ['file:///home/ada/shop', 'file:///home/ada/clone'].map(repository);
    const exports = { getAPI: () => ({ state: 'initialized', git: { path: 'git' }, repositories }) };
    const begun: unknown[] = [];
    const needs = {
      session: { current: { kind: 'noConnection' } },
      message: { begin: ({ changes }: { changes: string }) => Promise.resolve(void begun.push(changes)) },
    } as unknown as CommandDependencies;
    const { getExtension } = vscode.extensions;
    Object.assign(vscode.extensions, { getExtension: () => ({ activate: () => Promise.resolve(exports) }) });
    try {
      for (const { rootUri } of repositories) await startWithChanges(needs)({ rootUri });
    } finally {
      Object.assign(vscode.extensions, { getExtension });
    }
    assert.deepEqual(begun, ['file:///home/ada/shop', 'file:///home/ada/clone']);
  });
});
