import type { Sandbox } from '../../api/service/schemas/sandbox';
import type { AttentionEvent } from './attention';
import type { PendingActions } from './pendingActions';
import { sandboxPhase, settledAfterMs, type SandboxPhase } from './status';

/** A sandbox that is busy or about to be paused shows an error for a moment. */
const passingErrorMs = 5_000;

interface Known {
  /** The last state that isn't in doubt. */
  state: Exclude<SandboxPhase, 'other'>;
  /** The status for that state, in the service's spelling. */
  status: string | null | undefined;
  /** When the state was last read, in milliseconds since the epoch. */
  readAt: number;
  /** Whether the sandbox was paused, but not by this window. */
  pausedByService: boolean;
}

/**
 * The history of each sandbox of one connection, read after read. The only place that distinguishes real errors from
 * temporary ones, and pauses by this window from others.
 */
export class SandboxHistory {
  private readonly known = new Map<string, Known>();
  /** Since when a sandbox shows an error that may be temporary. */
  private readonly doubts = new Map<string, number>();
  private news: AttentionEvent[] = [];

  constructor(
    private readonly pending: Pick<PendingActions, 'askedFor' | 'reached'>,
    private readonly now: () => number,
  ) {}

  /** True for a paused sandbox that this window saw running and didn't pause itself. */
  pausedByService(id: string): boolean {
    return this.known.get(id)?.pausedByService === true;
  }

  /** True while reading again in a few seconds will show whether an error is temporary. */
  get hasDoubts(): boolean {
    // Either way: the clock may have been set back.
    const now = this.now();
    return [...this.doubts.values()].some((since) => Math.abs(now - since) < 2 * passingErrorMs);
  }

  /** Whether an event still describes its sandbox. */
  isStill({ kind, id }: AttentionEvent): boolean {
    const { state } = this.known.get(id) ?? {};
    return kind === 'sandboxFailed' ? state === 'failed' : kind === 'sandboxPaused' && state === 'paused';
  }

  /** What happened since the last call. The state of a sandbox that is seen for the first time isn't news. */
  takeNews(): AttentionEvent[] {
    const { news } = this;
    this.news = [];
    return news;
  }

  /** The status to show for a sandbox if `status` was read elsewhere than in the list of sandboxes. */
  sureStatus(id: string, status: string | null | undefined): string | null | undefined {
    const known = this.known.get(id);
    return known && known.state !== 'failed' && sandboxPhase({ status }) === 'failed' ? known.status : status;
  }

  /** Takes what was read; returns the sandbox to show, with its previous status while an error is in doubt. */
  read<T extends Pick<Sandbox, 'id' | 'status' | 'status_detail'>>(sandbox: T): T {
    const state = sandboxPhase(sandbox);
    if (state === 'other') return sandbox;
    const { id, status } = sandbox;
    const now = this.now();
    const known = this.known.get(id);
    if (known && state === 'failed' && this.isDoubted(id, known, now)) {
      return { ...sandbox, status: known.status };
    }
    this.doubts.delete(id);
    const pausedByService = state === 'paused' && this.isPausedByService(id, known);
    this.pending.reached(id, state);
    this.known.set(id, { state, status, readAt: now, pausedByService });
    if (!known || known.state === state) return sandbox;
    const event = { id, since: known.readAt };
    if (state === 'failed') {
      this.news.push({ ...event, kind: 'sandboxFailed', detail: sandbox.status_detail ?? undefined });
    }
    if (pausedByService) this.news.push({ ...event, kind: 'sandboxPaused' });
    return sandbox;
  }

  private isDoubted(id: string, { state }: Known, now: number): boolean {
    if (state === 'failed') return false;
    // No later than now: the clock may have been set back.
    const since = Math.min(this.doubts.get(id) ?? now, now);
    this.doubts.set(id, since);
    if (this.pending.askedFor(id, 'paused')) return true;
    return now - since < (state === 'running' ? passingErrorMs : settledAfterMs);
  }

  private isPausedByService(id: string, known: Known | undefined): boolean {
    if (known?.state === 'paused') return known.pausedByService;
    const wasUp = known?.state === 'running' || known?.state === 'starting';
    return wasUp && !this.pending.askedFor(id, 'paused');
  }
}
