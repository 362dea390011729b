import { ApiError } from '../../../api/http/errors';
import type { TerminalLine } from './terminalLine';
import { pieceName, piecesScript, terminalExits, waitScript } from './terminalScripts';

/** When to look for output after a key was sent and after output arrived, in milliseconds. */
const afterKeys = [8, 20, 50, 120, 300];
const afterOutput = [50, 250, 1_200];
/** The same for output that nobody is looking at. */
const unwatched = [1_500];
/** After this much output, there is probably more. */
const burst = 4096;
/** Bytes of output between two acknowledgements. */
const acknowledged = 1024 * 1024;
/** How often to contact the sandbox at least, to keep the shell alive. */
const heartbeatMs = 60_000;
/** After an answer that a working shell doesn’t give. */
const oddAnswerMs = 5_000;
/** Bytes that are shown at once, and each millisecond from then on: an editor draws no faster. */
const [pool, perMs] = [16 * 1024 * 1024, 8_000];

/**
 * Reads what a shell writes: soon after input, and while there is more. Otherwise, it waits for the sandbox to report
 * output.
 */
export class TerminalOutput {
  /** Whether somebody may be looking. */
  isWatched = true;
  private looks: number[] = [];
  private waits = 0;
  private acknowledged: number;
  /** Whether there is output that couldn’t be read yet. */
  private hasMore = false;
  private waitedAt = -Infinity;
  private isAsleep = false;
  private readonly shown = { bytes: 0, at: 0 };
  private reading: Promise<unknown> = Promise.resolve();

  /**
   * @param read bytes of output that aren’t kept anymore
   * @param known bytes of output that were written before
   * @param acknowledge says how far all output was read
   */
  constructor(
    private readonly line: TerminalLine,
    private readonly client: string,
    private read: number,
    private readonly known: number,
    private readonly acknowledge: (bytes: number) => void,
  ) {
    this.acknowledged = read;
    this.shown.at = line.now();
  }

  /** Resolves once nothing is being read. */
  get idle(): Promise<unknown> {
    return this.reading.catch(() => undefined);
  }

  start(): void {
    this.plan([0, ...afterKeys]);
    void this.readAll();
    void this.waitForMore();
  }

  /** Looks for output that follows a key. */
  expect(): void {
    this.plan(afterKeys);
  }

  /** Stops or continues making requests; returns false if nothing changes. */
  sleep(isAsleep: boolean): boolean {
    if (isAsleep === this.isAsleep) return false;
    this.isAsleep = isAsleep;
    if (isAsleep) this.looks = [];
    else this.plan([0, ...afterOutput]);
    return true;
  }

  private async readAll(): Promise<void> {
    const { line } = this;
    for (let tries = 1; !line.hasEnded();) {
      const due = this.looks[0];
      const now = line.now();
      if (due === undefined || due > now) {
        if (due === undefined) line.stir();
        await line.rest(due === undefined ? undefined : due - now);
        continue;
      }
      this.looks = this.looks.filter((one) => one > now);
      const attempt = line.attempt('output');
      try {
        const looking = this.look();
        this.reading = looking;
        const got = await looking;
        line.answered(attempt);
        tries = 1;
        const next = this.isWatched ? afterOutput : unwatched;
        if (got > 0) this.plan(got < burst ? next : [0, ...next], true);
        else if (line.exitCode !== undefined) line.end({ exitCode: line.exitCode });
        await this.drawn(got);
      } catch (error) {
        await line.failed(error, tries, attempt);
        tries += 1;
        this.plan([0]);
      }
    }
  }

  /** Waits until the editor may have drawn what it was given. */
  private async drawn(got: number): Promise<void> {
    const now = this.line.now();
    const { bytes, at } = this.shown;
    Object.assign(this.shown, { bytes: Math.max(0, bytes - (now - at) * perMs) + got, at: now });
    const ahead = this.shown.bytes - pool;
    if (ahead > 0) await this.line.rest(ahead / perMs, true);
  }

