import type { Behaviour } from './behaviour';
import type { Clock } from './clock';
import { makeSandbox, type SandboxRecord, type State } from './records';

/** Starts, pauses and resumes sandboxes; the state follows on the clock. */
export class SandboxLifecycle {
  private readonly pending = new Map<string, () => void>();

  constructor(
    private readonly state: State,
    private readonly behaviour: Behaviour,
    private readonly clock: Clock,
  ) {}

  /** A new sandbox, STARTING, from the spec named or else the first. undefined if there is no such spec. */
  start(specId?: string): SandboxRecord | undefined {
    const spec = specId === undefined ? this.state.specs.values().next().value : this.state.specs.get(specId);
    if (!spec) return undefined;
    const sandbox = makeSandbox({
      sandbox_spec_id: spec.id,
      status: 'STARTING',
      created_at: new Date(this.clock.now()).toISOString(),
    });
    this.state.sandboxes.set(sandbox.id, sandbox);
    this.later(sandbox, this.behaviour.delays.sandboxStart, () => this.comeUp(sandbox));
    return sandbox;
  }

  /** false if there is no such sandbox. */
  pause(id: string): boolean {
    const sandbox = this.existing(id);
    if (!sandbox) return false;
    this.later(sandbox, this.behaviour.delays.pause, () => {
      sandbox.status = 'PAUSED';
    });
    return true;
  }

  /** false if there is no such sandbox. */
  resume(id: string): boolean {
    const sandbox = this.existing(id);
    if (!sandbox) return false;
    if (sandbox.status !== 'RUNNING' || this.pending.has(id))
      this.later(sandbox, this.behaviour.delays.resume, () => this.comeUp(sandbox));
    return true;
  }

  /** Forgets what was planned, as when the service resets. */
  clear(): void {
    for (const cancel of this.pending.values()) cancel();
    this.pending.clear();
  }

  private existing(id: string): SandboxRecord | undefined {
    const sandbox = this.state.sandboxes.get(id);
    return sandbox?.status === 'MISSING' ? undefined : sandbox;
  }

  private comeUp(sandbox: SandboxRecord): void {
    if (this.behaviour.errorUntilHealthy) {
      sandbox.status = 'ERROR';
      this.later(sandbox, this.behaviour.delays.sandboxHealthy, () => this.run(sandbox));
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
  }

  /** One plan for each sandbox: a later wish replaces an earlier one. */
  private later(sandbox: SandboxRecord, ms: number, action: () => void): void {
    this.pending.get(sandbox.id)?.();
    const cancel = this.clock.after(ms, () => {
      this.pending.delete(sandbox.id);
      action();
    });
    this.pending.set(sandbox.id, cancel);
  }
}
