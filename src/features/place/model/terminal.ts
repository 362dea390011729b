import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { programWords } from '../../../shared/thrown';
import { Refusal } from '../../../core/basics/refusal';
import { TerminalInput } from './terminalInput';
import { repeatedly, type TerminalDesk, TerminalLine, type TerminalPlace } from './terminalLine';
import { lowest, TerminalOutput } from './terminalOutput';
import {
  attachScript,
  busyScript,
  graceSeconds,
  isTerminalId,
  leaveScript,
  openScript,
  relayFor,
  removeScript,
  removeSoonScript,
  shellsScript,
  type TerminalInfo,
  type TerminalSize,
  terminalExits,
  uploadOf,
} from './terminalScripts';

/** How long a shell lives while its terminal sleeps, in seconds. */
const asleepSeconds = 24 * 60 * 60;

/** How long to keep trying to end a shell, in milliseconds. */
const endMs = 30_000;

const infoSchema = z.object({
  pid: z.int(),
  child: z.int(),
  segment: z.int().check(z.gte(1)),
  digits: z.optional(z.int().check(z.lte(9))),
  by: z.optional(z.string()),
});

/**
 * A shell in a sandbox. What is typed goes there in numbered files, which the relay reads once and removes: sent again
 * after a lost answer, it is typed once, and the server stores none of it.
 */
export class SandboxTerminal {
  private readonly line: TerminalLine;
  private readonly input: TerminalInput;
  private readonly output: TerminalOutput;
  private grace = graceSeconds;

  /**
   * @param first the first piece of output that is kept
   * @param kept bytes of output that are kept
   */
  private constructor(
    private readonly desk: TerminalDesk,
    place: TerminalPlace,
    readonly id: string,
    info: TerminalInfo,
    first = 0,
    kept = 0,
  ) {
    this.line = new TerminalLine(desk, place, id, info, (how) => this.leave(how === 'gone'));
    this.input = new TerminalInput(this.line, () => this.output.expect());
    const { client } = this.input;
    const read = first * info.segment;
    this.output = new TerminalOutput(this.line, client, read, read + kept, (bytes) =>
      this.input.send(`a ${bytes}`),
    );
    if (first > 0) desk.on.skipped();
    this.output.start();
  }

  /** Opens a new shell, only once, even if answers are lost. Throws ApiError, and a Refusal. */
  static async open(desk: TerminalDesk, size: TerminalSize): Promise<SandboxTerminal> {
    const place = await desk.reach();
    const id = randomBytes(6).toString('hex');
    const { workspace, workingDir: cwd } = place;
    const run = (command: string) => repeatedly(desk, () => workspace.terminal.execute({ command, cwd }));
    try {
      const command = openScript(id, size);
      let answer = await run(command);
      for (let tries = 0; tries < 3; tries += 1) {
        const relay = relayFor(answer.exitCode);
        if (!relay) break;
        const program = new TextEncoder().encode(relay.program);
        await repeatedly(desk, () => workspace.terminal.upload(uploadOf(cwd, id, relay.ending), program));
        answer = await run(command);
      }
      if (answer.exitCode === terminalExits.noTerminal)
        throw new Refusal(
          l10n.t('This sandbox has none of Python, tmux, and script. A terminal needs one of them.'),
        );
      const info = infoOf(answer.stdout);
      if (answer.exitCode !== 0 || !info) throw notOpened(answer.stderr);
      return new SandboxTerminal(desk, place, id, info);
    } catch (error) {
      // Nobody would use what was started. The key may be another one by now.
      void desk
        .reach()
        .then((now) =>
          repeatedly(desk, () =>
            now.workspace.terminal.execute({ command: removeScript(id), cwd: now.workingDir }),
          ),
        )
        .catch(() => undefined);
      throw error;
    }
  }

