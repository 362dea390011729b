import type { AgentClient } from '../../../api/agent/client';
import type { AgentConversation } from '../../../api/agent/schemas/conversation';
import type { AgentEvent, GoalState } from '../../../api/events/event';
import type { Entry, Head, PendingAction, Proof, SettablePolicy } from '../../../shared/transcript';
import { type Disposable, Emitter } from '../../../core/basics/emitter';
import { beganAt, ConversationChanges, type SandboxPlace } from '../../sandboxChanges';
import { branch, goBack } from './goingBack';
import { approve, interrupt, pause, reject, resume, setPolicy, summarize, switchModel } from './answering';
import { Refusal } from '../../../core/basics/refusal';
import { Decisions } from './decisions';
import { type Desk } from './desk';
import {
  compactAction,
  createEntryMaker,
  mayBeAnswered,
  type ActionEvent,
  cannotReach,
  words,
} from '../../transcript';
import { Following } from './following';
import { sendSecret, goalOf, resumeGoal, setGoal, stopGoal } from './goal';
import { headOf } from './head';
import type { ConversationModel, EditedFile, Outcome, TakenBack } from './model';
import { allRead } from './onceRead';
import { Outbox } from './outbox';
import { PausedStep } from './pausing';
import { pendingActions, plannedEdit } from './pending';
import type { TranscriptPorts } from './ports';
import { sendOnce } from './sending';
import { wakeSandbox } from './waking';
import { editedFileOf, fullTextOf, picturesIn, wholeEvents } from './wholeTexts';

/** How long an answered question may still be reported, in milliseconds. */
const answeredMs = 5_000;

/** Milliseconds between reports of changes while all older events are being read. */
const catchUpMs = 1_000;

/** A conversation that is followed by polling. */
export class LiveConversation implements ConversationModel, Desk {
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = (listener: () => void): Disposable => this.changed.event(listener);
  readonly outbox: Outbox;
  readonly changes: ConversationChanges;
  private readonly following: Following;
  private readonly decisions = new Decisions();
  private makeEntries = createEntryMaker(compactAction);
  private readonly life = new AbortController();
  readonly signal = this.life.signal;
  private readonly holders = new Set<object>();
  /** The number of finished reads when somebody began to look. */
  private readBefore = 0;
  private answer = { ids: '', at: -Infinity };
  /** While all older events are being read: when to report changes next. */
  private tellsAt = -Infinity;
  private readonly pausedStep = new PausedStep();
  private live: Head['live'] = null;
  private shown: { head: Head; entries: readonly Entry[] } | undefined;

  constructor(
    readonly id: string,
    readonly ports: TranscriptPorts,
  ) {
    const tell = () => this.tell();
    this.following = new Following(id, ports, this.signal, {
      events: (events, isLive) => this.outbox.settle(events, isLive),
      sought: () => this.outbox.sought,
      replaced: () => (this.makeEntries = createEntryMaker(compactAction)),
      change: tell,
    });
    const { mask } = this.following;
    this.outbox = new Outbox(ports.outbox, mask.text, tell);
    this.changes = new ConversationChanges({
      reachPlace: (whileWaking) => this.reachPlace(whileWaking),
      loadAll: (signal = this.signal) => allRead(this, signal),
      events: () => this.events,
      began: () => ({
        repository: this.following.record?.selected_repository ?? null,
        branch: this.following.record?.selected_branch ?? null,
        at: beganAt(this.following.record?.created_at, this.events),
      }),
      mask: mask.text,
    });
  }

  get head(): Head {
    return (this.shown ??= this.draw()).head;
  }

  get entries(): readonly Entry[] {
    return (this.shown ??= this.draw()).entries;
  }

  /** The events so far, cleaned and masked: for exports. */
  get events(): readonly AgentEvent[] {
    return this.following.reader.events;
  }

  /** Ids of the events before which others are missing. */
  get gaps(): ReadonlySet<string> {
    return this.following.reader.gaps;
  }

  get isCurrent(): boolean {
    return this.holders.size > 0;
  }

  get readings(): number {
    return this.following.readings;
  }

  /** Whether everything it shows was read since somebody began to look. */
  get isFresh(): boolean {
    return this.isCurrent && this.readings > this.readBefore;
  }

  keepCurrent(): Disposable {
    const holder = {};
    if (!this.isCurrent) this.readBefore = this.readings;
    this.holders.add(holder);
    this.following.start();
    return {
      dispose: () => {
        this.holders.delete(holder);
        if (this.holders.size === 0) this.following.stop();
      },
    };
  }

