import * as z from 'zod/mini';
import type { AgentEvent } from '../events/event';
import { readId } from '../events/eventId';
import { eventSchema } from '../events/schema';
import { parseElements } from '../http/body';
import { maybe, maybeText } from '../lenient';
import type { AgentAddress } from './address';

/** Longest frame that's read, in characters; same as for the answer to a request. */
const frameCap = 16 * 1024 * 1024;

/** Codes that a server closes with when it doesn’t accept the key or doesn’t know the conversation. */
const refusals: readonly unknown[] = [4001, 4004];

/** The part of WebSocket that's used here. */
export interface RawSocket {
  /** As in `EventTarget`. */
  addEventListener(
    type: 'open' | 'message' | 'error' | 'close',
    listener: (event: { data?: unknown; code?: unknown }) => void,
  ): void;
  /** Closes the socket, even before it’s open. */
  close(): void;
  /** As in `WebSocket`: 2 once either side has said that it closes. */
  readonly readyState?: number;
}

/** Closes a socket; the listener gets no more calls. */
export interface EventSocket {
  (): void;
  /**
   * Whether the server has said that it closes the socket, but leaves the connection open: nothing comes anymore, and no
   * end is told.
   */
  isClosing?: () => boolean;
}

/** Opens a WebSocket whose handshake has these headers. */
export type OpenSocket = (url: string, headers: Record<string, string>) => RawSocket | Promise<RawSocket>;

/** Why a socket ended. After `refused`, a new one would end the same way. */
export type SocketEnd = 'refused' | 'lost';

/** A part of a text that an agent is writing. What it thinks isn’t told. */
export interface WrittenPart {
  /** Id of the event that will have the whole text. */
  id: string;
  /** A higher one replaces what came with a lower one. */
  attempt: number;
  /** Which part it is, beginning with 0; undefined where the text begins or ends. */
  order?: number | undefined;
  text: string;
  /** Whether the text will never be complete. */
  isOver: boolean;
}

/** Callbacks of a socket. */
export interface SocketListener {
  /** Called once the handshake was accepted. Earlier events have to be requested. */
  opened: () => void;
  /** Called for each event, in no particular order. */
  heard: (event: AgentEvent) => void;
  /**
   * Called with the place of each event in the server’s log, whether or not it can be read, where the server tells it;
   * first with the last place before. Places begin with 0; -1 is before the first event.
   */
  counted?: (place: number) => void;
  /** Called with each part of a text while an agent writes it. Parts may be lost. */
  written?: (part: WrittenPart) => void;
  /** Called once, unless the caller closed the socket. */
  ended: (why: SocketEnd) => void;
}

/** The host’s own WebSocket, looked up at each call: the editor replaces it to apply proxy and certificate settings. */
const openBuiltIn: OpenSocket = (url, headers) => {
  const Socket = globalThis.WebSocket as unknown as new (url: string, init: object) => RawSocket;
  return new Socket(url, { headers });
};

/**
 * Listens to the events of a conversation (docs/protocol/live-conversations.md, “Socket”). Never throws: a socket is
 * optional, and requests fetch whatever it misses. The key goes in a header, since addresses end up in logs. Nothing is
 * ever sent through the socket.
 *
 * @param counts whether to use the server’s socket that tells the places of events in its log
 */
export function openEventSocket(
  { baseUrl, id }: AgentAddress,
  sessionKey: string,
  listener: SocketListener,
  open: OpenSocket = openBuiltIn,
  counts = false,
): EventSocket {
  let isLive = true;
  let socket: RawSocket | undefined;
  const stop = () => {
    isLive = false;
    socket?.close();
  };
  const end = (why: SocketEnd) => {
    if (!isLive) return;
    stop();
    listener.ended(why);
  };
  const connect = async () => {
    const kind = counts ? 'session' : 'events';
    socket = await open(`${baseUrl.replace(/^http/, 'ws')}/sockets/${kind}/${id}`, {
      'X-Session-API-Key': sessionKey,
    });
    if (!isLive) {
      socket.close();
      return;
    }
    socket.addEventListener('open', () => isLive && listener.opened());
    socket.addEventListener('message', ({ data }) => {
      if (!isLive || typeof data !== 'string') return;
      if (data.length > frameCap) end('lost');
      else {
        const { event, place, written } = (counts ? readCounted : readFrame)(data);
        if (place !== undefined) listener.counted?.(place);
        if (written) listener.written?.(written);
        if (event) listener.heard(event);
      }
    });
    socket.addEventListener('error', () => end('lost'));
    socket.addEventListener('close', ({ code }) => end(refusals.includes(code) ? 'refused' : 'lost'));
  };
  // The constructor's error may quote the key.
  connect().catch(() => end('lost'));
  return Object.assign(stop, { isClosing: () => socket?.readyState === 2 });
}

/** What a frame has; nothing if it isn’t understood. */
interface Frame {
  event?: AgentEvent | undefined;
  place?: number | undefined;
  written?: WrittenPart | undefined;
}

/** `full_state` contains secrets; the event that's returned doesn't. */
function readFrame(text: string): Frame {
  const json = parseElements(text);
  return json.ok ? { event: eventSchema.safeParse(json.value).data } : {};
}

const place = maybe(z.int());
const countedSchema = z.object({
  type: maybeText,
  seq: place,
  through_seq: place,
  event: z.optional(z.unknown()),
});

const writtenSchema = z.object({
  item_id: z.unknown(),
  attempt: z._default(z.int(), 1),
  order: z.optional(z.int()),
  kind: maybeText,
  content: maybeText,
});

/** Undefined if it can’t be understood. The parts of what the agent thinks are counted with those of its text. */
function readWritten(value: unknown, isOver: boolean): WrittenPart | undefined {
  const { item_id, attempt, order, kind, content } = writtenSchema.safeParse(value).data ?? {};
  const id = readId(item_id);
  const text = kind === 'reasoning' ? '' : (content ?? '');
  return id !== undefined && attempt !== undefined ? { id, attempt, order, text, isOver } : undefined;
}

function readCounted(text: string): Frame {
  const json = parseElements(text);
  const frame = json.ok ? countedSchema.safeParse(json.value).data : undefined;
  if (!json.ok || !frame) return {};
  switch (frame.type ?? '') {
    case 'sync':
      return { place: frame.through_seq ?? -1 };
    case 'durable':
    case 'transient':
      return { event: eventSchema.safeParse(frame.event).data, place: frame.seq ?? undefined };
    case 'item_started':
    case 'item_aborted':
    case 'delta':
      return { written: readWritten(json.value, frame.type === 'item_aborted') };
    default:
      return {};
  }
}
