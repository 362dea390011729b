import assert from 'node:assert/strict';
import type { TerminalRoutes } from '../../../src/api/agent/workspace';
import { ApiError } from '../../../src/api/http/errors';
import { Refusal } from '../../../src/core/basics/refusal';
import type { TerminalPlace } from '../../../src/features/place/model/terminalLine';
import { TerminalSession } from '../../../src/features/place/model/terminalSession';
import { type ScriptedSandbox, written } from './scriptedRelay';

/**
 * What becomes of a request: `lost` on its way there; `unanswered`, on the way back; `twice` arrived; `late`, after it
 * was given up; `cut`, half of it arrived; `slow`; `refused` by the server.
 */
export const fates = ['fine', 'lost', 'unanswered', 'twice', 'late', 'cut', 'slow', 'refused'] as const;
export type Fate = (typeof fates)[number];

/** Until a request counts as lost, in milliseconds. */
const givenUpMs = 15_000;

/** What a shell got from this window, and has shown it. */
interface Part {
  typed: string;
  shown: string[];
}

/** A terminal of an editor, in the time of a scripted sandbox: what people type, and read. */
export class ScriptedWindow {
  /** Of each shell in turn. */
  readonly parts = new Map<string, Part>();
  /** What the terminal itself said. */
  readonly said: string[] = [];
  code: number | undefined;
  id: string | undefined;
  isKnownToSleep = true;
  keepsRunning = false;
  /** Requests long after it was closed. */
  lateRequests = 0;
  readonly fates: Fate[] = [];
  readonly session: TerminalSession;
  /** Typed before there was a shell. */
  private ahead = '';
  private hasEntered = false;
  private overAt: number | undefined;
  private count = 0;
  private key = 0;

  constructor(
    private readonly sandbox: ScriptedSandbox,
    private readonly at: number,
    id?: string,
  ) {
    const { clock } = sandbox;
    if (id !== undefined) this.begun(id);
    this.session = new TerminalSession(
      {
        reach: async () => {
          await this.pass(5);
          if (sandbox.isPaused) throw new Refusal('The sandbox is paused.');
          return this.place();
        },
        clock,
        isAsleep: () => sandbox.isPaused && this.isKnownToSleep,
        resume: async () => {
          await this.pass(3_000);
          sandbox.pause(false);
        },
        isFocused: () => true,
        keepsRunning: () => this.keepsRunning,
        describe: (error) => (error instanceof Error ? error.message : ''),
        changed: (next) => this.begun(next),
      },
      { write: (text) => this.read(text), close: (code) => this.close(code) },
      id,
    );
    this.session.open({ cols: 80, rows: 24 });
  }

  /** Whether Enter is what the terminal waits for; all else that is typed goes nowhere. */
  get isOffering(): boolean {
    return !this.hasEntered && (this.said.at(-1) ?? '').includes('Press Enter');
  }

  get isOver(): boolean {
    return this.overAt !== undefined;
  }

  /** Numbers, in signs that only this window types. */
  type(numbers: number): void {
    let text = '';
    for (let n = 0; n < numbers; n += 1)
      text += Array.from(`${(this.count += 1)};`, (sign) => this.sign(sign)).join('');
    if (!this.isOffering && !this.isOver) {
      if (this.id === undefined) this.ahead += text;
      else this.part().typed += text;
    }
    this.session.type(text);
  }

  enter(): void {
    if (!this.isOffering) return;
    this.hasEntered = true;
    this.session.type('\r');
  }

  /** The window is reloaded, or closed. */
  leave(): void {
    this.over();
    this.session.close();
  }

  /** Its shell is ended. */
  end(): void {
    this.over();
    void this.session.end();
  }

  /** The sandbox has another key. */
  renew(): void {
    this.key += 1;
  }

  /** What a shell got from this window. */
  arrived(id: string): string {
    const own = Array.from('0123456789;', (sign) => this.sign(sign)).join('');
    const typed = Buffer.from(this.sandbox.shells.get(id)?.typed ?? '', 'latin1').toString();
    return Array.from(typed)
      .filter((sign) => own.includes(sign))
      .join('');
  }

