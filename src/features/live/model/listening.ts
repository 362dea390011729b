import type { AgentClient } from '../../../api/agent/client';
import type { EventSocket, SocketEnd, WrittenPart } from '../../../api/agent/socket';
import type { AgentEvent } from '../../../api/events/event';
import type { TranscriptPorts } from './ports';
import { Writing } from './writing';

/** Milliseconds before a socket that ended is opened again, doubled each time, and the most. */
const firstWaitMs = 10_000;
const longestWaitMs = 300_000;
/** Milliseconds after which an open socket counts as one that works. */
const provenMs = 60_000;
/** Milliseconds in which a socket must open. */
const openingMs = 20_000;
/** Milliseconds that a frame may be later than the answer to a request that has the same event. */
const lateMs = 2_000;
/** Milliseconds in which changes are gathered, so that a burst of events is drawn once. */
const gatheringMs = 30;
/** The same for parts of a text that is being written. */
const writingMs = 150;

interface Socket {
  readonly agent: AgentClient;
  readonly startedAt: number;
  readonly stop: EventSocket;
  isOpen: boolean;
  /** A reading that began after it opened has ended, so nothing from before is missing. */
  isUp: boolean;
  /** Events that were read and that the socket hasn’t sent. */
  readonly missed: Set<string>;
  /** The last place in the server’s log up to which the socket sent everything; undefined where it tells none. */
  through: number | undefined;
  /** Places that it sent beyond. */
  readonly beyond: Set<number>;
  /** Whether a timer waits for what is missing in between. */
  isAwaiting: boolean;
}

/**
 * Listens to the events of a conversation by socket, on releases that can do that without freezing. Polling stays the
 * basis: while the socket isn’t up, polling continues as if there were no sockets.
 */
export class Listening {
  private socket: Socket | undefined;
  /** An agent server that doesn’t accept a socket. */
  private refusedBy: AgentClient | undefined;
  private failures = 0;
  private notBefore = -Infinity;
  private cancelGathering: (() => void) | undefined;
  /** What is being written, as far as the socket tells. */
  readonly writing = new Writing();

  constructor(
    private readonly ports: Pick<TranscriptPorts, 'now' | 'after'>,
    private readonly on: {
      heard: (event: AgentEvent) => void;
      /** Called soon after events. */
      change: () => void;
      /** The socket opened or ended: what was missed is read, and polling adapts. */
      turn: () => void;
    },
  ) {}

  /** Whether the socket sends everything that happens. */
  get isUp(): boolean {
    return this.socket?.isUp ?? false;
  }

  /** The open socket, to pass to `compare` after a read that begins now. */
  get open(): Socket | undefined {
    return this.socket?.isOpen ? this.socket : undefined;
  }

  /** Listens to this agent server, if that is possible and due. Call this from time to time. */
  follow(agent: AgentClient | undefined): void {
    if (this.socket && this.socket.agent !== agent) this.stop();
    if (this.socket?.isOpen === false && this.ports.now() - this.socket.startedAt > openingMs) this.fail();
    const isDue = this.ports.now() >= this.notBefore && agent !== this.refusedBy;
    if (agent?.features.sockets && !this.socket && isDue) this.start(agent);
  }

  /**
   * Compares a socket with what was read while it was open. It isn’t trusted unless it sends the same.
   */
  compare(socket: Socket | undefined, brought: readonly AgentEvent[]): void {
    for (const { id } of brought) this.writing.end(id);
    if (!socket || socket !== this.socket) return;
    if (socket.isUp) for (const { id, kind } of brought) if (kind !== 'hidden') socket.missed.add(id);
    if (socket.missed.size > 0) this.ports.after(lateMs, () => this.judge(socket));
    else if (this.ports.now() - socket.startedAt > provenMs) this.failures = 0;
    socket.isUp = true;
  }

  private judge(socket: Socket): void {
    if (socket === this.socket && socket.missed.size > 0) this.fail();
  }

  stop(): void {
    this.socket?.stop();
    this.socket = undefined;
    this.writing.clear();
    this.cancelGathering?.();
    this.cancelGathering = undefined;
  }

  private start(agent: AgentClient): void {
    const listener = {
      opened: () => {
        socket.isOpen = true;
        this.on.turn();
      },
      heard: (event: AgentEvent) => this.hear(event),
      counted: (place: number) => this.count(socket, place),
      written: (part: WrittenPart) => {
        if (this.writing.take(part)) this.tellIn(writingMs);
      },
      ended: (why: SocketEnd) => {
        if (why === 'refused') this.refusedBy = agent;
        this.fail();
      },
    };
    const startedAt = this.ports.now();
    const fresh = { isOpen: false, isUp: false, missed: new Set<string>() };
    const uncounted = { through: undefined, beyond: new Set<number>(), isAwaiting: false };
    const socket: Socket = { agent, startedAt, stop: agent.listen(listener), ...fresh, ...uncounted };
    this.socket = socket;
    this.watch(socket);
  }

  private watch(socket: Socket): void {
    this.ports.after(lateMs, () => {
      if (socket !== this.socket) return;
      if (socket.stop.isClosing?.()) this.fail();
      else this.watch(socket);
    });
  }

  private fail(): void {
    this.notBefore = this.ports.now() + Math.min(firstWaitMs * 2 ** this.failures, longestWaitMs);
    this.failures += 1;
    this.stop();
    this.on.turn();
  }

  private count(socket: Socket, place: number): void {
    socket.through ??= place;
    if (place > socket.through) socket.beyond.add(place);
    while (socket.beyond.delete(socket.through + 1)) socket.through += 1;
    this.awaitMissing(socket);
  }

  /** Events may come out of order, but not much. One that stays away was lost, and is read. */
  private awaitMissing(socket: Socket): void {
    if (socket.isAwaiting || socket.beyond.size === 0) return;
    socket.isAwaiting = true;
    const { through } = socket;
    this.ports.after(lateMs, () => {
      socket.isAwaiting = false;
      if (socket !== this.socket) return;
      if (socket.through !== through) {
        this.awaitMissing(socket);
        return;
      }
      for (const place of socket.beyond) if (place > (socket.through ?? place - 1)) socket.through = place;
      socket.beyond.clear();
      socket.isUp = false;
      this.on.turn();
    });
  }

  /** What isn’t shown isn’t kept. */
  private hear(event: AgentEvent): void {
    this.socket?.missed.delete(event.id);
    this.writing.end(event.id);
    if (event.kind === 'hidden' && !event.waits) return;
    this.on.heard(event);
    this.tellIn(gatheringMs);
  }

  private tellIn(ms: number): void {
    this.cancelGathering ??= this.ports.after(ms, () => {
      this.cancelGathering = undefined;
      this.on.change();
    });
  }
}
