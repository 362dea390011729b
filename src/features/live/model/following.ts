import type { AgentClient } from '../../../api/agent/client';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import type { AgentConversation } from '../../../api/agent/schemas/conversation';
import type { AgentEvent } from '../../../api/events/event';
import { ApiError } from '../../../api/http/errors';
import { quietAskedBy } from '../../../api/http/retry';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { isRouteMissing } from '../../../api/service/storedEvents';
import type { Limit, Proof, Written } from '../../../shared/transcript';
import { coalesce } from '../../../core/basics/coalesce';
import { SandboxAccess, withoutServer } from './access';
import type { Disposable } from '../../../core/basics/emitter';
import { Refusal } from '../../../core/basics/refusal';
import { sandboxPhase } from '../../../core/lists/status';
import type { Listed } from './listed';
import { KnownStatus } from './knownStatus';
import { Listening } from './listening';
import { Pace } from './pace';
import type { TranscriptPorts } from './ports';
import { EventReader } from './reader';
import { createSecretMask, cannotReach } from '../../transcript';

/**
 * Milliseconds between two reads: the agent works, it rests, a socket sends its events, its server can’t be reached.
 */
const waits = { working: 1_950, resting: 18_000, listening: 105_000, apart: 27_000 };
/** While the agent works, its state is read only with every so many reads of events, which report it in between. */
const statusEvery = 4;
/** With every so many reads of a resting agent, the service’s record is read, too. */
const recordEvery = 4;
/** Milliseconds of quick reads after a change. */
const expectantMs = 6_000;

const unproven = { proof: 'reading', size: -1 } as const;

/**
 * Follows a conversation by polling: at most 40 requests a minute while its agent works, 8 while it rests, and 2 while
 * a socket sends its events.
 */
export class Following {
  /** Null: the service has no such conversation. */
  record: Conversation | null | undefined;
  /** The agent server, while it answers. */
  agent: AgentClient | undefined;
  /** The sandbox’s files and shell; as last found. */
  workspace: SandboxWorkspace | undefined;
  /** All known so far: events contain them for longer than they’re used, and a paused sandbox’s key isn’t reported. */
  private secrets: readonly string[] = [];
  readonly mask = createSecretMask(() => this.secrets);
  readonly status = new KnownStatus();
  /** When the last good reading ended; null before. */
  readAt: number | null = null;
  /** Why the last reading failed, in words; empty if it succeeded. */
  problem = '';
  /** The number of reads that have ended, successful or not. */
  readings = 0;
  reader: EventReader;
  private readonly makeReader: () => EventReader;
  private readonly access: SandboxAccess;
  private readonly pace: Pace;
  private readonly listening: Listening;
  /** While somebody looks. */
  private changesOfSecrets: Disposable | undefined;
  /** When the last reading of the record began. */
  private locatedAt = -Infinity;
  /** The last proof, and how many events were known then. */
  private proven: { proof: Proof; size: number } = unproven;
  private whyApart: Limit = 'none';
  private eventsUnderWay = 0;
  private expectantSince = -Infinity;
  /** Milliseconds that the server of the last failure asked to be left alone. */
  private quietMs = 0;
  private turns = 0;
  /** Pending while the connection’s secrets are being read. */
  private readingSecrets: Promise<void> | undefined;

  constructor(
    private readonly id: string,
    private readonly ports: TranscriptPorts,
    private readonly signal: AbortSignal,
    private readonly on: {
      events: (events: readonly AgentEvent[], isLive: boolean) => void;
      sought: () => string;
      /** Events that are held were replaced. */
      replaced: () => void;
      change: () => void;
    },
  ) {
    this.access = new SandboxAccess(ports);
    const lists = ports.onDidList((listed) => this.hearLists(listed));
    signal.addEventListener('abort', () => lists.dispose(), { once: true });
    const added = (events: readonly AgentEvent[], isLive: boolean) => {
      if (isLive) this.status.hear(events);
      on.events(events, isLive);
    };
    this.makeReader = () => new EventReader(id, ports.client, this.mask, added, on.replaced);
    this.reader = this.makeReader();
    this.listening = new Listening(ports, {
      heard: (event) => {
        const isLate = this.status.isBefore(event);
        // The server's clock may have been set back: only a read shows its state.
        if (this.reader.hear(event) && isLate) this.pace.soon();
      },
      change: () => {
        on.change();
        if (this.status.current.execution === 'waiting_for_confirmation') void this.proveAgain();
      },
      turn: () => this.pace.soon(),
    });
    this.pace = new Pace(
      () => this.look(),
      () => this.waitMs(),
      ports.after,
    );
  }

  /** Whether what waits for approval is known to be all of it. */
  get proof(): Proof {
    const { proof, size } = this.proven;
    return proof === 'whole' && size !== this.reader.size ? 'reading' : proof;
  }

