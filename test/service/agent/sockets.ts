import type { Clock } from '../clock';
import type { AgentConversation } from './conversation';

/** The server’s end of a socket. */
export interface Wire {
  send: (frame: string) => void;
  close: (code: number) => void;
}

/** Delay of every other frame, in milliseconds, so that frames arrive out of order. */
const lateMs = 5;

/** The sockets of an agent server, which stream the events of conversations. */
export class AgentSockets {
  private readonly open = new Map<Wire, () => void>();
  /** Those that tell the places of events, and what is being written. */
  private readonly counting = new Map<Wire, (frame: unknown) => void>();
  /** How many have ever connected. */
  connected = 0;
  /** If set, new sockets are closed with this code and receive nothing. */
  closesWith: number | undefined;
  /** Whether sockets stay silent, as if something in between swallowed the frames. */
  isMute = false;
  /** How many of the next events are lost on the way. */
  loses = 0;

  constructor(private readonly clock: Clock) {}

  /** Number of open sockets. */
  get size(): number {
    return this.open.size;
  }

  /**
   * Returns a function to call when the other side closes.
   * @param counts whether it’s the kind of socket that tells the places of events in the log
   */
  connect(conversation: AgentConversation, wire: Wire, counts: boolean): () => void {
    this.connected += 1;
    if (this.closesWith !== undefined) {
      const code = this.closesWith;
      this.clock.after(1, () => wire.close(code));
      return () => undefined;
    }
    const send = (frame: unknown) => {
      if (this.open.has(wire) && !this.isMute) wire.send(JSON.stringify(frame));
    };
    const { log } = conversation;
    const framed = (event: unknown, seq?: number) =>
      counts ? { type: seq === undefined ? 'transient' : 'durable', seq, event } : event;
    const stop = log.onEvent((recorded) => {
      const event = framed(recorded, log.all.length - 1);
      if (this.loses > 0) this.loses -= 1;
      else if (this.connected % 2 === log.all.length % 2) this.clock.after(lateMs, () => send(event));
      else send(event);
    });
    const end = () => {
      stop();
      this.open.delete(wire);
      this.counting.delete(wire);
    };
    this.open.set(wire, end);
    if (counts) this.counting.set(wire, send);
    if (counts) send({ type: 'sync', ...(log.all.length > 0 && { through_seq: log.all.length - 1 }) });
    send(framed(fullState(conversation)));
    return end;
  }

  /** Tells what an agent is writing, which is stored nowhere. */
  write(frame: object): void {
    for (const send of this.counting.values()) send(frame);
  }

  /** Closes all open sockets. */
  drop(code: number): void {
    for (const [wire, end] of [...this.open]) {
      end();
      wire.close(code);
    }
  }
}

/** The first frame: everything about the conversation, secrets included. */
const fullState = ({ id, status, updatedAt }: AgentConversation) => ({
  kind: 'ConversationStateUpdateEvent',
  id: `full-${id}`,
  timestamp: updatedAt,
  source: 'environment',
  key: 'full_state',
  value: { execution_status: status, agent: { llm: { api_key: 'canary-llm-key' } } },
});
