import type { AgentEvent } from '../events/event';
import { eventSchema } from '../events/schema';
import { parseElements } from '../http/body';
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
}

/** Opens a WebSocket whose handshake has these headers. */
export type OpenSocket = (url: string, headers: Record<string, string>) => RawSocket | Promise<RawSocket>;

/** Why a socket ended. After `refused`, a new one would end the same way. */
export type SocketEnd = 'refused' | 'lost';

/** Callbacks of a socket. */
export interface SocketListener {
  /** Called once the handshake was accepted. Earlier events have to be requested. */
  opened: () => void;
  /** Called for each event, in no particular order. */
  heard: (event: AgentEvent) => void;
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
 * @returns a function that closes the socket; the listener gets no more calls
 */
export function openEventSocket(
  { baseUrl, id }: AgentAddress,
  sessionKey: string,
  listener: SocketListener,
  open: OpenSocket = openBuiltIn,
): () => void {
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
    socket = await open(`${baseUrl.replace(/^http/, 'ws')}/sockets/events/${id}`, {
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
        const event = readFrame(data);
        if (event) listener.heard(event);
      }
    });
    socket.addEventListener('error', () => end('lost'));
    socket.addEventListener('close', ({ code }) => end(refusals.includes(code) ? 'refused' : 'lost'));
  };
  // The constructor's error may quote the key.
  connect().catch(() => end('lost'));
  return stop;
}

/** Undefined for anything but an event. `full_state` contains secrets; the event that's returned doesn't. */
function readFrame(text: string): AgentEvent | undefined {
  const json = parseElements(text);
  return json.ok ? eventSchema.safeParse(json.value).data : undefined;
}