  /** Why something may be missing or can’t be done. */
  get limit(): Limit {
    const isBlocked = this.eventsUnderWay > 0 && this.agent?.features.blocksWhileRunning === true;
    return isBlocked && this.status.isWorking ? 'busy' : this.whyApart;
  }

  /** What the agent is writing, masked. */
  get written(): Written | null {
    return this.listening.writing.shown(this.secrets, this.mask.text);
  }

  start(): void {
    this.readingSecrets = undefined;
    this.changesOfSecrets ??= this.ports.onDidChangeSecrets(() => {
      this.readingSecrets = undefined;
      void this.readSecrets();
    });
    this.pace.start();
  }

  stop(): void {
    this.changesOfSecrets?.dispose();
    this.changesOfSecrets = undefined;
    this.pace.dispose();
    this.listening.stop();
  }

  /** Lets go of all events unless somebody looks; the next read starts afresh. Returns whether it did. */
  forget(): boolean {
    if (this.changesOfSecrets || this.readings === 0) return false;
    this.letGo();
    this.reader = this.makeReader();
    this.on.replaced();
    [this.readings, this.readAt] = [0, null];
    return true;
  }

  /** Tries now to reach the sandbox, even if that failed a moment ago. */
  retry(): void {
    this.access.retry();
    this.lookSoon();
  }

  /** Reads now instead of waiting. */
  lookAgain(): void {
    this.pace.soon();
  }

  /** Looks now and, for some seconds, often: something is about to change. */
  lookSoon(): void {
    this.expectantSince = this.ports.now();
    this.pace.soon();
  }

  /** Finds the agent server by the service’s record; resolves to whether it’s there. Throws ApiError. */
  async locate(): Promise<boolean> {
    await this.readSecrets();
    const began = this.ports.date();
    this.record = await this.ports.client.getConversation(this.id, this.signal);
    this.locatedAt = began;
    await this.keepSecrets([this.record?.session_api_key ?? '']);
    const access = await this.access.of(this.record, this.signal);
    if (access.kind === 'live') {
      // Reading the state shows whether it answers.
      ({ agent: this.agent, workspace: this.workspace } = access);
    } else {
      if (this.whyApart !== 'noEvents') this.whyApart = access.limit;
      this.letGo();
    }
    this.on.change();
    return this.agent !== undefined;
  }

  /** Throws ApiError. */
  async readStatus(agent: AgentClient): Promise<AgentConversation> {
    const [began, known] = [this.ports.now(), this.reader.size];
    const isInUse = () => agent === this.agent;
    let status;
    try {
      status = await agent.getConversation(this.signal);
    } catch (error) {
      if (error instanceof ApiError && isInUse()) this.whyApart = this.access.report(error) ?? this.whyApart;
      throw error;
    }
    // The sandbox may have been paused in between, and answered after it was resumed.
    if (!isInUse()) return status;
    this.status.read(status, began, known);
    this.whyApart = 'none';
    this.on.change();
    return status;
  }

  /**
   * Reads new events from the agent server, up to the time of the call. One request at a time: where reads block,
   * several would use up the server’s threads. Throws ApiError, and a Refusal if the server went out of reach.
   */
  readonly readEvents = coalesce(async () => {
    const { agent } = this;
    if (!agent) throw new Refusal(cannotReach[this.whyApart]());
    this.eventsUnderWay += 1;
    try {
      const { open, isUp } = this.listening;
      const how = this.on.sought() === '' ? (isUp ? 'hears' : 'reads') : 'seeks';
      this.listening.compare(open, await this.reader.readLive(agent, this.signal, how));
    } finally {
      this.eventsUnderWay -= 1;
      this.on.change();
    }
  });

  /**
   * Proves that everything is known that an approval would run, and reads what's missing. Only while the agent waits.
   * Throws like `readEvents`.
   */
  readonly prove = coalesce(async () => {
    const { agent } = this;
    if (!agent) throw new Refusal(cannotReach[this.whyApart]());
    this.eventsUnderWay += 1;
    try {
      const { leaf, current } = this.status;
      const proof = await this.reader.prove(agent, leaf, current.waits, this.signal);
      this.proven = { proof, size: this.reader.size };
    } catch (error) {
      this.proven = { proof: 'missing', size: this.reader.size };
      throw error;
    } finally {
      this.eventsUnderWay -= 1;
      this.on.change();
    }
  });

  private readonly readOlderPage = coalesce(() => this.reader.readOlder(this.agent, this.signal));

  /** Reads a page of older events. If that fails, sets `problem` and throws a Refusal. */
  async readOlder(): Promise<void> {
    try {
      await this.readOlderPage();
    } catch (error) {
      this.fail(error);
      throw new Refusal(this.problem);
    } finally {
      this.on.change();
    }
  }

