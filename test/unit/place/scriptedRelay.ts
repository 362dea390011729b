import assert from 'node:assert/strict';
import type { TerminalRoutes } from '../../../src/api/agent/workspace';
import { ApiError } from '../../../src/api/http/errors';
import * as scripts from '../../../src/features/place/model/terminalScripts';
import type { FakeClock } from '../api/support/clock';

const keptPieces = 8;
const mebibyte = 1024 * 1024;
const textOf = (content: Uint8Array) => Buffer.from(content).toString('latin1');

/** What every scripted shell writes, so that a piece of it tells its place. */
export const written = Buffer.from(
  Array.from({ length: mebibyte * 1.5 }, (_, n) => (mebibyte * 16 + n).toString(36)).join(''),
);

/**
 * A sandbox without processes, in the time of a fake clock: its relays do what `relayProgram` does with the same files,
 * and its commands what the scripts do, which it knows by their text.
 */
export class ScriptedSandbox {
  readonly commands: string[] = [];
  /** In the scratch folder of terminals, by the names in it. */
  readonly files = new Map<string, { content: string; at: number }>();
  readonly relays = new Map<string, Relay>();
  /** Those that windows know: a request that comes late may open a terminal again that is gone. */
  readonly shells = new Map<string, Relay>();
  /** Shells that ended because no window gave a sign of life. */
  readonly expired: string[] = [];
  private isStill = false;
  private pausedAt = 0;
  private readonly held: (() => void)[] = [];

  /** @param segment bytes of a piece of output; small ones are lost sooner, as if no window had lived */
  constructor(
    readonly clock: FakeClock,
    readonly segment: number,
  ) {}

  get isPaused(): boolean {
    return this.isStill;
  }

  /** All processes stand still, and go on. */
  pause(isPaused: boolean): void {
    if (isPaused === this.isStill) return;
    this.isStill = isPaused;
    const now = this.clock.now();
    if (isPaused) this.pausedAt = now;
    else for (const relay of this.relays.values()) relay.slept(now - this.pausedAt);
    if (!isPaused) for (const late of this.held.splice(0)) late();
  }

  /** Runs something in the sandbox, once it’s due and not paused. */
  after(ms: number, callback: () => void): void {
    this.clock.after(ms, () => {
      if (this.isStill) this.held.push(callback);
      else callback();
    });
  }

  /** Names of what is left of a terminal. */
  named(start: string): string[] {
    return [...this.files.keys()].filter((name) => name.startsWith(start));
  }

  remove(start: string): void {
    for (const name of this.named(start)) this.files.delete(name);
  }

  /** Removes what a terminal left, and everything with the last one. */
  clear(id: string): void {
    this.remove(`${id}/`);
    if (!this.named('').some((name) => name.includes('/'))) this.remove('');
  }

  write(name: string, content: string): void {
    this.files.set(name, { content, at: this.clock.now() });
    const [id = '', folder] = name.split('/');
    if (folder === 'k') this.after(1, () => this.relays.get(id)?.look());
  }

  readonly routes: TerminalRoutes = {
    execute: ({ command }) => {
      this.commands.push(command);
      const [exitCode, stdout = ''] = this.answer(command);
      return Promise.resolve({ exitCode, stdout, stderr: '' });
    },
    wait: async ({ command }) => {
      this.commands.push(command);
      const [exitCode, stdout = ''] = await this.waited(command);
      return { exitCode, stdout, stderr: '' };
    },
    upload: (file, content) => {
      assert.ok(content.byteLength < 66_000);
      this.write(file.slice(file.indexOf('/t/') + 3), textOf(content));
      return Promise.resolve();
    },
    readFrom: (file, offset) => {
      const [, id = '', piece = ''] = /\/t\/(\w+)\/o\/(\d+)$/.exec(file) ?? assert.fail(file);
      const bytes = this.relays.get(id)?.piece(Number(piece));
      return bytes
        ? Promise.resolve(new Uint8Array(bytes.subarray(offset)))
        : Promise.reject(new ApiError('notFound', 'GET', '/api/file/download', { status: 404 }));
    },
  };