  /** Continues an open shell, from the oldest output that is kept; undefined if it has ended. */
  static async attach(
    desk: TerminalDesk,
    id: string,
    size: TerminalSize,
  ): Promise<SandboxTerminal | undefined> {
    if (!isTerminalId(id)) return undefined;
    const place = await desk.reach();
    const { workspace, workingDir: cwd } = place;
    const command = attachScript(id);
    const { exitCode, stdout } = await repeatedly(desk, () => workspace.terminal.execute({ command, cwd }));
    const [line = '', kept = '', ...pieces] = stdout.trim().split('\n');
    const info = infoOf(line);
    if (exitCode !== 0 || !info) return undefined;
    const terminal = new SandboxTerminal(desk, place, id, info, lowest(pieces), Number(kept));
    // Full-screen programs redraw when the size changes.
    terminal.resize({ ...size, cols: size.cols + 1 });
    terminal.resize(size);
    return terminal;
  }

  /** Whether programs’ questions to their terminal are answered in the sandbox. */
  get answersThere(): boolean {
    return this.line.info.by === 'tmux';
  }

  type(bytes: Uint8Array): void {
    this.wake();
    this.input.type(bytes);
  }

  resize({ cols, rows }: TerminalSize): void {
    this.input.send(`r ${cols} ${rows}`);
  }

  /** Ends the shell and its foreground program. */
  hangUp(): void {
    this.input.send('q');
  }

  /** Ends the shell, and then all requests; without an answer, the relay ends it later. */
  async end(): Promise<void> {
    this.hangUp();
    await Promise.race([
      this.input.idle,
      new Promise<void>((resolve) => {
        this.desk.clock.after(endMs, resolve);
      }),
    ]);
    this.detach();
  }

  /** How long the shell lives without hearing from here. */
  live(seconds: number): void {
    this.grace = Math.round(seconds);
    this.input.send(`g ${this.grace}`);
  }

  /** Whether somebody may be looking at the output. */
  watch(isWatched: boolean): void {
    this.output.isWatched = isWatched;
  }

  /** Stops all requests, so that the sandbox may pause, until something is typed. */
  sleep(): void {
    if (this.output.sleep(true)) this.input.send(`g ${Math.max(asleepSeconds, this.grace)}`);
  }

  wake(): void {
    if (this.output.sleep(false)) this.live(this.grace);
  }

  /** Retries at once what failed. */
  hurry(): void {
    this.line.hurry();
  }

  /** Ends what waits for an answer, once the sandbox is known to be paused. */
  giveUp(): void {
    this.line.giveUp();
  }

  /** Whether a program runs in front of the shell. Throws ApiError. */
  async isBusy(): Promise<boolean> {
    const { stdout } = await this.line.run(busyScript(this.line.info.child));
    return stdout.trim() === 'busy';
  }

  /** Stops all requests; the shell lives on until it gets no sign of life anymore. */
  detach(): void {
    this.line.end(undefined);
  }

  /**
   * Gives up the terminal’s files: the relay removes them once all windows have read the rest; if the relay is gone,
   * they’re removed now.
   */
  private leave(isGone: boolean): void {
    const { line, input, output, desk } = this;
    const last = isGone ? removeSoonScript(this.id) : leaveScript(this.id, input.client, line.info.pid);
    void Promise.all([input.idle, output.idle])
      .then(() => repeatedly(desk, () => line.run(last)))
      .catch(() => undefined);
  }
}

/** The shells that run in a sandbox, by the names of their terminals, and whether a program runs in front of each. */
export async function runningShells({
  workspace,
  workingDir: cwd,
}: TerminalPlace): Promise<{ id: string; isBusy: boolean }[]> {
  const { stdout } = await workspace.terminal.execute({ command: shellsScript, cwd });
  return stdout
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([id = '', word]) => (isTerminalId(id) ? [{ id, isBusy: word === 'busy' }] : []));
}

function infoOf(line: string): TerminalInfo | undefined {
  try {
    return infoSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function notOpened(output: string): Refusal {
  const reason = programWords(output.trim().split('\n').at(-1) ?? '', 200);
  return new Refusal(
    reason === ''
      ? l10n.t('The sandbox couldn’t open a terminal. Check that its folder can be written to.')
      : l10n.t('The sandbox couldn’t open a terminal: {0}', reason),
  );
}
