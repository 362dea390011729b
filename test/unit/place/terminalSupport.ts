import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { TerminalRoutes } from '../../../src/api/agent/workspace';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import { SandboxTerminal } from '../../../src/features/place/model/terminal';
import type {
  TerminalDesk,
  TerminalEnd,
  TerminalEvents,
} from '../../../src/features/place/model/terminalLine';
import type { TestSandbox } from '../changes/support';

/** What becomes of a request: lost on its way there, or its answer on the way back; or it arrives twice. */
export type Fate = 'fine' | 'lost' | 'unanswered' | 'twice';

/** Time that passes thirty times as fast, without ever being late for a shell. */
export const quick: TerminalDesk['clock'] = {
  now: () => performance.now() * 30,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / 30);
    return () => clearTimeout(timer);
  },
};

/** A sandbox whose files are on this computer. */
export type ShellSandbox = Pick<TestSandbox, 'at' | 'commands' | 'dispose'> & {
  workspace: Pick<TestSandbox['workspace'], 'terminal'>;
};

/** A window’s view of a shell. */
export class Window implements TerminalEvents {
  terminal: SandboxTerminal | undefined;
  text = '';
  skips = 0;
  readonly stalls: (string | null)[] = [];
  end: TerminalEnd | undefined;
  /** The fates of its next requests. */
  fates: Fate[] = [];
  /** Whether all that is typed gets lost on its way. */
  isCut = false;
  /** Whether the sandbox is paused: no request reaches it. */
  isPaused = false;
  /** Whether its server refuses what is typed. */
  isRefusing = false;
  private key = 0;
  private readonly decoder = new TextDecoder();

  constructor(private readonly sandbox: ShellSandbox) {}

  async open(): Promise<SandboxTerminal> {
    this.terminal = await SandboxTerminal.open(this.at(), { cols: 80, rows: 24 });
    return this.terminal;
  }

  async attach(id: string): Promise<SandboxTerminal | undefined> {
    this.terminal = await SandboxTerminal.attach(this.at(), id, { cols: 100, rows: 30 });
    return this.terminal;
  }

  type(text: string): void {
    this.terminal?.type(new TextEncoder().encode(text));
  }

  /** Types “canary-typed-secret” for a program that reads it without an echo. */
  async typeSecret(): Promise<void> {
    this.type('stty -echo; echo ready$((1 + 1))\r');
    await this.shows('ready2');
    this.type('read -r hidden; echo "has ${#hidden}"\r');
    this.type('canary-typed-secret\r');
    await this.shows('has 19');
  }

  output(bytes: Uint8Array): void {
    this.text += this.decoder.decode(bytes, { stream: true });
  }

  skipped(): void {
    this.skips += 1;
  }

  stalled(reason: string | null): void {
    this.stalls.push(reason);
  }

  ended(how: TerminalEnd): void {
    this.end = how;
  }

  /** Resolves once a text was shown. */
  shows(text: string): Promise<void> {
    return eventually(
      () => this.text.includes(text),
      () => `${text} in ${JSON.stringify(this.text.slice(-500))}`,
    );
  }

  /** Resolves with the end of its terminal. */
  async ends(): Promise<void> {
    await eventually(
      () => this.end !== undefined,
      () => 'the end',
    );
  }

  private at(): TerminalDesk {
    let place = this.place();
    const reach = () =>
      this.isPaused ? Promise.reject(new Refusal('The sandbox is paused.')) : Promise.resolve(current());
    const current = () => (place = place.key === this.key ? place : this.place());
    return { reach, clock: quick, on: this };
  }

  /** The sandbox comes back at another address, or with another key. */
  renew(): void {
    this.key += 1;
  }

  private place() {
    const { key } = this;
    return { key, workspace: { terminal: this.routes(key) }, workingDir: this.sandbox.at('work') };
  }

  private routes(key: number): TerminalRoutes {
    const { terminal } = this.sandbox.workspace;
    const fated = async <T>(work: () => Promise<T>): Promise<T> => {
      const fate = this.isPaused ? 'lost' : (this.fates.shift() ?? 'fine');
      if (key !== this.key) throw new ApiError('unauthorized', 'POST', '/', { status: 401 });
      const reset = new ApiError('reset', 'POST', '/', { outcomeUnknown: true });
      if (fate === 'lost') throw reset;
      const answer = await work();
      if (fate === 'unanswered') throw reset;
      return fate === 'twice' ? work() : answer;
    };
    return {
      execute: (call) => fated(() => terminal.execute(call)),
      wait: (call) => fated(() => terminal.wait(call)),
      upload: (file, content) => {
        if (this.isRefusing) return Promise.reject(new ApiError('serverError', 'POST', '/', { status: 500 }));
        if (this.isCut) this.fates.unshift('lost');
        return fated(() => terminal.upload(file, content));
      },
      readFrom: (file, offset) => fated(() => terminal.readFrom(file, offset)),
    };
  }
}

/** Resolves once terminals have left nothing in a sandbox. */
export function cleaned(sandbox: ShellSandbox): Promise<void> {
  const scratch = sandbox.at('work/.agent-workspace');
  return eventually(
    () => !existsSync(scratch),
    () => `the end of ${readdirSync(scratch, { recursive: true }).join(' ')}`,
  );
}

/** Reloads the window of a terminal and opens a second one: both show its shell, and learn of its end. Resolves to them. */
export async function goesOnInOthers(window: Window, sandbox: ShellSandbox): Promise<Window[]> {
  const { id } = await window.open();
  window.type('kept=1234; echo fir""st\r');
  await window.shows('first');
  window.terminal?.detach();
  const others = [new Window(sandbox), new Window(sandbox)];
  for (const one of others) await one.attach(id);
  const [again] = others;
  again!.type('echo "is $kept"\r');
  for (const one of others) await one.shows('is 1234');
  assert.ok(again!.text.includes('first'));
  again!.type('exit\r');
  for (const one of others) {
    await one.ends();
    assert.deepEqual(one.end, { exitCode: 0 });
  }
  return others;
}

/** Resolves when a condition holds, which other processes bring about. */
export async function eventually(holds: () => boolean, what: () => string): Promise<void> {
  const until = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > until) throw new Error(`Never came: ${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

/** A file that a shell writes; empty while it isn’t there. */
export const written = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
