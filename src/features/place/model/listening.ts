import type { Clock } from '../../../api/http/clock';
import type { Disposable } from '../../../core/basics/emitter';
import type { Entry, StepEntry } from '../../../shared/transcript';
import type { ConversationModel } from '../../live';
import { listeningPorts } from './ports';

/**
 * When to look after a command of the agent has begun or ended, in milliseconds: soon, and once its program had time to
 * start.
 */
const looksAfter = { soon: 1_000, late: 5_000 };
/**
 * How many looks there can be at once, and milliseconds until there may be one more. Each is a command that the server
 * stores.
 */
const looks = { atOnce: 12, everyMs: 60_000 };

/**
 * Finds the ports on which programs in an agent’s folder begin to listen, each once: after the agent’s commands, while it
 * works. Where the sandbox can’t be asked, nothing is found, and nothing is said.
 */
export class ListeningWatch implements Disposable {
  private readonly known = new Set<number>();
  private readonly waiting = new Map<keyof typeof looksAfter, () => void>();
  private readonly following: Disposable;
  private left = looks.atOnce;
  private countedAt: number;
  private wasWorking = false;
  private last = '';
  private looking = Promise.resolve();
  private isOver = false;

  /** @param found called with the port, and the entry of the last command */
  constructor(
    private readonly model: Pick<ConversationModel, 'changes' | 'entries' | 'head' | 'onDidChange'>,
    private readonly clock: Pick<Clock, 'after' | 'now'>,
    private readonly found: (port: number, after: Entry) => void,
  ) {
    this.countedAt = clock.now();
    this.following = model.onDidChange(() => this.follow());
    this.follow();
  }

  dispose(): void {
    this.isOver = true;
    this.following.dispose();
    for (const cancel of this.waiting.values()) cancel();
    this.waiting.clear();
  }

  private follow(): void {
    const isWorking = this.model.head.execution === 'running';
    const began = isWorking && !this.wasWorking;
    const command = this.command();
    const state = command ? `${command.id} ${command.state}` : '';
    // The last command of a turn may be read together with the turn’s end.
    const isNew = state !== this.last && (isWorking || this.wasWorking);
    this.wasWorking = isWorking;
    this.last = state;
    if (began && !command) this.look();
    if (!isNew || !command) return;
    if (!this.waiting.has('soon')) this.plan('soon');
    this.plan('late');
  }

  /** The last command of the current turn. */
  private command(): StepEntry | undefined {
    const { entries } = this.model;
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (entry?.kind === 'message' && entry.from === 'user') return undefined;
      const isCommand = entry?.kind === 'step' && entry.detail.step === 'terminal';
      if (isCommand && (entry.state === 'running' || entry.state === 'done' || entry.state === 'failed'))
        return entry;
    }
    return undefined;
  }

  private plan(when: keyof typeof looksAfter): void {
    this.waiting.get(when)?.();
    const cancel = this.clock.after(looksAfter[when], () => {
      this.waiting.delete(when);
      this.look();
    });
    this.waiting.set(when, cancel);
  }

  private look(): void {
    const now = this.clock.now();
    this.left = Math.min(looks.atOnce, this.left + (now - this.countedAt) / looks.everyMs);
    this.countedAt = now;
    if (this.left < 1) return;
    this.left -= 1;
    const after = this.command();
    this.looking = this.looking.then(() => this.lookNow(after));
  }

  /** @param after undefined before the agent’s first command: what listens then isn’t new */
  private async lookNow(after: Entry | undefined): Promise<void> {
    // A sandbox that can’t tell, or can’t be reached, has nothing to say.
    const ports = await this.model.changes
      .place()
      .then(listeningPorts)
      .catch(() => []);
    for (const { port, isInFolder } of ports) {
      if (this.isOver || !isInFolder || this.known.has(port)) continue;
      this.known.add(port);
      if (after) this.found(port, after);
    }
  }
}