  /** One reading; never rejects. */
  private async look(): Promise<void> {
    this.turns += 1;
    // All of it may be let go in the middle.
    const { reader } = this;
    const [isWorking, isUp] = [this.status.isWorking, this.listening.isUp];
    let { agent } = this;
    try {
      await this.readSecrets();
      if (!agent || isUp || (!isWorking && this.turns % recordEvery === 0)) await this.locate();
      ({ agent } = this);
      if (agent) {
        const { execution } = this.status.current;
        const isDue = isUp || !isWorking || this.turns % statusEvery === 0 || !this.reader.isInOrder;
        if (isDue) await this.readStatus(agent);
        const hasChanged = isDue && execution !== this.status.current.execution;
        if (agent === this.agent) await this.followEvents(agent, hasChanged);
        else this.pace.soon();
      } else await this.readStored();
      if (this.eventsUnderWay === 0 && this.whyApart !== 'noEvents')
        await this.reader.readBack(this.on.sought, this.readOlderPage);
      if (reader !== this.reader) return;
      // Nobody may be looking anymore.
      if (!this.signal.aborted && this.changesOfSecrets) this.listening.follow(this.agent);
      this.readings += 1;
      this.readAt = this.ports.date();
      [this.problem, this.quietMs] = ['', 0];
    } catch (error) {
      if (reader !== this.reader) return;
      await this.explain(error, agent);
    }
    this.on.change();
  }

  /**
   * The window’s lists already say what would otherwise show only with the next reading of the record, or after a
   * request to a paused sandbox times out: also to a terminal, while nobody looks.
   */
  private hearLists({ record, status, readAt }: Listed): void {
    // If that time is still to come, the clock was set back, and nobody knows which came later.
    if (readAt < this.locatedAt && this.locatedAt <= this.ports.date()) return;
    if (this.record && record) this.record = { ...this.record, title: record.title };
    const phase = sandboxPhase({ status });
    if (this.agent && (phase === 'paused' || phase === 'missing')) {
      this.whyApart = withoutServer[phase];
      this.letGo();
    } else if (!this.agent && phase === 'running') this.pace.soon();
    this.on.change();
  }

  /** Stops listening to the agent, and forgets its state. */
  private letGo(): void {
    [this.agent, this.workspace] = [undefined, undefined];
    this.proven = unproven;
    this.listening.stop();
    this.status.lose();
  }

  private readSecrets(): Promise<void> {
    return (this.readingSecrets ??= this.ports.readSecrets().then(async (secrets) => {
      await this.keepSecrets(secrets);
      this.on.change();
    }));
  }

  /** Applies new masks to the events that are held, too. */
  private async keepSecrets(secrets: readonly string[]): Promise<void> {
    const all = new Set([...this.secrets, ...secrets]);
    if (all.size === this.secrets.length) return;
    this.secrets = [...all];
    await this.reader.maskAgain();
  }

  /** @param hasChanged whether the agent’s state changed, as an event must have reported */
  private async followEvents(agent: AgentClient, hasChanged: boolean): Promise<void> {
    if (!agent.features.blocksWhileRunning || !this.status.isWorking) {
      const { size } = this.reader;
      await this.readEvents();
      const isQuiet = this.reader.size === size;
      if (agent !== this.agent) return;
      if (this.status.current.execution === 'waiting_for_confirmation') await this.proveAgain();
      else {
        this.proven = unproven;
        // By their times, new events may belong among those that are known.
        if (isQuiet && hasChanged) await this.reader.readTail(agent, this.signal);
      }
      return;
    }
    // The answer comes when the step ends; until then, the store has something to show.
    if (this.reader.events.length === 0) await this.readStored();
    if (this.eventsUnderWay === 0)
      void this.readEvents().catch((error: unknown) => this.explain(error, agent));
  }

  /** Never rejects: without a proof, nothing can be approved. Costs nothing while nothing is new. */
  private async proveAgain(): Promise<void> {
    if (this.proof !== 'whole') await this.prove().catch(() => undefined);
  }

  private async readStored(): Promise<void> {
    try {
      await this.reader.readStored(this.signal);
    } catch (error) {
      if (!isRouteMissing(error)) throw error;
      if (!this.agent) this.whyApart = 'noEvents';
    }
  }

  /** A sandbox that was paused or deleted in the meantime doesn’t answer. The service says so, which is no problem. */
  private async explain(error: unknown, agent: AgentClient | undefined): Promise<void> {
    if (agent && !this.signal.aborted) {
      const isThere = await this.locate().catch(() => true);
      if (!isThere && ['asleep', 'gone', 'deleted'].includes(this.whyApart)) return;
    }
    this.readings += 1;
    this.fail(error);
  }

  private fail(error: unknown): void {
    if (this.signal.aborted) return;
    this.agent = undefined;
    this.listening.stop();
    this.problem = this.mask.text(this.ports.describe(error));
    this.quietMs = quietAskedBy(error);
  }

  private waitMs(): number {
    if (!this.agent) return Math.max(waits.apart, this.quietMs);
    if (this.ports.now() - this.expectantSince < expectantMs) return waits.working;
    if (this.listening.isUp) return waits.listening;
    return this.status.isWorking ? waits.working : waits.resting;
  }
}