  /** The exit code of a script, and what it prints. */
  private answer(command: string): [number, string?] {
    const id = /\bt\/([0-9a-f]{12})\b/.exec(command)?.[1] ?? assert.fail(command);
    const relay = this.relays.get(id);
    const living = relay?.isAlive === true ? relay : undefined;
    const gone: [number] = [scripts.terminalExits.gone];
    const size = /"\$d" (\d+) (\d+) /.exec(command);
    if (size) {
      assert.equal(command, scripts.openScript(id, { cols: Number(size[1]), rows: Number(size[2]) }));
      return this.opened(id);
    }
    if (command === scripts.attachScript(id))
      return living && !living.hasExit ? [0, `${living.info}\n${living.kept}`] : gone;
    const pid = Number(/n=(\d+)/.exec(command)?.[1]);
    const client = /: > (\w+)\.bye/.exec(command)?.[1] ?? '';
    if (command === scripts.leaveScript(id, client, pid)) {
      if (living?.pid !== pid) this.after(3_000, () => this.clear(id));
      else if (this.named(`${id}/`).length > 0) this.write(`${id}/k/${client}.bye`, '');
      return [0];
    }
    if (command === scripts.removeScript(id)) {
      this.clear(id);
      return [0];
    }
    if (command === scripts.removeSoonScript(id)) {
      this.after(3_000, () => this.clear(id));
      return [0];
    }
    if (command === scripts.piecesScript(id)) return relay ? [0, relay.pieces.join('\n')] : [2];
    if (command === scripts.aliveScript(id, pid)) return living?.pid === pid ? [0] : gone;
    return assert.fail(command);
  }

  private opened(id: string): [number, string?] {
    const known = this.relays.get(id);
    if (known && this.named(`${id}/`).length > 0) return [0, known.info];
    const now = this.clock.now();
    for (const [name, { at }] of [...this.files]) {
      const [other = ''] = name.split('/');
      const relay = this.relays.get(other);
      const isFolder = name.includes('/');
      if (isFolder && relay?.isAlive !== true && (relay || now - at > 60_000)) this.files.delete(name);
    }
    const upload = this.files.get(`${id}.py`);
    if (upload) {
      this.files.delete(`${id}.py`);
      this.write('relay', upload.content);
    }
    if (!this.files.has('relay')) return [scripts.terminalExits.noRelay];
    const relay = new Relay(this, id, 100 + this.relays.size);
    this.relays.set(id, relay);
    return [0, relay.info];
  }

  private waited(command: string): Promise<[number, string?]> {
    const id = /\bt\/([0-9a-f]{12})\b/.exec(command)?.[1] ?? '';
    const [, piece, offset] = /o\/(\d+) 2>\/dev\/null \|\| echo 0\)" -gt (\d+)/.exec(command)!;
    const position = { piece: Number(piece), offset: Number(offset) };
    const pipe = /p=w\.([\w-]+);/.exec(command)?.[1] ?? '';
    const relay = this.relays.get(id);
    const gone: [number] = [scripts.terminalExits.gone];
    if (!relay || !relay.isAlive || this.named(`${id}/`).length === 0) return Promise.resolve(gone);
    assert.equal(command, scripts.waitScript(id, JSON.parse(relay.info) as never, position, pipe));
    if (relay.hasExit) return Promise.resolve([0, `${relay.code}`]);
    relay.lives();
    let rounds = 0;
    const answer = (): [number, string?] | undefined => {
      if (relay.hasExit) return [0, `${relay.code}`];
      if (relay.total > position.piece * this.segment + position.offset) return [0, '+'];
      if (!relay.isAlive) return gone;
      return rounds > 27 ? [0] : undefined;
    };
    return new Promise((resolve) => {
      const look = () => {
        const found = answer();
        if (!found) return;
        relay.waiting.delete(look);
        resolve(found);
      };
      const round = () => {
        rounds += 1;
        look();
        if (relay.waiting.has(look)) this.after(2_000, round);
      };
      relay.waiting.add(look);
      round();
    });
  }
}

/** A relay and its shell, which shows what is typed as one sign each of what all shells write. */
export class Relay {
  readonly waiting = new Set<() => void>();
  typed = '';
  total = 0;
  code: number | undefined;
  hasExit = false;
  isAlive = true;
  private lowest = 0;
  private acknowledged = 0;
  private wanted = 0;
  private grace = scripts.graceSeconds;
  private last: number;
  private expiries = 0;
  private readonly seen = new Map<string, number>();
  private readonly left = new Set<string>();

  constructor(
    private readonly sandbox: ScriptedSandbox,
    readonly id: string,
    readonly pid: number,
  ) {
    this.last = sandbox.clock.now();
    sandbox.write(`${id}/info`, this.info);
    this.expire();
  }

  get info(): string {
    return JSON.stringify({ pid: this.pid, child: this.pid + 1, segment: this.sandbox.segment });
  }

  get pieces(): number[] {
    const last = Math.ceil(this.total / this.sandbox.segment);
    return Array.from({ length: last - this.lowest }, (_, n) => this.lowest + n);
  }

  /** What the script for attaching prints of the output. */
  get kept(): string {
    return [this.total - this.lowest * this.sandbox.segment, ...this.pieces].join('\n');
  }

