import assert from 'node:assert/strict';
import type { SandboxCalls } from '../../../src/api/service/sandboxes';
import type { Sandbox } from '../../../src/api/service/schemas/sandbox';
import {
  isFor,
  mayTry,
  type SandboxAction,
  sandboxActions,
  stoppedByPause,
} from '../../../src/features/sandboxes/model/actions';
import { changeSandboxes } from '../../../src/features/sandboxes/model/changeSandboxes';
import { SandboxHistory } from '../../../src/core/lists/history';
import { PendingActions } from '../../../src/core/lists/pendingActions';
import { runningNow, type Running } from '../../../src/features/sandboxes/model/serviceLimit';
import type { ServiceModel } from '../../../src/core/lists/serviceModel';
import { sandboxPhase } from '../../../src/core/lists/status';
import { sandboxRow } from '../../../src/features/tools/rows';
import { sandboxRows } from '../../../src/features/sandboxes/rows/rows';
import { aConversation, aList, aSandbox } from '../../support/builders/records';

/** A third action, to detect code that confuses it with the others. */
const archive: SandboxAction = {
  verb: 'archive',
  pending: 'archiving',
  request: 'archiveSandbox' as never,
  from: ['running', 'paused'],
  via: 'missing',
  to: 'missing',
  consequences: () => [],
  words: {
    title: () => 'Archive Sandbox',
    none: () => 'No sandboxes to archive.',
    pending: () => 'Archiving…',
    failed: (names) => `Couldn’t archive ${names}.`,
    all: { question: () => 'Archive?', agree: () => 'Archive', result: () => 'Archiving…' },
    tool: { question: () => 'Archive this sandbox?', doing: () => 'Archiving a sandbox' },
  },
};

const statusOf: Record<string, string> = { running: 'RUNNING', paused: 'PAUSED' };
const everyAction: Record<string, SandboxAction> = { ...sandboxActions, archive };

for (const [name, action] of Object.entries(everyAction)) {
  describe(`the action ${name}`, () => {
    const status = statusOf[action.from[0] ?? ''] ?? '';
    const sandbox = aSandbox({ status });
    /** Begins the action; the service accepts it, but doesn't show the result yet. */
    async function begin() {
      const sent: string[] = [];
      const pending = new PendingActions(() => 0);
      const lists = { conversations: { state: aList([]) }, sandboxes: { state: aList([sandbox]) } };
      const model = {
        pending,
        ...lists,
        refresh: () => Promise.resolve(),
      } as unknown as ServiceModel;
      const sandboxes = new Proxy({} as SandboxCalls, {
        get: (_target, method) => (id: string) => Promise.resolve(void sent.push(`${String(method)} ${id}`)),
      });
      const client = { sandboxes };
      await changeSandboxes(model, client, [sandbox], action);
      return { sent, pending, model };
    }
    const rowOf = (pending: PendingActions, one: Sandbox = sandbox) => {
      const get = (id: string) => pending.get(id);
      const state = { conversations: [], pausedByService: () => false, now: 0 };
      return [...sandboxRows({ sandboxes: aList([one]), pending: get, ...state })][0];
    };

    it('sends only its own request', async () => {
      assert.deepEqual((await begin()).sent, [`${action.verb}Sandbox ${sandbox.id}`]);
    });

    it('is shown as pending under its own name in the view and the tools', async () => {
      const { pending, model } = await begin();
      assert.match(rowOf(pending)?.description ?? '', new RegExp(`^${action.words.pending()}`));
      assert.equal(rowOf(pending)?.contextValue, 'sandbox.pending');
      const row = JSON.parse(sandboxRow(sandbox, model)) as Record<string, unknown>;
      assert.equal(row['pending'], action.pending);
      assert.deepEqual(runningNow(model).sandboxes.map(sandboxPhase), [action.via]);
    });

    it('is offered in its own phases and in unknown states', () => {
      const offered = (fits: typeof isFor) =>
        ['RUNNING', 'PAUSED', 'STARTING', 'MISSING', 'ERROR', 'DEEP_SLEEP'].filter((one) =>
          fits(action, aSandbox({ status: one })),
        );
      const own = action.from.map((phase) => statusOf[phase]);
      assert.deepEqual(offered(isFor), own);
      assert.deepEqual(offered(mayTry), [...own, 'ERROR', 'DEEP_SLEEP']);
    });

    it('counts as requested until its phase is seen', async () => {
      const { pending } = await begin();
      const phases = ['running', 'paused', 'starting', 'missing', 'failed'] as const;
      const asked = () => phases.filter((phase) => pending.askedFor(sandbox.id, phase));
      assert.deepEqual(asked(), [action.to]);
      const history = new SandboxHistory(pending, () => 0);
      history.read(sandbox);
      assert.deepEqual(asked(), [action.to]);
      history.read({ ...sandbox, status: action.to });
      assert.deepEqual(asked(), []);
    });

    it('has its own wording', () => {
      const others = Object.values(everyAction).filter((one) => one !== action);
      const theirs = others.flatMap(({ words }) => spoken(words));
      for (const text of spoken(action.words)) assert.ok(text !== '' && !theirs.includes(text), text);
    });
  });
}

