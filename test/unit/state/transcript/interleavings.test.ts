import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LiveConversation } from '../../../../src/state/transcript/liveConversation';
import type { Outcome } from '../../../../src/state/transcript/model';
import type { Unsent } from '../../../../src/state/transcript/ports';
import type { ScriptStep } from '../../../service/agent/script';
import { World, type AgentFault } from './world';

/** The same cases on every run; set the environment variables for another seed or more runs. */
const seed = Number(process.env['TRANSCRIPT_MODEL_SEED'] ?? 20_260_202);
const numRuns = Number(process.env['TRANSCRIPT_MODEL_RUNS'] ?? 2_000);

const who = fc.nat(1);
const risk = fc.constantFrom('LOW' as const, 'HIGH' as const, 'HIGH' as const);
const act = fc.array(fc.record({ command: fc.constant('do'), risk, ms: fc.constantFrom(1, 400, 3_000) }), {
  minLength: 1,
  maxLength: 2,
});
const scriptStep: fc.Arbitrary<ScriptStep> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act }) },
  { weight: 1, arbitrary: fc.constant({ think: 'Hm.' }) },
  { weight: 1, arbitrary: fc.constant({ say: 'What next?' }) },
  { weight: 1, arbitrary: fc.constant({ finish: 'Done.' }) },
  { weight: 1, arbitrary: fc.constant({ fail: 'The model failed.' }) },
  { weight: 1, arbitrary: fc.constant({ invalid: 'No command.' }) },
);
const fault = fc.constantFrom<AgentFault>(
  'lostRequest',
  'lostAnswer',
  'lateAnswer',
  'refused',
  'limited',
  'crash',
);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), who }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('approve' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approveStale' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reject' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('interrupt' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sleep' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fail' as const), who, fault }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const sequence = fc.record({
  release: fc.constantFrom('1.7.1' as const, '1.15.0' as const, '1.58.0' as const),
  script: fc.array(scriptStep, { minLength: 2, maxLength: 8 }),
  modelMs: fc.constantFrom(5, 300, 2_500),
  steps: fc.array(fc.tuple(step, fc.constantFrom(0, 0, 50, 700, 3_000, 8_000)), {
    minLength: 4,
    maxLength: 14,
    size: 'max',
  }),
});

/** Two windows of one computer, and what their user did. */
class Windows {
  readonly outboxes: { unsent: readonly Unsent[] }[] = [{ unsent: [] }, { unsent: [] }];
  readonly models: LiveConversation[];
  /** Sets of actions that were on screen, whole, when the user approved them. */
  readonly approved = new Set<string>();
  readonly sent = new Map<string, Outcome | undefined>();
  readonly work: Promise<unknown>[] = [];
  /** What each window showed last. */
  private readonly stale: string[][] = [[], []];

  constructor(readonly world: World) {
    this.models = this.outboxes.map((outbox) => this.open(outbox));
  }

  private open(outbox: { unsent: readonly Unsent[] }): LiveConversation {
    const model = this.world.open(outbox);
    model.keepCurrent();
    return model;
  }

  do(step: Step): void {
    const model = this.models[step.who]!;
    const shown = model.head.pending.map(({ id }) => id);
    this.checkWhole(model);
    switch (step.do) {
      case 'send': {
        const text = `message ${this.sent.size}`;
        this.sent.set(text, undefined);
        this.follow(model.send(text).then((outcome) => this.sent.set(text, outcome)));
        return;
      }
      case 'approve':
        this.stale[step.who] = shown;
        if (shown.length === 0) return;
        this.approved.add(shown.toSorted().join(' '));
        {
          this.follow(model.approve(shown));
          return;
        }
      case 'approveStale': {
        const ids = this.stale[step.who]!;
        if (ids.length > 0) this.follow(model.approve(ids));
        return;
      }
      case 'reject':
        if (shown.length > 0) this.follow(model.reject(shown, 'Not like this.'));
        return;
      case 'resume': {
        this.follow(model.resume());
        return;
      }
      case 'pause': {
        this.follow(model.pause());
        return;
      }
      case 'interrupt': {
        this.follow(model.interrupt());
        return;
      }
      case 'reload':
        model.dispose();
        this.models[step.who] = this.open(this.outboxes[step.who]!);
        return;
      case 'sleep': {
        this.world.pauseSandbox();
        return;
      }
      case 'fail':
        this.world.faults.push(step.fault);
    }
  }

  private follow(work: Promise<unknown>): void {
    this.work.push(work);
  }

  /** What is asked about is shown as it will be executed. */
  private checkWhole(model: LiveConversation): void {
    for (const { id, text } of model.head.pending) {
      const event = this.world.conversation.log.all.find((one) => one.id === id);
      assert.equal(text, (event?.['action'] as { command: string }).command);
    }
  }
}

function assertHolds({ world, approved, sent, outboxes, models }: Windows): void {
  const { deeds, log } = world.conversation;
  const accepted = new Map<string, number>();
  const executed = new Set<string>();
  for (const deed of deeds) {
    if (deed.do === 'accept') {
      assert.ok(approved.has(deed.ids.toSorted().join(' ')), 'accepted what was not shown');
      for (const id of deed.ids) accepted.set(id, (accepted.get(id) ?? 0) + 1);
    } else {
      assert.ok(!executed.has(deed.id), 'executed twice');
      executed.add(deed.id);
      if (!deed.unasked) assert.equal(accepted.get(deed.id), 1, 'executed without one approval');
    }
  }
  const texts = log.all.flatMap((event) =>
    event.kind === 'MessageEvent' && event.source === 'user'
      ? [(event['llm_message'] as { content: { text: string }[] }).content[0]!.text]
      : [],
  );
  assert.equal(new Set(texts).size, texts.length, 'sent twice');
  const kept = outboxes.flatMap(({ unsent }) => unsent.map(({ text }) => text));
  for (const text of sent.keys())
    assert.ok(
      texts.includes(text) !== kept.includes(text),
      `${text} was lost, or is shown as unsent although it arrived`,
    );
  assert.equal(world.server.freezes, 0, 'froze the sandbox');
  for (const model of models)
    assert.deepEqual(
      model.events.map(({ id }) => id),
      log.all.map(({ id }) => id),
    );
}

describe('sequences of sending, answering, and failing', () => {
  it(`execute only what was approved, and lose and repeat no message, in ${numRuns} cases`, async function () {
    this.timeout(600_000);
    const seen = { executed: 0, approved: 0, unknown: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(sequence, async ({ steps, ...options }) => {
        const world = new World(options);
        const windows = new Windows(world);
        await world.advance(200);
        for (const [what, ms] of steps) {
          windows.do(what);
          await world.advance(ms);
        }
        world.faults.length = 0;
        world.wake();
        await world.finish(Promise.all(windows.work), 5_000);
        await world.advance(120_000);
        assertHolds(windows);
        seen.executed += world.conversation.deeds.filter(
          (deed) => deed.do === 'execute' && !deed.unasked,
        ).length;
        seen.approved += world.conversation.deeds.filter((deed) => deed.do === 'accept').length;
        for (const outcome of windows.sent.values())
          if (outcome && outcome.kind !== 'done') seen[outcome.kind] += 1;
        for (const model of windows.models) model.dispose();
      }),
      { seed, numRuns },
    );
    // The cases reach what they are about.
    for (const [what, count] of Object.entries(seen)) assert.ok(count > numRuns / 100, `${what}: ${count}`);
  });
});