  piece(n: number): Buffer | undefined {
    if (!this.pieces.includes(n) || this.sandbox.named(`${this.id}/`).length === 0) return undefined;
    return written.subarray(n * this.sandbox.segment, Math.min(this.total, (n + 1) * this.sandbox.segment));
  }

  /** A sign of life from a window. */
  lives(): void {
    this.last = this.sandbox.clock.now();
  }

  /** Its sandbox was paused. */
  slept(ms: number): void {
    if (ms > 60_000) this.last += ms;
  }

  kill(): void {
    this.isAlive = false;
  }

  exit(code: number): void {
    if (this.code !== undefined || !this.isAlive) return;
    this.code = code;
    this.sandbox.after(50, () => {
      // Where its folder was removed, it ends without a word.
      this.isAlive &&= this.sandbox.named(`${this.id}/`).length > 0;
      if (!this.isAlive) return;
      this.hasExit = true;
      this.sandbox.write(`${this.id}/exit`, `${code}`);
      this.wake();
      this.finish(this.sandbox.clock.now() + 20_000);
    });
  }

  /** The shell writes more; with large pieces, no more than the windows can read. */
  print(size: number): void {
    this.wanted = Math.min(this.wanted + size, written.byteLength - this.total);
    this.pour();
  }

  /** Reads what was typed, as far as it’s there in order and whole. */
  look(): void {
    if (!this.isAlive) return;
    const { sandbox, id } = this;
    if (sandbox.named(`${id}/`).length === 0) this.exit(129);
    for (const name of sandbox.named(`${id}/k/`).toSorted()) {
      const [client = '', number = ''] = name.slice(id.length + 3).split('.');
      if (number === 'bye') this.left.add(client);
      else {
        const expected = (this.seen.get(client) ?? 0) + 1;
        if (Number(number) > expected) continue;
        if (Number(number) === expected) {
          if (!this.do(sandbox.files.get(name)!.content)) continue;
          this.left.delete(client);
          this.seen.set(client, expected);
        }
      }
      sandbox.files.delete(name);
    }
  }

  private do(content: string): boolean {
    const todo: (() => void)[] = [];
    for (let at = 0; ;) {
      const end = content.indexOf('\n', at);
      if (end < 0) return false;
      const [kind, value = ''] = content.slice(at, end).split(' ');
      at = end + 1;
      if (kind === '.') break;
      if (kind === 'i') {
        const bytes = content.slice(at, (at += Number(value)));
        if (bytes.length < Number(value)) return false;
        todo.push(() => this.type(bytes));
      }
      if (kind === 'a') todo.push(() => (this.acknowledged = Math.max(this.acknowledged, Number(value))));
      if (kind === 'g') todo.push(() => this.expire(Number(value)));
      if (kind === 'q') todo.push(() => this.exit(129));
    }
    // A relay looks how long nobody was there only after it has done all of it.
    this.lives();
    for (const work of todo) work();
    return true;
  }

  private type(bytes: string): void {
    if (this.code !== undefined) return;
    this.typed += bytes;
    this.sandbox.after(2, () => this.print(bytes.length));
  }

  private pour(): void {
    const { sandbox } = this;
    if (this.code !== undefined || !this.isAlive) return;
    while (this.wanted > 0) {
      const isFull = this.total - this.acknowledged > 4 * mebibyte;
      if (isFull && sandbox.segment === mebibyte && sandbox.clock.now() - this.last < 90_000) {
        sandbox.after(50, () => this.pour());
        break;
      }
      const size = Math.min(this.wanted, 65_536);
      this.total += size;
      this.wanted -= size;
    }
    this.lowest = Math.max(0, Math.ceil(this.total / sandbox.segment) - keptPieces);
    this.wake();
  }

  private wake(): void {
    for (const look of this.waiting) look();
  }

  /** Ends without a sign of life. */
  private expire(grace = this.grace): void {
    this.grace = grace;
    const left = this.last + grace * 1_000 - this.sandbox.clock.now();
    const round = (this.expiries += 1);
    if (left <= 0) {
      if (this.isAlive && this.code === undefined) this.sandbox.expired.push(this.id);
      this.exit(129);
    } else if (this.isAlive && this.code === undefined)
      this.sandbox.after(left, () => {
        if (round === this.expiries) this.expire();
      });
  }

  private finish(end: number): void {
    const { sandbox, id } = this;
    this.look();
    const isDone = this.seen.size > 0 && [...this.seen.keys()].every((client) => this.left.has(client));
    if (!this.isAlive) return;
    if (sandbox.clock.now() < end && !isDone && sandbox.named(`${id}/`).length > 0) {
      sandbox.after(200, () => this.finish(end));
      return;
    }
    this.isAlive = false;
    sandbox.clear(id);
  }
}