  /** Fails unless the window showed each shell’s output in order and once. @param isWhole to its end */
  checkShown(isWhole: boolean): void {
    for (const [id, { shown }] of this.parts) {
      const total = this.sandbox.shells.get(id)?.total ?? 0;
      let at = 0;
      for (const run of shown) {
        if (run === '') continue;
        const isLast = isWhole && id === this.id && run === shown.at(-1);
        const from = isLast ? total - run.length : written.indexOf(run, at, 'latin1');
        assert.ok(from >= at, `window ${this.at} showed something twice: ${from} before ${at}`);
        assert.ok(
          written.subarray(from, from + run.length).equals(Buffer.from(run)),
          `window ${this.at} showed something else, or not all: ${run.length} up to ${total}`,
        );
        assert.ok(at > 0 || from % this.sandbox.segment === 0, 'left a beginning out');
        assert.ok(at === 0 || from % this.sandbox.segment === 0, 'left more out than is gone');
        at = from + run.length;
        assert.ok(at <= total);
      }
    }
  }

  private sign(sign: string): string {
    return String.fromCodePoint(0xe0 + this.at * 12 + sign.charCodeAt(0) - 48);
  }

  private part(): Part {
    assert.ok(this.id !== undefined);
    const part = this.parts.get(this.id) ?? { typed: '', shown: [''] };
    this.parts.set(this.id, part);
    return part;
  }

  private begun(id: string | undefined): void {
    this.id = id;
    if (id === undefined) return;
    const { relays, shells } = this.sandbox;
    shells.set(id, shells.get(id) ?? relays.get(id) ?? assert.fail(id));
    this.hasEntered = false;
    this.part().typed += this.ahead;
    this.ahead = '';
  }

  private close(code: number): void {
    this.code = code;
    this.over();
  }

  private over(): void {
    this.overAt ??= this.sandbox.clock.now();
  }

  private read(text: string): void {
    // Nobody sees what comes after that, and nothing is said of what it lacks.
    if (this.isOver) return;
    for (const [n, one] of text.split(/\r\n\x1b\[2m([^]*?)\x1b\[0m\r\n/).entries())
      if (n % 2 === 1) {
        this.said.push(one);
        this.hasEntered = false;
        if (one.startsWith('…')) this.part().shown.push('');
      } else if (one !== '') {
        const { shown } = this.part();
        shown.push(shown.pop()! + one);
      }
  }

  private pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.sandbox.clock.after(ms, resolve));
  }

  private place(): TerminalPlace {
    return { workingDir: '/w', workspace: { terminal: this.routes(this.key) } };
  }

  private routes(key: number): TerminalRoutes {
    const { routes } = this.sandbox;
    const call = <T>(work: () => Promise<T>, half = work) => this.carry(key, work, half);
    return {
      execute: (what) => call(() => routes.execute(what)),
      wait: (what) =>
        call(() => Promise.race([routes.wait(what), this.pass(75_000).then(() => Promise.reject(reset()))])),
      upload: (file, content) =>
        call(
          () => routes.upload(file, content),
          () => routes.upload(file, content.subarray(0, content.byteLength / 2)),
        ),
      readFrom: (file, offset) => call(() => routes.readFrom(file, offset)),
    };
  }

  private async carry<T>(key: number, work: () => Promise<T>, half: () => Promise<T>): Promise<T> {
    const { sandbox } = this;
    if (sandbox.clock.now() > (this.overAt ?? Infinity) + 2 * 60_000) this.lateRequests += 1;
    const fate = this.fates.shift() ?? 'fine';
    await this.pass(fate === 'slow' ? 4_000 : 5);
    if (key !== this.key) throw new ApiError('unauthorized', 'POST', '/', { status: 401 });
    if (fate === 'late') {
      sandbox.after(40_000, () => void work().catch(() => undefined));
      await this.pass(givenUpMs);
      throw reset();
    }
    const isOut = () => sandbox.isPaused;
    if (fate === 'lost' || isOut()) throw reset();
    if (fate === 'refused') throw new ApiError('serverError', 'POST', '/', { status: 500 });
    let answer = await (fate === 'cut' ? half() : work());
    if (fate === 'twice') answer = await work();
    await this.pass(fate === 'slow' ? 4_000 : 5);
    if (fate === 'unanswered' || fate === 'cut' || isOut()) throw reset();
    return answer;
  }
}

const reset = () => new ApiError('reset', 'POST', '/', { outcomeUnknown: true });
