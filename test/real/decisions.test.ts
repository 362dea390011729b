import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { createOpenSocket } from '../../src/editor/networkFetch';
import type { OpenSocket } from '../../src/api/agent/socket';
import type { LiveConversation } from '../../src/features/live/model/liveConversation';
import type { Outcome } from '../../src/features/live/model/model';
import type { Unsent } from '../../src/features/live/model/ports';
import { startBesideOthers, useModel, workFile } from './support/conversations';
import { follow, until } from './support/followed';
import { withSandboxes } from './support/releases';
import { real, realClient, realSuite } from './support/suite';

/** Every run has the same cases; set the environment variables for another seed or more cases. */
const seed = Number(process.env['DECISIONS_SEED'] ?? 20_261_122);
const numRuns = Number(process.env['DECISIONS_RUNS'] ?? 6);
const actionsPerCase = 5;

const step = fc.record({
  do: fc.oneof(
    { weight: 5, arbitrary: fc.constant('approve' as const) },
    { weight: 4, arbitrary: fc.constant('send' as const) },
    { weight: 2, arbitrary: fc.constantFrom('approveStale' as const, 'reject' as const, 'resume' as const) },
    { weight: 1, arbitrary: fc.constantFrom('pause' as const, 'interrupt' as const, 'reload' as const) },
  ),
  window: fc.nat(1),
  /** Whether the next step waits for this step. */
  waits: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const cases = fc.sample(fc.array(step, { minLength: 6, maxLength: 9, size: 'max' }), { seed, numRuns });

/** A file to which an action adds a line each time it’s executed. */
const deedFile = (run: number, action: number): string => workFile(`deed-${run}-${action}.txt`);
const timesExecuted = async (file: string): Promise<number> =>
  (await readFile(file, 'utf8')).split('\n').filter((line) => line === 'done').length;

realSuite('decisions in two windows', withSandboxes, function () {
  this.timeout(600_000);
  let id: string;
  let openSocket: OpenSocket;
  const outboxes: { unsent: readonly Unsent[] }[] = [{ unsent: [] }, { unsent: [] }];
  const models: LiveConversation[] = [];
  /** The actions that each window showed when its user last approved something. */
  const stale: string[][] = [[], []];
  const sent = new Map<string, Outcome | undefined>();
  /** Totals over all cases. */
  const seen = { executed: 0, notExecuted: 0 };
  let turn: Promise<unknown> = Promise.resolve();

  const open = (window: number): void => {
    const outbox = outboxes[window]!;
    models[window] = follow(id, openSocket, realClient(), {
      outbox: { read: () => outbox.unsent, write: (unsent) => (outbox.unsent = unsent) },
      acts: () => undefined,
      exclusively: (_id, work) => {
        const mine = turn.then(work);
        turn = mine.catch(() => undefined);
        return mine;
      },
    });
    models[window].keepCurrent();
  };
  const rested = (model: LiveConversation): Promise<void> =>
    until(
      model,
      ({ execution, pending, readAt }) => readAt !== null && (pending.length > 0 || execution !== 'running'),
    );

  before(useModel);
  before(async () => {
    real().model.script();
    id = await startBesideOthers(realClient(), 'Begin.');
    openSocket = await createOpenSocket({}, undefined);
    open(0);
    open(1);
    await until(models[0]!, ({ execution }) => execution === 'finished');
    assert.deepEqual(await models[0]!.setPolicy('always'), { kind: 'done' });
  });
  after(() => models.forEach((model) => model.dispose()));

  /** Acts as a user, and records the actions that were on screen when approved. */
  async function take({ do: what, window }: Step, approved: Set<string>): Promise<void> {
    const model = models[window]!;
    const shown = model.head.pending;
    const ids = shown.map((action) => action.id);
    switch (what) {
      case 'send': {
        const text = `Message ${sent.size}`;
        sent.set(text, undefined);
        sent.set(text, await model.send(text));
        return;
      }
      case 'approve':
        stale[window] = ids;
        for (const { raw } of shown) approved.add(raw);
        if (ids.length > 0) await model.approve(ids);
        return;
      case 'approveStale':
        if (stale[window]!.length > 0) await model.approve(stale[window]!);
        return;
      case 'reject':
        if (ids.length > 0) await model.reject(ids, 'Not like this.');
        return;
      case 'reload':
        model.dispose();
        open(window);
        return;
      case 'resume':
      case 'pause':
      case 'interrupt':
        await model[what]();
    }
  }

  cases.forEach((steps, run) => {
    const words = steps.map(({ do: what, window, waits }) => `${what} ${window}${waits ? '' : ' …'}`);

    it(`execute only what was approved, once, and send each message once: ${words.join(', ')}`, async () => {
      const files = Array.from({ length: actionsPerCase }, (_, action) => deedFile(run, action));
      await mkdir(path.dirname(files[0]!), { recursive: true });
      await Promise.all(files.map((file) => writeFile(file, '')));
      real().model.script(
        ...files.map((file) => ({
          tool: 'file_editor',
          args: { command: 'insert', path: file, insert_line: 0, new_str: 'done' },
        })),
      );
      const approved = new Set<string>();
      const work = [take({ do: 'send', window: 0, waits: true }, approved)];
      await work[0];
      for (const step of steps) {
        if (step.waits) await rested(models[step.window]!);
        const taken = take(step, approved);
        work.push(taken);
        if (step.waits) await taken;
      }
      await Promise.all(work);

      // Rejects pending actions, so the next case starts with an idle agent.
      const [model] = models as [LiveConversation];
      await rested(model);
      while (model.head.pending.length > 0) {
        const ids = model.head.pending.map((action) => action.id);
        await model.reject(ids, 'Enough.');
        await rested(model);
      }
      for (const file of files) {
        const times = await timesExecuted(file);
        assert.ok(times <= 1, `${file} was written ${times} times`);
        const wasApproved = [...approved].some((raw) => raw.includes(file));
        assert.ok(times === 0 || wasApproved, `${file} was written without an approval`);
        seen[times > 0 ? 'executed' : 'notExecuted'] += 1;
      }
    });
  });

  it('send each message once, or keep it', async () => {
    // A window that was open may not have read the other’s last message yet.
    models[0]!.dispose();
    open(0);
    const [model] = models as [LiveConversation];
    await rested(model);
    await model.loadAll();
    const texts = model.entries.flatMap((entry) =>
      entry.kind === 'message' && entry.from === 'user' ? [entry.text.text] : [],
    );
    assert.equal(new Set(texts).size, texts.length, texts.join());
    for (const [text, outcome] of sent)
      if (outcome?.kind === 'done') assert.ok(texts.includes(text), `${text} was lost`);
    // The cases cover both outcomes.
    assert.ok(seen.executed > 0 && seen.notExecuted > 0, JSON.stringify(seen));
  });
});
