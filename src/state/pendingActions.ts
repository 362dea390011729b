import type { Sandbox } from '../api/schemas/sandbox';
import { Emitter } from './emitter';

/** What this window asked a sandbox to do and has not seen happen yet. */
export type PendingAction = 'pausing' | 'resuming';

interface Pending {
  action: PendingAction;
  statusBefore: string | null | undefined;
  /** Milliseconds since the epoch; after this the service's own word is shown whatever it is. */
  until: number;
}

/** The service follows an accepted pause or resume within seconds; past this it has decided otherwise. */
const patience = 120_000;

/** Actions shown at once as pending, until the service shows another state than before. */
export class PendingActions {
  private readonly byId = new Map<string, Pending>();
  /** Pauses asked for, by id, with the time until which a pause seen is taken for that one. */
  private readonly pausesAsked = new Map<string, number>();
  private startsInFlight = 0;
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly now: () => number = Date.now) {}

  get(id: string): PendingAction | undefined {
    return this.byId.get(id)?.action;
  }

  /** True while something is expected to change soon, so that refreshing quickly is worth it. */
  get any(): boolean {
    return this.byId.size > 0 || this.startsInFlight > 0;
  }

  /** True while a pause that is seen is the one that this window has asked for, however its request ended. */
  askedToPause(id: string): boolean {
    return this.now() < (this.pausesAsked.get(id) ?? -Infinity);
  }

  begin(sandbox: Sandbox, action: PendingAction): void {
    const until = this.now() + patience;
    this.byId.set(sandbox.id, { action, statusBefore: sandbox.status, until });
    for (const [id, end] of this.pausesAsked) if (this.now() >= end) this.pausesAsked.delete(id);
    if (action === 'pausing') this.pausesAsked.set(sandbox.id, until);
    else this.pausesAsked.delete(sandbox.id);
    this.changed.fire(undefined);
  }

  /** The request failed: what the service says counts again. */
  end(id: string): void {
    if (this.byId.delete(id)) this.changed.fire(undefined);
  }

  /** Ends what the service now shows as done, gone, or not done in time. */
  settle(sandboxes: readonly Sandbox[]): void {
    if (this.byId.size === 0) return;
    const present = new Map(sandboxes.map((sandbox) => [sandbox.id, sandbox]));
    for (const [id, pending] of this.byId) {
      const sandbox = present.get(id);
      if (sandbox?.status !== pending.statusBefore || this.now() >= pending.until) this.end(id);
    }
  }

  /** Counts work that creates a sandbox or a conversation, for as long as `work` runs. */
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

  clear(): void {
    this.byId.clear();
    this.pausesAsked.clear();
    this.changed.fire(undefined);
  }
}
