import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { ApiError } from '../../../api/http/errors';
import { Refusal } from '../../../core/basics/refusal';
import { programWords } from '../../../shared/thrown';
import { quoted } from '../../../shared/shellScript';
import { isAlive, makeScratch, scratch } from './scratch';
import type { TerminalPlace } from './terminalLine';
import { tunnelProgram } from './tunnelProgram';

/** Seconds without traffic after which the relay in the sandbox ends. */
const graceSeconds = 600;
/** Milliseconds before the first look for an answer, and between later ones. */
const looks = [20, 30, 50, 100, 250, 500];
/** Bytes after which the relay starts another file, and how many files it keeps for the reader. */
const pieceBytes = 1 << 20;
const ackEach = 4;
/**
 * After this many looks without an answer, checks whether the relay runs. That takes a command, which the server
 * stores.
 */
const fewMissing = 16;
/** After this many looks without an answer, two minutes, tells the relay that somebody still waits. */
const patientLooks = 240;
/** Characters of a relay’s own name, which ends its folder’s. */
const idLength = 12;
const noListener = 0xffffffff;
const exits = { noPython: 7, noFolder: 8, unsent: 9 };

/** Nothing listens on the port. */
export class NoListener extends Error {}

/** The relay isn’t there anymore. */
class RelayGone extends Error {
  /** @param wasSent whether it may have sent the request, which then isn’t sent again: it may have done something */
  constructor(readonly wasSent: boolean) {
    super();
  }
}

/** Takes part of the answer; settles when it can take more. */
type Take = (bytes: Uint8Array) => Promise<void>;

/**
 * Connections to a port of a sandbox that it doesn’t expose, through the files and the shell of its server: slow. What is
 * sent and answered is never stored as an event. The relay in the sandbox ends when it isn’t used, and is started again.
 */
export class SandboxTunnel {
  private count = 0;
  private hasEnded = false;
  private relay: Promise<string> | undefined;
  /** Uploads files to the relay’s folder, and would create that again if it’s gone. */
  private readonly busy = new Set<Promise<void>>();

  constructor(
    private readonly place: TerminalPlace,
    private readonly port: number,
    private readonly wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
  ) {}

  /** Starts the relay unless it runs; resolves to its folder. Throws a Refusal if there can’t be one, and ApiError. */
  async open(): Promise<string> {
    this.relay ??= this.start();
    try {
      return await this.relay;
    } catch (error) {
      this.relay = undefined;
      throw error;
    }
  }

  /**
   * Sends bytes on a new connection, and passes on the answer until the program closes it. Throws NoListener, a
   * Refusal, ApiError, and whatever `take` throws.
   */
  async exchange(sent: Uint8Array, take: Take, signal: AbortSignal): Promise<void> {
    try {
      await this.track(this.exchangeBy(await this.open(), sent, take, signal));
    } catch (error) {
      if (!(error instanceof RelayGone) || this.hasEnded) throw error;
      if (error.wasSent) return;
      await this.track(this.exchangeBy(await this.open(), sent, take, signal));
    }
  }

  /** Ends the relay and its open connections. */
  async close(): Promise<void> {
    this.hasEnded = true;
    const folder = await this.relay;
    await Promise.allSettled(this.busy);
    if (folder !== undefined) await this.remove(folder);
  }

  private async start(): Promise<string> {
    const { workspace, workingDir: cwd } = this.place;
    const id = randomBytes(idLength / 2).toString('hex');
    const command = `${makeScratch(`p/${id}`, exits.noFolder)}; d=$b/p/${id}
command -v python3 > /dev/null || { rm -rf "$d"; exit ${exits.noPython}; }
python3 -c ${quoted(tunnelProgram)} "$d" ${this.port} ${graceSeconds} < /dev/null`;
    const { exitCode, stdout, stderr } = await workspace.terminal.execute({ command, cwd });
    if (exitCode === exits.noPython)
      throw new Refusal(
        l10n.t('Showing a page that isn’t exposed needs Python in the sandbox, which has none.'),
      );
    if (exitCode !== 0 || stdout.trim() !== 'ok')
      throw new Refusal(
        l10n.t(
          'The sandbox couldn’t open the port: {0}',
          programWords(stderr.trim() || String(exitCode), 200),
        ),
      );
    return `${cwd === '/' ? '' : cwd}/.agent-workspace/p/${id}`;
  }