  /** Reads what is new; the number of its bytes. */
  private async look(): Promise<number> {
    const { line } = this;
    const { segment } = line.info;
    const piece = Math.floor(this.read / segment);
    const bytes = await this.readPiece(piece, this.read % segment);
    if (line.hasEnded()) return 0;
    if (bytes === undefined) {
      // The previous output is gone, and the relay may be, too.
      if (this.read % segment > 0 && line.exitCode === undefined) await line.isAlive();
      if (!this.hasMore || line.hasEnded()) return 0;
      this.hasMore = false;
      const first = lowest((await line.run(piecesScript(line.id))).stdout.split('\n')) ?? piece;
      if (first <= piece || line.hasEnded()) return 0;
      this.read = first * segment;
      line.on.skipped();
      return burst;
    }
    if (bytes.byteLength === 0) return 0;
    this.hasMore = false;
    const old = Math.max(0, this.known - this.read);
    this.read += bytes.byteLength;
    // A program may ask its terminal something after the old output was counted.
    if (old > 0) line.on.output(bytes.subarray(0, old), true);
    if (old < bytes.byteLength) line.on.output(bytes.subarray(old), false);
    if (this.read - this.acknowledged >= acknowledged) {
      this.acknowledged = this.read;
      this.acknowledge(this.read);
    }
    return bytes.byteLength;
  }

  private async readPiece(piece: number, offset: number): Promise<Uint8Array | undefined> {
    const { line } = this;
    try {
      const name = `${line.folder}/o/${pieceName(line.info, piece)}`;
      return await line.ask(() => line.routes.readFrom(name, offset));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Waits for the sandbox to report output while nothing else looks for it. */
  private async waitForMore(): Promise<void> {
    const { line } = this;
    for (let tries = 1; !line.hasEnded() && line.exitCode === undefined;) {
      if (this.isAsleep || (this.looks.length > 0 && line.now() - this.waitedAt < heartbeatMs)) {
        await line.rest();
        continue;
      }
      const { segment } = line.info;
      const position = { piece: Math.floor(this.read / segment), offset: this.read % segment };
      this.waits += 1;
      this.waitedAt = line.now();
      const attempt = line.attempt('output');
      try {
        const pipe = `${this.client}-${this.waits}`;
        const { exitCode, stdout } = await line.wait(waitScript(line.id, line.info, position, pipe));
        if (exitCode === terminalExits.gone) {
          line.end('gone');
          return;
        }
        tries = 1;
        line.answered(attempt);
        this.told(stdout.trim());
        if (exitCode !== 0) await line.rest(oddAnswerMs);
      } catch (error) {
        await line.failed(error, tries, attempt);
        tries += 1;
        // A look finds out whether the sandbox answers again sooner than the next long request would.
        this.plan([0]);
      }
    }
  }

  /** @param word the exit code of a shell that ended, or nothing if there was none */
  private told(word: string): void {
    if (/^\d+$/.test(word)) this.line.exitCode = Number(word);
    if (word === '') return;
    this.hasMore = true;
    this.plan([0, ...(this.isWatched ? afterOutput : unwatched)]);
  }

  /**
   * Looks at these times from now on, in milliseconds; while asleep, only for the rest of what an ended shell wrote.
   */
  private plan(times: readonly number[], isInstead = false): void {
    if (this.isAsleep && this.line.exitCode === undefined) return;
    const now = this.line.now();
    const others = isInstead ? [] : this.looks;
    this.looks = [...others, ...times.map((ms) => now + ms)].toSorted((a, b) => a - b).slice(0, 12);
    this.line.stir();
  }
}

/** The lowest number of a piece of output. */
export function lowest(pieces: readonly string[]): number | undefined {
  const numbers = pieces.filter((name) => /^\d+$/.test(name)).map(Number);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}
