import type { SandboxWorkspace, TerminalRoutes } from '../../../api/agent/workspace';
import type { Clock } from '../../../api/http/clock';
import { ApiError } from '../../../api/http/errors';
import { Refusal } from '../../../core/basics/refusal';
import { Answers, pausedRefusal } from './answers';
import { aliveScript, terminalFolder, type TerminalInfo, terminalExits } from './terminalScripts';

/** Milliseconds between two tries of a failed request, doubled each time up to a limit. */
const [firstRetryMs, lastRetryMs] = [250, 5_000];
/** The same while a sandbox can’t be reached at all. */
const unreachableMs = 20_000;
/** After this many tries, the user is told. */
const quietTries = 3;

/** How a terminal ended: the exit code of its shell; `gone` with its sandbox; `noAccess` without a key. */
export type TerminalEnd = { exitCode: number } | 'gone' | 'noAccess';

/** What the owner of a terminal is told. */
export interface TerminalEvents {
  /** @param isAgain whether it was written before this terminal opened */
  output: (bytes: Uint8Array, isAgain: boolean) => void;
  /** Output was left out because there was more than is kept. */
  skipped: () => void;
  /** The sandbox doesn’t answer, with the reason if it’s known, or does again: null. What is typed stays in order. */
  stalled: (reason: string | null) => void;
  /** The last event. */
  ended: (how: TerminalEnd) => void;
}

/** A sandbox in which terminals can be opened, in the agent’s folder. */
export interface TerminalPlace {
  workspace: Pick<SandboxWorkspace, 'terminal'>;
  workingDir: string;
}

/** Where a terminal is opened, and with what. */
export interface TerminalDesk {
  /** Finds the sandbox, which may have another address after it was paused. Throws a Refusal, and ApiError. */
  reach: () => Promise<TerminalPlace>;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Whether the sandbox is paused, as last known: it may take requests and answer none. */
  isAsleep?: () => boolean;
  on: TerminalEvents;
}

/**
 * A request on its way: what for, and the routes it goes to, which another sandbox may have taken over in the meantime.
 */
interface Attempt {
  by: 'input' | 'output';
  routes: TerminalRoutes;
}

/** A sandbox as a terminal reaches it: requests, until they get through, and the terminal’s end. */
export class TerminalLine {
  readonly folder: string;
  exitCode: number | undefined;
  private isOver = false;
  private readonly stalled = new Set<Attempt['by']>();
  private readonly stirred = new Set<() => void>();
  private readonly resting = new Set<() => void>();
  private readonly answers = new Answers();

  constructor(
    private readonly desk: TerminalDesk,
    private place: TerminalPlace,
    readonly id: string,
    readonly info: TerminalInfo,
    /** What is done once nothing is sent anymore. */
    private readonly last: (how: TerminalEnd | undefined) => void,
  ) {
    this.folder = terminalFolder(place.workingDir, id);
  }

  get on(): TerminalEvents {
    return this.desk.on;
  }

  get routes(): TerminalRoutes {
    return this.place.workspace.terminal;
  }

  attempt(by: Attempt['by']): Attempt {
    return { by, routes: this.routes };
  }

  /** Whether it sends and reports nothing anymore. */
  hasEnded(): boolean {
    return this.isOver;
  }

  now(): number {
    return this.desk.clock.now();
  }

  run(command: string) {
    return this.ask(() => this.routes.execute({ command, cwd: this.place.workingDir }));
  }

  wait(command: string) {
    return this.ask(() => this.routes.wait({ command, cwd: this.place.workingDir }));
  }

  /** Sends a request, unless the sandbox is known to be paused, and waits for the answer until it is. */
  ask<T>(request: () => Promise<T>): Promise<T> {
    return this.desk.isAsleep?.() === true ? Promise.reject(pausedRefusal()) : this.answers.wait(request());
  }

  /** Ends what waits for an answer, once the sandbox is known to be paused. */
  giveUp(): void {
    this.answers.giveUp();
  }

  /** Whether the relay is there, as far as that can be found out. */
  async isAlive(): Promise<boolean> {
    try {
      const { exitCode } = await this.run(aliveScript(this.id, this.info.pid));
      if (exitCode === terminalExits.gone) this.end('gone');
      return exitCode === 0;
    } catch {
      return true;
    }
  }

  /** @param how undefined if the shell lives on */
  end(how: TerminalEnd | undefined): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stir();
    this.last(how);
    if (how !== undefined) this.on.ended(how);
  }

  answered({ by }: Attempt): void {
    if (this.stalled.delete(by) && this.stalled.size === 0 && !this.isOver) this.on.stalled(null);
  }

  /** Waits until a request is worth another try. */
  async failed(error: unknown, tries: number, { by, routes }: Attempt): Promise<void> {
    if (this.isOver) return;
    const isFinal = !(error instanceof Refusal || isPassing(error));
    let pause = retryMs(tries);
    if (isFinal || tries > quietTries || this.desk.isAsleep?.() === true) {
      try {
        this.place = await this.desk.reach();
        if (isFinal && this.routes === routes) {
          this.end('noAccess');
          return;
        }
        this.stall(by, '');
      } catch (failure) {
        if (failure instanceof Refusal) pause = unreachableMs;
        else if (!isPassing(failure)) {
          this.end('noAccess');
          return;
        }
        this.stall(by, failure instanceof Refusal ? failure.message : '');
      }
    }
    await this.rest(pause, true);
  }

  /** Waits until something changes, and no longer than `ms`; for all of that time if `isWhole` is set. */
  rest(ms?: number, isWhole = false): Promise<void> {
    return new Promise((resolve) => {
      const cancel = ms === undefined ? undefined : this.desk.clock.after(ms, () => finish());
      const stir = () => {
        if (!isWhole || this.isOver) finish();
      };
      const finish = () => {
        cancel?.();
        this.stirred.delete(stir);
        this.resting.delete(finish);
        resolve();
      };
      this.stirred.add(stir);
      this.resting.add(finish);
      if (this.isOver) finish();
    });
  }

  /** Retries at once what failed. */
  hurry(): void {
    for (const finish of this.resting) finish();
  }

  stir(): void {
    for (const stir of this.stirred) stir();
  }

  private stall(by: Attempt['by'], reason: string): void {
    const isKnown = this.stalled.size > 0;
    this.stalled.add(by);
    if (!isKnown && !this.isOver) this.on.stalled(reason);
  }
}

/** Asks again a few times if an answer was lost. */
export async function repeatedly<T>(
  { clock }: Pick<TerminalDesk, 'clock'>,
  request: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await request();
    } catch (error) {
      const isLost = error instanceof ApiError && error.outcomeUnknown && isPassing(error);
      if (!isLost || tries > 4) throw error;
      await new Promise<void>((resolve) => {
        clock.after(retryMs(tries), resolve);
      });
    }
}

const retryMs = (tries: number) => Math.min(lastRetryMs, firstRetryMs * 2 ** (tries - 1));

/** Whether a request may succeed if it’s sent again. */
const isPassing = (error: unknown) =>
  error instanceof ApiError && !['unauthorized', 'keyRevoked', 'canceled', 'badId'].includes(error.reason);