  /** Lets go of what was read unless somebody looks, or a message is under way. It’s read again when somebody looks. */
  forget(): void {
    if (this.outbox.shown.length === 0 && this.following.forget()) this.shown = undefined;
  }

  /** Tries now to reach the sandbox, even if that failed a moment ago. */
  reconnect(): void {
    this.following.retry();
  }

  loadOlder(): Promise<void> {
    return this.following.readOlder();
  }

  async loadAll(signal: AbortSignal = this.signal): Promise<void> {
    // Reporting after each page would take longer than reading them all.
    this.tellsAt = this.ports.now() + catchUpMs;
    for (let known = -1; this.following.reader.hasOlder && !signal.aborted && known !== this.events.length;) {
      known = this.events.length;
      // The head says why it failed.
      await this.loadOlder().catch(() => undefined);
      // Page by page, because drawing all at once would block for long.
      this.drawEntries();
    }
    this.tellsAt = -Infinity;
    this.tell();
  }

  send(text: string, images: readonly string[] = []): Promise<Outcome> {
    return sendOnce(this, text, images);
  }

  takeBack(outgoingId: string): TakenBack | undefined {
    return this.outbox.takeBack(outgoingId);
  }

  approve(ids: readonly string[]): Promise<Outcome> {
    return approve(this, ids);
  }

  reject(ids: readonly string[], reason: string): Promise<Outcome> {
    return reject(this, ids, reason);
  }

  pause(): Promise<Outcome> {
    return pause(this);
  }

  interrupt(): Promise<Outcome> {
    return interrupt(this);
  }

  resume(): Promise<Outcome> {
    return resume(this);
  }

  setPolicy(policy: SettablePolicy): Promise<Outcome> {
    return setPolicy(this, policy);
  }

  switchModel(profile: string): Promise<Outcome> {
    return switchModel(this, profile);
  }

  summarize(): Promise<Outcome> {
    return summarize(this);
  }

  get goal(): GoalState | undefined {
    return goalOf(this.events);
  }

  setGoal(objective: string, rounds: number): Promise<Outcome> {
    return setGoal(this, objective, rounds);
  }

  stopGoal(): Promise<Outcome> {
    return stopGoal(this);
  }

  resumeGoal(): Promise<Outcome> {
    return resumeGoal(this);
  }

  giveSecret(name: string, value: string): Promise<Outcome> {
    return sendSecret(this, name, value);
  }

  async goBack(entryId: string): Promise<Outcome> {
    await this.loadAll().catch(() => undefined);
    return goBack(this, entryId);
  }

  async branch(entryId: string, title: string): Promise<string> {
    await this.loadAll();
    return branch(this, entryId, title);
  }

  async ask(question: string, signal: AbortSignal = this.signal): Promise<string> {
    const agent = await this.reach();
    return this.following.mask.text(await agent.ask(question, signal));
  }

  async fullText(
    entryId: string,
    signal: AbortSignal = this.signal,
    part: 'all' | 'command' = 'all',
  ): Promise<string | undefined> {
    return fullTextOf(this.events, entryId, (id) => this.readAgain(id, signal), part);
  }

  /** All `events`, with shortened texts read again where that is possible. */
  wholeEvents(signal: AbortSignal = this.signal): Promise<AgentEvent[]> {
    return wholeEvents(this.events, (id) => this.readAgain(id, signal), signal);
  }

  pictures(entryId: string, signal: AbortSignal = this.signal): Promise<readonly unknown[]> {
    return picturesIn(this.events, entryId, (id) => this.readAgain(id, signal));
  }

  private async readAgain(id: string, signal: AbortSignal): Promise<AgentEvent | null> {
    const { agent } = this.following;
    const event = agent
      ? await agent.getEvent(id, signal)
      : await this.ports.client.events?.getStoredEvent(this.id, id, signal);
    return event ? this.following.mask.again(event) : null;
  }

  editedFile(entryId: string): EditedFile | undefined {
    return editedFileOf(this.events, entryId);
  }

  plannedEdit(actionId: string): EditedFile | undefined {
    const action = this.openActions().find(({ id }) => id === actionId);
    return action && plannedEdit(action);
  }

  dispose(): void {
    this.outbox.close();
    this.life.abort();
    this.holders.clear();
    this.following.stop();
  }

