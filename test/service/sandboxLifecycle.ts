import type { Behaviour } from './behaviour';
import type { Clock } from './clock';
import { makeSandbox, type SandboxRecord, type State } from './records';

/** A status that a sandbox is listed with for a while, regardless of its real one. */
interface PassingStatus {
  status: string;
  readingsLeft: number;
}

/** A sandbox whose start was requested. */
export interface StartedSandbox {
  sandbox: SandboxRecord;
  /** Resolves when the start has ended: to false if it failed and the sandbox is gone, otherwise to true. */
  ended: Promise<boolean>;
}

/** A planned change of a sandbox. */
interface Plan {
  verb: 'start' | 'pause' | 'resume';
  cancel: () => void;
}

/** Starts, pauses and resumes sandboxes; their states follow on the clock. */
export class SandboxLifecycle {
  private readonly plans = new Map<string, Plan>();
  private readonly passing = new Map<string, PassingStatus>();
  private readonly starting = new Map<string, (runs: boolean) => void>();

  constructor(
    private readonly state: State,
    private readonly behaviour: Behaviour,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a sandbox from the named spec, or else from the first, listed as `status` until it runs. Returns undefined
   * if there is no such spec.
   */
  start(status: 'STARTING' | 'ERROR', specId?: string): StartedSandbox | undefined {
    const spec = specId === undefined ? this.state.specs.values().next().value : this.state.specs.get(specId);
    if (!spec) return undefined;
    const sandbox = makeSandbox({
      sandbox_spec_id: spec.id,
      status,
      created_at: new Date(this.clock.now()).toISOString(),
    });
    this.state.sandboxes.set(sandbox.id, sandbox);
    const ended = new Promise<boolean>((resolve) => this.starting.set(sandbox.id, resolve));
    this.plan(sandbox, 'start', this.behaviour.delays.sandboxStart, () => {
      if (!this.behaviour.startsFail) {
        this.comeUp(sandbox);
        return;
      }
      this.state.sandboxes.delete(sandbox.id);
      this.endStart(sandbox.id, false);
    });
    return { sandbox, ended };
  }

  /** false if there is no such sandbox. */
  pause(id: string): boolean {
    const sandbox = this.existing(id);
    if (!sandbox) return false;
    this.plan(sandbox, 'pause', this.behaviour.delays.pause, () => {
      sandbox.status = 'PAUSED';
      this.endStart(id, true);
    });
    return true;
  }

  /** false if there is no such sandbox. */
  resume(id: string): boolean {
    const sandbox = this.existing(id);
    if (!sandbox) return false;
    if (sandbox.status !== 'RUNNING' || this.plans.has(id))
      this.plan(sandbox, 'resume', this.behaviour.delays.resume, () => this.comeUp(sandbox));
    return true;
  }

  /** false if there is no such sandbox. */
  remove(id: string): boolean {
    this.plans.get(id)?.cancel();
    this.plans.delete(id);
    return this.state.sandboxes.delete(id);
  }

  /** Lists a sandbox with this status the next `readings` times; conversations show the status until then. */
  showAs(id: string, status: string, readings: number): void {
    this.passing.set(id, { status, readingsLeft: readings });
  }

  /** The status shown right now. */
  statusOf(sandbox: SandboxRecord): string {
    const passing = this.passing.get(sandbox.id)?.status;
    const pausing = this.behaviour.errorWhilePausing && this.plans.get(sandbox.id)?.verb === 'pause';
    return passing ?? (pausing ? 'ERROR' : sandbox.status);
  }

  /** The sandbox as a list shows it. This counts as one reading of a passing status. */
  read(sandbox: SandboxRecord): SandboxRecord {
    const shown = { ...sandbox, status: this.statusOf(sandbox) };
    const passing = this.passing.get(sandbox.id);
    if (passing) {
      passing.readingsLeft -= 1;
      if (passing.readingsLeft === 0) this.passing.delete(sandbox.id);
    }
    return shown;
  }

  /** Drops passing statuses and plans, as when the service starts over. */
  clear(): void {
    this.passing.clear();
    for (const { cancel } of this.plans.values()) cancel();
    this.plans.clear();
    for (const id of this.starting.keys()) this.endStart(id, false);
  }

  private existing(id: string): SandboxRecord | undefined {
    const sandbox = this.state.sandboxes.get(id);
    return sandbox?.status === 'MISSING' ? undefined : sandbox;
  }

  private comeUp(sandbox: SandboxRecord): void {
    if (this.behaviour.errorUntilHealthy) {
      sandbox.status = 'ERROR';
      this.plan(sandbox, 'resume', this.behaviour.delays.sandboxHealthy, () => this.run(sandbox));
    } else {
      this.run(sandbox);
    }
  }

  private run(sandbox: SandboxRecord): void {
    sandbox.status = 'RUNNING';
    const others = [...this.state.sandboxes.values()]
      .filter((other) => other.status === 'RUNNING' && other !== sandbox)
      .sort((a, b) => a.created_at.localeCompare(b.created_at));
    for (const oldest of others.slice(0, Math.max(0, others.length + 1 - this.behaviour.maxRunning)))
      oldest.status = 'PAUSED';
    this.endStart(sandbox.id, true);
  }

  private endStart(id: string, runs: boolean): void {
    this.starting.get(id)?.(runs);
    this.starting.delete(id);
  }

  /** Each sandbox has one plan: a later one replaces it. */
  private plan(sandbox: SandboxRecord, verb: Plan['verb'], ms: number, action: () => void): void {
    this.plans.get(sandbox.id)?.cancel();
    const cancel = this.clock.after(ms, () => {
      this.plans.delete(sandbox.id);
      action();
    });
    this.plans.set(sandbox.id, { verb, cancel });
  }
}