  private async exchangeBy(folder: string, sent: Uint8Array, take: Take, signal: AbortSignal): Promise<void> {
    const name = String((this.count += 1));
    const { terminal } = this.place.workspace;
    const tell = (what: string) => terminal.upload(`${folder}/k/${name}.${what}`, new Uint8Array());
    const head = Buffer.from(`${sent.length}\n`);
    await terminal.upload(`${folder}/k/${name}.q`, Buffer.concat([head, sent]), signal);
    try {
      for (let piece = 0; ; piece += 1) {
        if (piece > 0 && piece % ackEach === 0) await tell(`a${piece}`);
        if (await this.takePiece(folder, name, piece, take, signal)) break;
      }
    } catch (error) {
      if (error instanceof RelayGone) throw error;
      this.leave(() => tell('x'));
      throw error;
    }
    this.leave(() => tell('x'));
  }

  /** Tells the relay to forget a connection; nobody waits for that. */
  private leave(tell: () => Promise<void>): void {
    if (!this.hasEnded) this.track(tell()).catch(() => undefined);
  }

  private track(work: Promise<void>): Promise<void> {
    this.busy.add(work);
    const done = () => void this.busy.delete(work);
    work.then(done, done);
    return work;
  }

  /** Reads one file of an answer; resolves to whether it was the last. */
  private async takePiece(
    folder: string,
    name: string,
    piece: number,
    take: Take,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { terminal } = this.place.workspace;
    let [offset, quiet, missing] = [0, 0, 0];
    let rest: Buffer = Buffer.alloc(0);
    while (offset < pieceBytes) {
      if (this.hasEnded || signal.aborted) throw new NoListener();
      const bytes = await this.look(`${folder}/o/${name}.${piece}`, offset + rest.length, signal);
      if (!bytes?.length) {
        const isPatient = (quiet += 1) % patientLooks === 0;
        const isUnsure = isPatient || (!bytes && (missing += 1) % fewMissing === 0);
        if (isUnsure) await this.check(folder, name);
        if (isPatient) await terminal.upload(`${folder}/k/${name}.a${piece}`, new Uint8Array());
        await this.wait(looks[Math.min(quiet, looks.length) - 1] ?? 0);
        continue;
      }
      quiet = 0;
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 4) {
        const length = rest.readUInt32BE(0);
        if (length === 0) return true;
        if (length === noListener) throw new NoListener();
        if (rest.length < 4 + length) break;
        await take(rest.subarray(4, 4 + length));
        rest = rest.subarray(4 + length);
        offset += 4 + length;
      }
    }
    return false;
  }

  /** Undefined if the file doesn’t exist (yet). */
  private async look(file: string, offset: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      return await this.place.workspace.terminal.readFrom(file, offset, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * Throws if the relay is gone; an upload would create its folder again, and a restart of the sandbox leaves it. The
   * relay reads a request at once: one that is still there was never sent.
   */
  private async check(folder: string, name: string): Promise<void> {
    const command = `cd ${quoted(folder)} || exit; ! rm k/${name}.q 2>/dev/null || exit ${exits.unsent}
${isAlive('$(cat pid)', folder.slice(-idLength))}`;
    const { exitCode } = await this.place.workspace.terminal.execute({ command, cwd: this.place.workingDir });
    if (exitCode === 0) return;
    await this.remove(folder);
    if ((await this.relay?.catch(() => undefined)) === folder) this.relay = undefined;
    throw new RelayGone(exitCode !== exits.unsent);
  }

  private async remove(folder: string): Promise<void> {
    const { workspace, workingDir: cwd } = this.place;
    const parent = quoted(folder.slice(0, folder.lastIndexOf('/')));
    const command = `rm -rf ${quoted(folder)}; rmdir ${parent} 2>/dev/null
[ "$(ls -A ${scratch} 2>/dev/null)" != .gitignore ] || rm -rf ${scratch}`;
    await workspace.terminal.execute({ command, cwd });
  }
}