  async reach(whileWaking?: () => void): Promise<AgentClient> {
    const { following, ports, signal } = this;
    await following.locate();
    if (!following.agent && following.limit === 'asleep' && whileWaking) {
      if (!(await ports.agreeToResume())) throw new Refusal(words.notResumed());
      whileWaking();
      await wakeSandbox(ports, following.record?.sandbox_id ?? '', following, signal);
    }
    if (!following.agent) throw new Refusal(cannotReach[following.limit]());
    return following.agent;
  }

  private async reachPlace(whileWaking?: () => void): Promise<SandboxPlace> {
    const agent = await this.reach(whileWaking);
    const { workingDir } = await this.readStatus(agent);
    const { workspace } = this.following;
    if (!workspace || workingDir === null) throw new Refusal(cannotReach[this.following.limit]());
    return { workspace, workingDir };
  }

  readStatus(agent: AgentClient): Promise<AgentConversation> {
    return this.following.readStatus(agent);
  }

  readonly readEvents = (): Promise<void> => this.following.readEvents();

  async prove(): Promise<Proof> {
    await this.following.prove();
    return this.following.proof;
  }

  pendingNow(): PendingAction[] {
    return pendingActions(this.openActions(), this.following.status.current.execution);
  }

  hasOpenActions(): boolean {
    return this.openActions().some((event) => event.action !== null && !mayBeAnswered(event, this.events));
  }

  hidesActions(): boolean {
    return this.following.reader.hidesActions(this.following.status.leaf);
  }

  /** The actions without a result, on the branch from which the agent continues. */
  private openActions(): ActionEvent[] {
    const { agent, reader, status } = this.following;
    return reader.unanswered(agent?.features.errorsAnswerActions ?? true, status.leaf);
  }

  knowsLastStep(): boolean {
    return this.following.reader.knowsLastStep(this.following.status.leaf);
  }

  isStepOver(): boolean {
    const { agent, reader } = this.following;
    if (agent?.features.pausesAtOnce === false) return true;
    return this.pausedStep.isOver(this.events, !reader.hasOlder, this.hasOpenActions(), this.ports.now());
  }

  answered(ids: readonly string[]): void {
    this.answer = { ids: keyOf(ids), at: this.ports.now() };
    this.tell();
  }

  decided(ids: readonly string[]): void {
    this.decisions.add(ids);
    this.tell();
  }

  isAnswered(ids: readonly string[]): boolean {
    const { ids: answered, at } = this.answer;
    return this.following.status.readAt < at + answeredMs && ids.length > 0 && keyOf(ids) === answered;
  }

  lookSoon(): void {
    this.following.lookSoon();
  }

  /** Reads again now, because a list shows another state. */
  lookAgain(): void {
    this.following.lookAgain();
  }

  private tell(): void {
    if (this.ports.now() < this.tellsAt) return;
    if (this.tellsAt > 0) this.tellsAt = this.ports.now() + catchUpMs;
    this.shown = undefined;
    if (!this.signal.aborted) this.changed.fire(undefined);
  }

  private drawEntries(): readonly Entry[] {
    const { status, reader } = this.following;
    const { makeEntries, events } = this;
    const made = makeEntries(events, status.current.execution, this.gaps, reader.left(status.leaf));
    return this.decisions.among(made, events);
  }

  private draw(): { head: Head; entries: readonly Entry[] } {
    const { status, limit, record, agent, readAt, problem, reader, mask } = this.following;
    const entries = this.drawEntries();
    const pending = this.pendingNow();
    const masked = (text: string | undefined) => text && mask.text(text);
    const { execution, usage, policy, workingDir } = status.current;
    const known = {
      ...{ execution, usage, policy, workingDir },
      isStepOver: execution !== 'paused' || this.isStepOver(),
      proof: execution === 'waiting_for_confirmation' ? this.following.proof : ('whole' as const),
      limit,
      record: record ? { ...record, title: mask.text(record.title ?? '') } : null,
      startedAs: masked(this.ports.startedAs()),
      features: agent?.features ?? null,
      pending: this.isAnswered(pending.map(({ id }) => id)) ? [] : pending,
      ...{ outgoing: this.outbox.shown, written: this.following.written },
      masked: mask.count,
      areSecretsUnread: this.ports.areSecretsUnread(),
      hasOlder: reader.hasOlder,
      readAt,
      problem,
    };
    const head = headOf(known, entries, this.live, this.ports.date());
    this.live = head.live;
    return { head, entries };
  }
}

const keyOf = (ids: readonly string[]) => JSON.stringify(ids.toSorted());
