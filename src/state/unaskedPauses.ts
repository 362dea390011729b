import type { Sandbox } from '../api/schemas/sandbox';
import { sandboxPhase, type SandboxPhase } from './status';

/**
 * Knows which sandboxes were seen to go from running to paused without this window having asked for it. The service
 * does that silently to the oldest when too many run; another client may have done it, too.
 */
export class UnaskedPauses {
  private phases = new Map<string, SandboxPhase>();
  private readonly ids = new Set<string>();

  /** @param askedHere whether this window has lately asked for a pause of the sandbox with this id */
  constructor(private readonly askedHere: (id: string) => boolean) {}

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Takes note of what the service shows now; one that it no longer lists is forgotten. */
  observe(sandboxes: readonly Sandbox[]): void {
    const phases = new Map<string, SandboxPhase>();
    for (const sandbox of sandboxes) {
      const { id } = sandbox;
      const before = this.phases.get(id);
      const phase = sandboxPhase(sandbox);
      phases.set(id, phase);
      if (phase !== 'paused') this.ids.delete(id);
      else if ((before === 'running' || before === 'starting') && !this.askedHere(id)) this.ids.add(id);
    }
    for (const id of this.ids) if (!phases.has(id)) this.ids.delete(id);
    this.phases = phases;
  }

  clear(): void {
    this.phases.clear();
    this.ids.clear();
  }
}
