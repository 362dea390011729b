import type { Sandbox } from '../../api/service/schemas/sandbox';
import { Emitter } from '../basics/emitter';
import { settledAfterMs, type SandboxPhase } from './status';

/** An action on a sandbox, as far as the lists show it. */
export interface PendingSandboxAction {
  /** For models: the state until the service shows another one, such as "pausing". */
  readonly pending: string;
  /** What a sandbox counts as while the action is pending. */
  readonly via: SandboxPhase;
  /** The phase that a sandbox is in afterwards. */
  readonly to: SandboxPhase;
  readonly words: { readonly pending: () => string };
}

interface Pending {
  action: PendingSandboxAction;
  statusBefore: string | null | undefined;
  /** In milliseconds since the epoch. Once that was long ago, the service's own status is shown, whatever it is. */
  begunAt: number;
}

/**
 * What this window asked sandboxes to do: shown as pending immediately, until the service shows another state than
 * before. The only place that knows what was asked for here.
 */
export class PendingActions {
  private readonly byId = new Map<string, Pending>();
  /** The phases that were asked for, by sandbox id, with the time of asking. */
  private readonly asked = new Map<string, { to: SandboxPhase; begunAt: number }>();
  private startsInFlight = 0;
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly now: () => number = Date.now) {}

  get(id: string): PendingSandboxAction | undefined {
    return this.byId.get(id)?.action;
  }

  /** True while something is expected to change soon, so that quick refreshes are worthwhile. */
  get any(): boolean {
    return this.byId.size > 0 || this.startsInFlight > 0;
  }

  /** True while this phase of the sandbox counts as asked for by this window, however the request ended. */
  askedFor(id: string, phase: SandboxPhase): boolean {
    const asked = this.asked.get(id);
    return asked?.to === phase && !this.isOver(asked);
  }

  /** Call this when a sandbox was seen in a phase: the next time isn't asked for by this window. */
  reached(id: string, phase: SandboxPhase): void {
    if (this.asked.get(id)?.to === phase) this.asked.delete(id);
  }

  begin(sandbox: Sandbox, action: PendingSandboxAction): void {
    const begunAt = this.now();
    this.byId.set(sandbox.id, { action, statusBefore: sandbox.status, begunAt });
    for (const [id, asked] of this.asked) if (this.isOver(asked)) this.asked.delete(id);
    this.asked.set(sandbox.id, { to: action.to, begunAt });
    this.changed.fire(undefined);
  }

  /** Ends a pending action: the service's own status counts again. */
  end(id: string): void {
    if (this.byId.delete(id)) this.changed.fire(undefined);
  }

  /** Ends the actions that are done, overdue, or for a sandbox that is gone. */
  settle(sandboxes: readonly Sandbox[]): void {
    if (this.byId.size === 0) return;
    const byId = new Map(sandboxes.map((sandbox) => [sandbox.id, sandbox]));
    for (const [id, pending] of this.byId) {
      const sandbox = byId.get(id);
      if (sandbox?.status !== pending.statusBefore || this.isOver(pending)) this.end(id);
    }
  }

  /** Expects changes for as long as `work`, which creates a sandbox or a conversation, runs. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.startsInFlight += 1;
    this.changed.fire(undefined);
    try {
      return await work;
    } finally {
      this.startsInFlight -= 1;
      this.changed.fire(undefined);
    }
  }

  /** Either way: the clock may have been set back. */
  private isOver({ begunAt }: { begunAt: number }): boolean {
    return Math.abs(this.now() - begunAt) >= settledAfterMs;
  }

  clear(): void {
    this.byId.clear();
    this.asked.clear();
    this.changed.fire(undefined);
  }
}
