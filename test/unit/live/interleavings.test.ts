import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { LiveConversation } from '../../../src/features/live/model/liveConversation';
import type { Outcome } from '../../../src/features/live/model/model';
import type { Unsent } from '../../../src/features/live/model/ports';
import type { AgentEventRecord } from '../../service/agent/eventLog';
import type { ScriptStep } from '../../service/agent/script';
import { markOf } from '../../../src/shared/actionMark';
import { odds, oddSlips, rumors, slips } from './slips';
import { World, type AgentFault } from './world';

/** Other cases in every run; set the environment variables to see those of a run again, and for more. */
const seed = Number(process.env['TRANSCRIPT_MODEL_SEED'] ?? randomInt(2 ** 31));
const numRuns = Number(process.env['TRANSCRIPT_MODEL_RUNS'] ?? 300);

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
  'slowRequest',
  'lostRequest',
  'lostAnswer',
  'lateAnswer',
  'refused',
  'limited',
  'crash',
);
const allSlips = { ...slips, ...oddSlips };
const slip = fc.constantFrom(...(Object.keys(allSlips) as (keyof typeof allSlips)[]));

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), who }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('approve' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approveStale' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reject' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resume' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('interrupt' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sleep' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fail' as const), who, fault }) },
  // What happens at the server.
  { weight: 1, arbitrary: fc.record({ do: fc.constant('page' as const), who }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('slip' as const), who, slip }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('goBack' as const), who, by: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('setClockBack' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('setClockForward' as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('odd' as const),
      who,
      odd: fc.constantFrom(...Object.keys(odds)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('rumor' as const), who },
      rumor: fc.constantFrom(...Object.keys(rumors)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('socket' as const), who },
      how: fc.constantFrom('loses' as const, 'mute' as const, 'drops' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ do: fc.constant('miscount' as const), who },
      by: fc.constantFrom('more' as const, 'fewer' as const, 'fails' as const, 'none' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('writeWhileRead' as const),
      who,
      count: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('spoil' as const), who, at: fc.nat(1_000) },
      how: fc.constantFrom(
        'lose' as const,
        'loseAnswer' as const,
        'alter' as const,
        'alterAnswer' as const,
        'restore' as const,
        'replace' as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('other' as const), who },
      what: fc.constantFrom(
        'accept' as const,
        'reject' as const,
        'send' as const,
        'pause' as const,
        'never' as const,
        'always' as const,
        'navigate' as const,
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** By then, most agents wait for an approval. */
const begin: [Step, number] = [{ do: 'send', who: 0 }, 8_000];

const sequence = fc.record({
  startsWorking: fc.boolean(),
  release: fc.constantFrom(
    '1.0.0a6' as const,
    '1.7.1' as const,
    '1.15.0' as const,
    '1.49.1' as const,
    '1.49.1' as const,
    '1.58.0' as const,
    '1.58.0' as const,
  ),
  runsOn: fc.boolean(),
  script: fc.array(scriptStep, { minLength: 2, maxLength: 8 }),
  modelMs: fc.constantFrom(5, 300, 2_500),
  steps: fc.array(fc.tuple(step, fc.constantFrom(0, 0, 50, 700, 3_000, 8_000)), {
    minLength: 4,
    maxLength: 14,
    size: 'max',
  }),
});

/** The script with a command of its own for each action. */
function numbered(script: readonly ScriptStep[]): ScriptStep[] {
  let count = 0;
  return script.map((one) =>
    'act' in one ? { act: one.act.map((action) => ({ ...action, command: `do ${(count += 1)}` })) } : one,
  );
}

/** Servers that number their events have no texts for ids. */
const idOf = ({ id }: { id: unknown }) => String(id);

/** What isn't shown needn't be read, unless an approval depends on it. */
const isHidden = (event: AgentEventRecord) =>
  event.kind === 'SystemPromptEvent' || event['key'] === 'agent_state';

/** Two windows of one computer, and what their user did. */
class Windows {
  readonly outboxes: { unsent: readonly Unsent[] }[] = [{ unsent: [] }, { unsent: [] }];
  readonly models: LiveConversation[];
  /** The commands that were on screen, whole, when the user approved them. */
  readonly approved: ReadonlySet<string>[] = [];
  readonly sent = new Map<string, Outcome | undefined>();
  readonly work: Promise<unknown>[] = [];
  /** Every event is as servers usually tell it. */
  isUsual = true;
  /**
   * Events can’t be read just before a message, or come from the store, which orders them by time, and their times say
   * nothing: it may stay unknown what became of it.
   */
  isBlind = false;
  /** Somebody else had the agent continue from an earlier place, where a step may have no result yet. */
  wentBack = false;
  /** The server lost or changed what it had told: what was executed may wait again. */
  isSpoiled = false;
  /** A socket told what isn’t so. */
  isRumored = false;
  /** Texts of all messages that ever arrived. */
  readonly arrived: string[] = [];
  /** The approvals of others, by their places among all deeds. */
  readonly others = new Set<number>();
  private othersCount = 0;
  private hasSlept = false;
  /** A socket may have told nothing of a message, and times say nothing. */
  private isDeaf = false;
  slipped = 0;
  private underWay = 0;
  /** What each window showed last: ids, and marks of what was shown of them. */
  private readonly stale = [0, 1].map(() => ({ ids: [] as string[], marks: new Set<string>() }));

  constructor(readonly world: World) {
    this.models = this.outboxes.map((outbox) => this.open(outbox));
    world.conversation.log.onEvent((event) => {
      if (event.kind === 'MessageEvent' && event.source === 'user')
        this.arrived.push((event['llm_message'] as { content: { text: string }[] }).content[0]!.text);
    });
  }

  private open(outbox: { unsent: readonly Unsent[] }): LiveConversation {
    const model = this.world.open(outbox);
    model.keepCurrent();
    return model;
  }

  do(step: Step): void {
    const model = this.models[step.who]!;
    const { conversation } = this.world;
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
        this.stale[step.who] = { ids: shown, marks: new Set(model.head.pending.map(markOf)) };
        if (shown.length === 0) return;
        this.approved.push(new Set(model.head.pending.map(({ text }) => text)));
        this.follow(model.approve(shown));
        return;
      case 'approveStale': {
        const { ids, marks } = this.stale[step.who]!;
        // The panel refuses an answer of a page that shows something else under these ids.
        const isSame = model.head.pending.every(
          (action) => !ids.includes(action.id) || marks.has(markOf(action)),
        );
        if (ids.length > 0 && isSame) this.follow(model.approve(ids));
        return;
      }
      case 'reject':
        if (shown.length > 0 || model.head.proof !== 'whole')
          this.follow(model.reject(shown, 'Not like this.'));
        return;
      case 'resume':
        this.follow(model.resume());
        return;
      case 'pause':
        this.follow(model.pause());
        return;
      case 'interrupt':
        this.follow(model.interrupt());
        return;
      case 'reload':
        model.dispose();
        this.models[step.who] = this.open(this.outboxes[step.who]!);
        return;
      case 'sleep':
        this.world.pauseSandbox();
        this.hasSlept = true;
        this.isBlind ||= conversation.log.skewMs !== 0;
        return;
      case 'fail':
        this.world.faults.push(step.fault);
        return;
      case 'page':
        for (let count = 0; count < 120; count += 1) conversation.log.state('agent_state', count);
        return;
      case 'slip':
        // What changes at the server between a proof and its answer can't be known by anybody.
        if (this.underWay > 0 || conversation.status !== 'waiting_for_confirmation') return;
        this.isUsual = false;
        this.slipped += 1;
        conversation.slip({ command: `slip ${this.slipped}`, ms: 1 }, allSlips[step.slip]);
        return;
      case 'goBack': {
        const place = conversation.log.all.findLast(
          ({ kind }, index) => kind === 'MessageEvent' && index < conversation.log.all.length - step.by,
        );
        const isPossible = conversation.habits.branches && !conversation.step && !this.isSpoiled;
        if (this.underWay === 0 && place && isPossible) {
          conversation.navigate(place.id);
          this.wentBack = true;
        }
        return;
      }
      case 'setClockBack':
        this.isUsual = false;
        this.isBlind ||= this.hasSlept || this.isDeaf || conversation.habits.blocks;
        conversation.log.skewMs -= 3_600_000;
        return;
      case 'setClockForward':
        conversation.log.skewMs += 3_600_000;
        return;
      case 'odd':
        this.isUsual = false;
        odds[step.odd]!(conversation.log);
        return;
      case 'rumor':
        this.isUsual = false;
        this.isRumored = true;
        rumors[step.rumor]!(conversation.log);
        return;
      case 'socket': {
        const { sockets } = this.world.server;
        this.isDeaf = true;
        this.isBlind ||= conversation.log.skewMs !== 0;
        if (step.how === 'loses') sockets.loses = 2;
        else if (step.how === 'mute') sockets.isMute = !sockets.isMute;
        else sockets.drop(1006);
        return;
      }
      case 'miscount': {
        let left = 2;
        const all = conversation.log.all;
        this.world.counts = () => {
          if ((left -= 1) === 0) this.world.counts = undefined;
          if (step.by === 'fails') return { status: 500, body: {} };
          return {
            status: 200,
            body: step.by === 'none' ? null : all.length + (step.by === 'more' ? 1 : -1),
          };
        };
        return;
      }
      case 'writeWhileRead': {
        let left = step.count;
        this.world.onRequest = (method) => {
          if (method !== 'GET' || (left -= 1) < 0) return;
          for (let count = 0; count < 30; count += 1) conversation.log.state('agent_state', count);
        };
        return;
      }
      case 'spoil':
        // What it lost while the agent rests would be known only by reading everything before each message.
        if (this.underWay > 0 || conversation.status !== 'waiting_for_confirmation') return;
        this.isUsual = false;
        this.isBlind = this.isSpoiled = true;
        this.spoil(step.how, step.at);
        return;
      case 'other':
        this.other(step.what);
    }
  }

  private spoil(how: Extract<Step, { do: 'spoil' }>['how'], at: number): void {
    const { conversation } = this.world;
    const { all } = conversation.log;
    const answers = all.filter(({ kind }) => kind === 'ObservationEvent' || kind === 'UserRejectObservation');
    const answer = answers[at % Math.max(answers.length, 1)];
    if (how === 'lose') all.splice(1 + (at % all.length), 1);
    if (how === 'loseAnswer' && answer) all.splice(all.indexOf(answer), 1);
    if (how === 'alterAnswer' && answer) answer['action_id'] = 'another';
    if (how === 'alter') conversation.alter(`altered ${at}`);
    if (how === 'restore') all.splice(1 + (at % all.length));
    if (how === 'replace') {
      all.splice(0);
      conversation.log.message('agent', 'Hello again.');
    }
    conversation.log.leaf = all.findLast(({ kind }) => kind !== 'ConversationStateUpdateEvent')?.id;
    conversation.recount();
  }

  /** Somebody else answers, or sends, with another client. */
  private other(what: Extract<Step, { do: 'other' }>['what']): void {
    const { conversation } = this.world;
    const isWaiting = conversation.status === 'waiting_for_confirmation';
    if (what === 'pause') conversation.pause();
    if (what === 'send') {
      this.othersCount += 1;
      conversation.message(`other ${this.othersCount}`, false);
    }
    // What changes between a proof and its answer can't be known by anybody.
    if (this.underWay > 0) return;
    if (what === 'accept' && isWaiting) {
      this.others.add(conversation.deeds.length);
      conversation.accept();
    }
    if (what === 'reject' && isWaiting) conversation.reject('No.');
    if (what === 'never') conversation.policy = { kind: 'NeverConfirm' };
    if (what === 'always') conversation.policy = { kind: 'AlwaysConfirm' };
    if (what === 'navigate' && conversation.habits.branches && !conversation.step && !this.isSpoiled) {
      const place = conversation.log.all.findLast(
        ({ kind }) => kind === 'ObservationEvent' || kind === 'ActionEvent',
      );
      if (!place) return;
      conversation.navigate(place.id);
      this.wentBack = true;
      this.isUsual = false;
    }
  }

  private follow(work: Promise<unknown>): void {
    this.underWay += 1;
    const end = () => {
      this.underWay -= 1;
    };
    work.then(end, end);
    this.work.push(work);
  }

  /** What is asked about is shown as it will be executed. */
  private checkWhole(model: LiveConversation): void {
    if (this.isSpoiled || this.isRumored) return;
    for (const { id, text } of model.head.pending) {
      const told = this.world.conversation.log.all.filter((one) => idOf(one) === id);
      const texts = told.flatMap(({ action }) => (action as { command?: string } | undefined)?.command ?? []);
      if (texts.length > 0) assert.ok(texts.includes(text), `${text} isn’t ${texts.join()}`);
    }
  }
}

function assertHolds(windows: Windows): void {
  const { world, approved, sent, outboxes, models, isUsual, isBlind, wentBack, isSpoiled } = windows;
  const { deeds, commands, log } = world.conversation;
  const accepted = new Map<string, number>();
  const executed = new Map<string, number>();
  for (const [index, deed] of deeds.entries()) {
    const [of = []] = [commands[index]];
    if (deed.do === 'accept') {
      const isShown =
        of.length === 0 ||
        windows.others.has(index) ||
        approved.some((shown) => of.every((command) => shown.has(command)));
      assert.ok(isShown, `accepted what was not shown: ${of.join(', ')}`);
      for (const command of of) accepted.set(command, (accepted.get(command) ?? 0) + 1);
    } else {
      const [command = ''] = of;
      // From a place before its result, the server runs again what the policy lets the agent do unasked.
      const count = (executed.get(command) ?? 0) + 1;
      executed.set(command, count);
      const isAgain = (deed.unasked && wentBack) || isSpoiled;
      assert.ok(count === 1 || isAgain, `executed twice: ${command}`);
      const approvals = accepted.get(command) ?? 0;
      // What a socket says of a resting agent is believed.
      if (!deed.unasked && !windows.isRumored)
        assert.ok(
          isSpoiled ? count <= approvals : approvals === 1,
          `executed without one approval: ${command}`,
        );
    }
  }
  const texts = windows.arrived;
  assert.equal(new Set(texts).size, texts.length, 'sent twice');
  const unsent = outboxes.flatMap((outbox) => outbox.unsent);
  const kept = unsent.map(({ text }) => text);
  const unknown = new Set(unsent.flatMap((one) => (isBlind && one.mayHaveArrived ? one.text : [])));
  for (const text of sent.keys())
    assert.ok(
      texts.includes(text) !== kept.includes(text) || unknown.has(text),
      `${text} was lost, or is shown as unsent although it arrived`,
    );
  assert.equal(world.server.freezes, 0, 'froze the sandbox');
  for (const model of models) {
    const held = model.events.filter(({ kind }) => kind !== 'hidden').map(({ id }) => id);
    const there = log.all.filter((event) => !isHidden(event)).map(({ id }) => id);
    if (isUsual)
      assert.deepEqual(held, model.head.hasOlder ? there.slice(there.length - held.length) : there);
    assert.equal(model.head.problem, '');
  }
}

describe('sequences of sending, answering, and failing', () => {
  it(`execute only what was approved, and lose and repeat no message, in ${numRuns} cases of seed ${seed}`, async function () {
    this.timeout(6_000_000);
    const seen = { executed: 0, approved: 0, unknown: 0, refused: 0, slipped: 0 };
    await fc.assert(
      fc.asyncProperty(sequence, async ({ steps, startsWorking, runsOn, script, ...options }) => {
        const world = new World({ ...options, script: numbered(script) });
        world.conversation.runsOn = runsOn;
        const windows = new Windows(world);
        await world.advance(200);
        for (const [what, ms] of startsWorking ? [begin, ...steps] : steps) {
          windows.do(what);
          await world.advance(ms);
        }
        world.faults.length = 0;
        world.wake();
        await world.finish(Promise.all(windows.work), 5_000);
        await world.advance(200_000);
        assertHolds(windows);
        const { deeds } = world.conversation;
        seen.executed += deeds.filter((deed) => deed.do === 'execute' && !deed.unasked).length;
        seen.approved += deeds.filter((deed) => deed.do === 'accept').length;
        seen.slipped += windows.slipped;
        for (const outcome of windows.sent.values())
          if (outcome && outcome.kind !== 'done') seen[outcome.kind] += 1;
        for (const model of windows.models) model.dispose();
      }),
      { seed, numRuns },
    );
    // The cases reach what they are about; a few may not, by chance.
    if (numRuns >= 300)
      for (const [what, count] of Object.entries(seen)) assert.ok(count > numRuns / 100, `${what}: ${count}`);
  });
});