describe('words of the actions', () => {
  const { pause, resume, delete: remove } = sandboxActions;

  it('name a single sandbox and count several', () => {
    for (const { words } of [resume, remove]) {
      assert.match(words.selected?.question(1, 'Parser') ?? '', /“Parser”/);
      assert.match(words.selected?.question(2, 'Parser') ?? '', /2/);
    }
    for (const { words } of [pause, resume]) {
      assert.doesNotMatch(words.all.question(1), /\d|sandboxes/);
      assert.match(words.all.question(2), /2 \w+ sandboxes/);
    }
  });

  it('say how many requests succeeded', () => {
    for (const { words } of [pause, resume]) {
      assert.match(words.all.result(1, 1), /1 sandbox…/);
      assert.match(words.all.result(2, 2), /^\D+2 sandboxes…/);
      assert.match(words.all.result(1, 2), /1 of 2/);
      assert.match(words.all.result(0, 1), /0 of 1/);
    }
  });

  it('name five agents that a pause stops, and say how many more there are', () => {
    const working = Array.from({ length: 7 }, (_, at) =>
      aConversation({ id: `c${at}`, title: `Task ${at}`, execution_status: 'running' }),
    );
    assert.match(
      stoppedByPause(working)[0] ?? '',
      /^Still working: “Task 0”, “Task 1”, “Task 2”, “Task 3”, “Task 4” and 2 more\.$/,
    );
    const resting = ['idle', 'finished', null].map((execution_status) => aConversation({ execution_status }));
    assert.deepEqual(stoppedByPause(resting), []);
  });

  it('ask with one question mark about what is named by a question', () => {
    for (const { words } of [pause, resume, remove])
      assert.match(words.selected?.question(1, 'Why does it fail?') ?? '', /“Why does it fail”\?$/);
  });

  it('warn about what a pause or deletion ends', () => {
    const running: Running = { sandboxes: [], conversations: [] };
    assert.equal(pause.consequences(running, 1).length, 1);
    assert.equal(remove.consequences(running, 1).length, 2);
  });
});

/** All texts a user may see about an action. */
function spoken({ title, none, pending, failed, selected, all, tool }: SandboxAction['words']): string[] {
  return [
    ...[title(), none(), pending(), failed('“A”')],
    ...(selected ? [selected.question(1, 'A'), selected.question(2, 'A'), selected.agree()] : []),
    ...(all ? [all.question(1), all.question(2), all.agree()] : []),
    ...(all ? [all.result(1, 1), all.result(2, 2), all.result(1, 2)] : []),
    ...(tool ? [tool.question(), tool.doing()] : []),
  ];
}
