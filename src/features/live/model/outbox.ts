import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '../../../api/events/event';
import type { OutgoingMessage } from '../../../shared/transcript';
import { wellFormed } from '../../../shared/wellFormed';
import { StoredList, type Store } from '../../../core/basics/storedList';
import type { TakenBack } from './model';
import { type TranscriptPorts, type Unsent, unsentSchema } from './ports';
import { mayHaveArrived, notSent } from '../../transcript';

/** Keeps what an outbox writes; what can’t be read is left out and written back. */
export function storedOutbox(store: Store): TranscriptPorts['outbox'] {
  const stored = new StoredList(unsentSchema, store, ({ id }) => id);
  return { read: () => stored.all, write: (unsent) => stored.write(unsent) };
}

interface Held extends Unsent {
  state: OutgoingMessage['state'];
  problem: string;
}

function undelivered(unsent: Unsent): Held {
  return unsent.mayHaveArrived
    ? { ...unsent, state: 'unknown', problem: mayHaveArrived() }
    : { ...unsent, state: 'failed', problem: notSent() };
}

/** Gives messages distinct ids: an earlier version could give two messages the same one. */
function eachOnce(all: readonly Unsent[]): Unsent[] {
  const ids = new Set<string>();
  return all.map((unsent) => {
    const id = ids.has(unsent.id) ? randomUUID() : unsent.id;
    ids.add(id);
    return { ...unsent, id };
  });
}

/** The user’s messages that aren’t in the transcript yet. */
export class Outbox {
  private held: readonly Held[];
  private readonly claimed = new Set<string>();
  private closed = false;

  constructor(
    private readonly port: TranscriptPorts['outbox'],
    /** Masks secrets in the same way as in the events that messages are looked for in. */
    private readonly mask: (text: string) => string,
    private readonly changed: () => void,
  ) {
    this.held = eachOnce(port.read()).map(undelivered);
  }

  get shown(): OutgoingMessage[] {
    return this.held.map(({ id, text, state, problem }) => ({ id, text: this.mask(text), state, problem }));
  }

  /** The time after which to look for the first message that may have arrived; empty if there's none to find. */
  get sought(): string {
    const times = this.held.flatMap(({ mayHaveArrived, after }) => (mayHaveArrived && after ? [after] : []));
    return times.toSorted()[0] ?? '';
  }

  has(id: string): boolean {
    return this.held.some((one) => one.id === id);
  }

  add(text: string, images: readonly string[]): string {
    const id = randomUUID();
    // As it's sent, and looked for.
    const unsent = { id, text: wellFormed(text), images, after: '', mayHaveArrived: false };
    this.keep([...this.held, { ...unsent, state: 'sending', problem: '' }]);
    return id;
  }

  update(id: string, change: Partial<Omit<Held, 'id'>>): void {
    this.keep(this.held.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  /**
   * A message is being sent.
   * @param known the events so far: others may have the same text
   * @param after time after which its event must be, if `known` aren’t all
   */
  sends(id: string, known: readonly AgentEvent[], after: string | undefined): void {
    const newest = known.at(-1)?.timestamp ?? '';
    const text = this.held.find((one) => one.id === id)?.text ?? '';
    const same = known.filter((event) => isUsers(event) && isSame(event, this.mask(text)));
    this.update(id, {
      mayHaveArrived: true,
      after: after !== undefined && after > newest ? after : newest,
      seen: same.map((event) => event.id),
      ...(after !== undefined && { isBlind: true }),
    });
  }

  /** The server has it: the next event with its text is its own. */
  arrived(id: string): void {
    this.update(id, { isBlind: false });
  }

  /** Stops sending a message; all that's known is whether it may have arrived. */
  giveUp(id: string): void {
    this.keep(this.held.map((one) => (one.id === id ? undelivered(one) : one)));
  }

  /** Takes a message back that isn’t on its way. */
  takeBack(id: string): TakenBack | undefined {
    const found = this.held.find((one) => one.id === id);
    if (!found || found.state === 'sending' || found.state === 'resuming') return undefined;
    this.remove(id);
    return { text: found.text, images: found.images };
  }

  /**
   * Removes messages that have arrived: each event is one message, the latest of those with the same words.
   * @param isLive these are the agent server’s latest, whatever their times say
   */
  settle(events: readonly AgentEvent[], isLive: boolean): void {
    for (const event of events) {
      if (!isUsers(event) || this.claimed.has(event.id)) continue;
      const isLater = ({ after, seen, isBlind }: Held) =>
        !seen?.includes(event.id) && (event.timestamp > after || (isLive && seen !== undefined && !isBlind));
      const arrived = this.held.findLast(
        (one) => one.mayHaveArrived && isLater(one) && isSame(event, this.mask(one.text)),
      );
      if (!arrived) continue;
      this.claimed.add(event.id);
      this.remove(arrived.id);
    }
  }

  private remove(id: string): void {
    this.keep(this.held.filter((one) => one.id !== id));
  }

  /** Hands the messages over to whoever reads them next. */
  close(): void {
    this.closed = true;
  }

  private keep(held: readonly Held[]): void {
    this.held = held;
    if (this.closed) return;
    this.port.write(held.map(({ state: _, problem: _words, ...unsent }) => unsent));
    this.changed();
  }
}

type UserMessage = Extract<AgentEvent, { kind: 'message' }>;

const isUsers = (event: AgentEvent): event is UserMessage =>
  event.kind === 'message' && event.source === 'user';

/** Servers may trim a message, and long ones are held without their middle. */
function isSame({ text: told, length }: UserMessage, text: string): boolean {
  if (told.trim() === text.trim()) return true;
  return length === text.length && length > told.length && told.slice(0, 1_000) === text.slice(0, 1_000);
}
