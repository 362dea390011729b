import type { IncomingHttpHeaders } from 'node:http';

/** How a request ended: answered in full, given up by the client, or cut off by the service. */
export type Outcome = 'pending' | 'answered' | 'clientClosed' | 'cut';

/** A request as received. Requests to the control paths aren't recorded. */
export interface RecordedRequest {
  /** Counts up from 1 for the life of the service. */
  id: number;
  method: string;
  /** As received, not decoded, without the query. */
  path: string;
  /** With the query. */
  url: string;
  /** A repeated parameter has a list of values. */
  query: Record<string, string | string[]>;
  headers: IncomingHttpHeaders;
  /** Parsed if it's JSON, otherwise the text; undefined without a body. */
  body: unknown;
  /** null until the answer's headers were sent. */
  status: number | null;
  outcome: Outcome;
  /** Time of arrival, in milliseconds since the epoch with fractions, on a clock that never goes back. */
  time: number;
  /** Time of the end, on the same clock; null while pending. */
  endedAt: number | null;
}

export type Phase = 'arrived' | 'ended';
export type RequestListener = (request: RecordedRequest, phase: Phase) => void;

/** Which request to wait for. */
export interface WaitOptions {
  /** Wait for its arrival or its end; the end by default. */
  phase?: Phase;
  /** Also match past requests with an id above this. Without it, only later events match. */
  after?: number;
}

/** Keeps the latest requests and tells listeners as each arrives and ends. */
export class Recorder {
  readonly requests: RecordedRequest[] = [];
  private readonly listeners = new Set<RequestListener>();
  private lastId = 0;

  /** @param kept how many requests to keep; older ones are dropped so that long runs don't grow */
  constructor(private readonly kept: number) {}

  /** Records an arrival. */
  begin(facts: Omit<RecordedRequest, 'id' | 'status' | 'outcome' | 'time' | 'endedAt'>): RecordedRequest {
    const request: RecordedRequest = {
      id: ++this.lastId,
      ...facts,
      status: null,
      outcome: 'pending',
      time: monotonic(),
      endedAt: null,
    };
    this.requests.push(request);
    if (this.requests.length > this.kept) this.requests.splice(0, this.requests.length - this.kept);
    this.tell(request, 'arrived');
    return request;
  }

  /** Records the end. */
  end(request: RecordedRequest, outcome: Outcome, status: number | null): void {
    request.outcome = outcome;
    request.status = status;
    request.endedAt = monotonic();
    this.tell(request, 'ended');
  }

  /** Calls `listener` on each arrival and each end. Returns a function that stops this. */
  onRequest(listener: RequestListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Resolves to the next request that fits; see WaitOptions for "next". Waits forever if none arrives. */
  waitForRequest(
    fits: (request: RecordedRequest) => boolean,
    { phase = 'ended', after }: WaitOptions = {},
    signal?: AbortSignal,
  ): Promise<RecordedRequest> {
    const past =
      after === undefined
        ? undefined
        : this.requests.find(
            (request) =>
              request.id > after && (phase === 'arrived' || request.endedAt !== null) && fits(request),
          );
    if (past) return Promise.resolve(past);
    return new Promise((resolve) => {
      const stop = this.onRequest((request, now) => {
        if (now !== phase || (after !== undefined && request.id <= after) || !fits(request)) return;
        stop();
        resolve(request);
      });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  private tell(request: RecordedRequest, phase: Phase): void {
    for (const listener of [...this.listeners]) listener(request, phase);
  }
}

const monotonic = () => performance.timeOrigin + performance.now();
