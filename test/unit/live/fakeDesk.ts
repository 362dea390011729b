import type { AgentClient } from '../../../src/api/agent/client';
import type { AgentFeatures } from '../../../src/api/agent/features';
import { ApiError } from '../../../src/api/http/errors';
import type { AgentEvent } from '../../../src/api/events/event';
import type { Execution, Head, Policy, Proof } from '../../../src/shared/transcript';
import { anError } from '../../support/builders/client';
import { Refusal } from '../../../src/core/basics/refusal';
import type { Desk } from '../../../src/features/live/model/desk';
import { Outbox } from '../../../src/features/live/model/outbox';
import type { TranscriptPorts, Unsent } from '../../../src/features/live/model/ports';
import { aCommand, anEvent } from '../transcript/events';

type Change =
  | 'sendMessage'
  | 'accept'
  | 'reject'
  | 'run'
  | 'pause'
  | 'interrupt'
  | 'setPolicy'
  | 'switchModel'
  | 'switchAgentModel'
  | 'condense'
  | 'startGoal'
  | 'stopGoal'
  | 'resumeGoal'
  | 'giveSecret'
  | 'navigate'
  | 'fork';

/** A request that failed for certain, or of which nobody knows. */
export const requestError = (outcomeUnknown: boolean) =>
  new ApiError('reset', 'POST', '/events', { outcomeUnknown });

/** A desk over an agent that does what a test says; notes what is done, in order. */
export class FakeDesk implements Desk {
  readonly id = 'c';
  readonly calls: string[] = [];
  /** What each reading of the state says; the last one stays. */
  states: Execution[] = ['idle'];
  policy: Policy = 'always';
  updatedAt: string | null = null;
  /** What waits, by the ids of the actions. */
  waiting: string[] = [];
  /** What fails, and how. */
  readonly failures: Partial<Record<Change | 'reach' | 'readStatus' | 'readEvents' | 'prove', Error>> = {};
  features: Partial<AgentFeatures> = { interrupts: true, revivesStuck: true };
  head = { pending: [], limit: 'none', proof: 'whole' } as unknown as Head;
  /** What was just answered. */
  answer: readonly string[] = [];
  events: readonly AgentEvent[] = [anEvent({ kind: 'hidden' })];
  proof: Proof = 'whole';
  /** Actions that a run would execute. */
  open = false;
  hidden = false;
  stepIsOver = true;
  /** Done while the sandbox wakes; it doesn’t if undefined. */
  onWaking: (() => void) | undefined;
  onEvents: () => void = () => undefined;
  looks = 0;
  /** Each change that the user began, and whether it stops the agent. */
  readonly acts: boolean[] = [];
  unsent: readonly Unsent[] = [];
  readonly life = new AbortController();
  readonly signal = this.life.signal;
  /** The signals that the agent was handed. */
  readonly signals = new Set<AbortSignal | undefined>();
  readonly outbox = new Outbox(
    { read: () => this.unsent, write: (unsent) => (this.unsent = unsent) },
    (text) => text,
    () => undefined,
  );
  readonly ports = {
    acts: (stops: boolean) => void this.acts.push(stops),
    exclusively: (id: string, work: () => Promise<unknown>) => {
      this.calls.push(`alone ${id}`);
      return work();
    },
    describe: (error: unknown) => `described: ${String(error)}`,
    now: () => 7,
    after: (_ms: number, callback: () => void) => {
      callback();
      return () => undefined;
    },
  } as unknown as TranscriptPorts;

  /** Its server refuses runs this often, as while the run before still ends. */
  refuseRuns(times: number): this {
    let count = 0;
    const refusal = () => ((count += 1) <= times ? anError('unexpectedStatus', 409) : undefined);
    Object.defineProperty(this.failures, 'run', { get: refusal });
    return this;
  }

  get pending(): string[] {
    return this.head.pending.map(({ id }) => id);
  }

  /** What is shown to wait. */
  set pending(ids: readonly string[]) {
    this.head = { ...this.head, pending: ids.map(pendingOf) };
  }

  /** What was done to the agent. */
  get changes(): string[] {
    return this.calls.filter((call) => !/^(?:alone|reach|readStatus|readEvents|prove|answered)\b/.test(call));
  }

  async reach(whileWaking?: () => void): Promise<AgentClient> {
    await this.do('reach');
    if (this.onWaking && whileWaking) {
      whileWaking();
      this.onWaking();
    } else if (this.onWaking) throw new Refusal('asleep');
    return {
      features: this.features,
      sendMessage: ({ text, images, run }: { text: string; images: string[]; run: boolean }, signal) =>
        this.do('sendMessage', [text, ...images, run], signal),
      accept: (signal) => this.do('accept', [], signal),
      reject: (reason, signal) => this.do('reject', [reason], signal),
      run: (signal) => this.do('run', [], signal),
      pause: (signal) => this.do('pause', [], signal),
      interrupt: (signal) => this.do('interrupt', [], signal),
      setPolicy: (policy, signal) => this.do('setPolicy', [policy], signal),
      switchModel: (profile, signal) => this.do('switchModel', [profile], signal),
      switchAgentModel: (model, signal) => this.do('switchAgentModel', [model], signal),
      startGoal: (objective, rounds, signal) => this.do('startGoal', [objective, rounds], signal),
      stopGoal: (signal) => this.do('stopGoal', [], signal),
      resumeGoal: (signal) => this.do('resumeGoal', [], signal),
      giveSecret: (name, _value, signal) => this.do('giveSecret', [name], signal),
      navigate: (eventId, signal) => this.do('navigate', [eventId], signal),
      fork: async ({ eventId, title }, signal) => {
        await this.do('fork', [eventId, title], signal);
        return 'forked';
      },
      condense: (signal) => this.do('condense', [], signal),
    } as AgentClient;
  }

  async readStatus() {
    await this.do('readStatus');
    const execution = (this.states.length > 1 ? this.states.shift() : this.states[0]) ?? 'unknown';
    const { policy, updatedAt } = this;
    return { execution, policy, updatedAt, usage: null, workingDir: null, leaf: null, waits: [] };
  }

  async readEvents(): Promise<void> {
    await this.do('readEvents');
    this.onEvents();
  }

  async prove(): Promise<Proof> {
    await this.do('prove');
    this.onEvents();
    return this.proof;
  }

  knowsLastStep(): boolean {
    return this.proof === 'whole';
  }

  hasOpenActions(): boolean {
    return this.open;
  }

  hidesActions(): boolean {
    return this.hidden;
  }

  isStepOver(): boolean {
    return this.stepIsOver;
  }

  pendingNow() {
    return this.waiting.map(pendingOf);
  }

  answered(ids: readonly string[]): void {
    this.calls.push(['answered', ...ids].join(' '));
    this.answer = ids;
  }

  /** What the server took as answered from here. */
  decisions: (readonly string[])[] = [];
  decided(ids: readonly string[]): void {
    this.decisions.push(ids);
  }

  isAnswered(ids: readonly string[]): boolean {
    return ids.length > 0 && ids.join() === this.answer.join();
  }

  lookSoon(): void {
    this.looks += 1;
  }

  private do(
    what: keyof FakeDesk['failures'],
    words: unknown[] = [],
    ...signals: (AbortSignal | undefined)[]
  ) {
    this.calls.push([what, ...words].join(' '));
    for (const signal of signals) this.signals.add(signal);
    const failure = this.failures[what];
    return failure ? Promise.reject(failure) : Promise.resolve();
  }
}

const pendingOf = (id: string) =>
  ({ ...aCommand('ls'), id, text: 'ls' }) as unknown as Head['pending'][number];
