import * as l10n from '@vscode/l10n';
import type { Clock } from '../../../api/http/clock';
import { Refusal } from '../../../core/basics/refusal';
import { createClipboardGuard, createReplay, isAnswer } from './replay';
import { SandboxTerminal } from './terminal';
import type { TerminalDesk, TerminalEnd } from './terminalLine';
import type { TerminalSize } from './terminalScripts';

/** How long an idle terminal keeps its sandbox from pausing, in milliseconds. */
const awakeMs = 10 * 60_000;

/** What a terminal of the editor provides to its session. */
export interface TerminalScreen {
  write: (text: string) => void;
  close: (exitCode: number) => void;
}

export interface SessionNeeds extends Pick<TerminalDesk, 'reach'> {
  clock: Pick<Clock, 'now' | 'after'>;
  /** Whether the sandbox is paused, as last known. */
  isAsleep: () => boolean;
  /** Resumes it. Throws a Refusal if that isn’t agreed to, and ApiError. */
  resume: () => Promise<unknown>;
  /** Whether the editor has the focus: of several that show a shell, one answers its programs. */
  isFocused: () => boolean;
  /** Whether shells live on without a terminal. */
  keepsRunning: () => boolean;
  describe: (error: unknown) => string;
  /** Called when a shell was opened or has ended. */
  changed: (id: string | undefined) => void;
}

/** How long a kept shell lives, in seconds. */
const keptSeconds = 7 * 24 * 60 * 60;

/** A terminal of the editor with the shells that it shows one after another, and the messages between them. */
export class TerminalSession {
  private terminal: SandboxTerminal | undefined;
  private size: TerminalSize = { cols: 80, rows: 24 };
  private ahead = '';
  /** What Enter does while there is no shell, or it can’t be reached. */
  private onEnter: (() => void) | undefined;
  private isAsleep = false;
  private isClosed = false;
  private cancelSleep: (() => void) | undefined;
  private readonly encoder = new TextEncoder();

  /** @param id of a shell that runs already */
  constructor(
    private readonly needs: SessionNeeds,
    private readonly screen: TerminalScreen,
    private id: string | undefined,
  ) {}

  open(size: TerminalSize | undefined): void {
    if (size) this.size = size;
    void this.start();
  }

  type(text: string): void {
    const { terminal, onEnter } = this;
    // What is typed to resume the sandbox isn’t input for the shell.
    if (onEnter) {
      if (/[\r\n]/.test(text)) onEnter();
      return;
    }
    if (isAnswer(text) && (terminal?.answersThere === true || !this.needs.isFocused())) return;
    this.stayAwake();
    if (terminal) terminal.type(this.encoder.encode(text));
    else this.ahead += text;
  }

  resize(size: TerminalSize): void {
    if (size.cols === this.size.cols && size.rows === this.size.rows) return;
    this.size = size;
    this.terminal?.resize(size);
  }

  /** Sets whether somebody may be looking. When they begin to, they see what happened. */
  watch(isWatched: boolean): void {
    this.terminal?.watch(isWatched);
    if (isWatched && this.isAsleep) this.stayAwake();
  }

  /** Says so at once that the sandbox is known to be paused. */
  giveUp(): void {
    this.terminal?.giveUp();
  }

  /** Whether a program runs in front of the shell, as far as that can be found out. */
  async isBusy(): Promise<boolean> {
    return (await this.terminal?.isBusy().catch(() => false)) === true;
  }

  /** Ends the shell. */
  async end(): Promise<void> {
    const { terminal } = this;
    this.terminal = undefined;
    this.close();
    await terminal?.end();
  }

  /** Leaves the shell as it is. */
  close(): void {
    this.isClosed = true;
    this.cancelSleep?.();
    this.terminal?.detach();
  }

  private async start(): Promise<void> {
    const { id } = this;
    this.onEnter = undefined;
    const desk = this.desk();
    try {
      const terminal = id
        ? await SandboxTerminal.attach(desk, id, this.size)
        : await SandboxTerminal.open(desk, this.size);
      if (this.isClosed) {
        if (id) terminal?.detach();
        else void terminal?.end();
        return;
      }
      if (terminal) this.begin(terminal, id === undefined);
      else this.lose(words.gone());
    } catch (error) {
      const reason = error instanceof Refusal ? error.message : this.needs.describe(error);
      this.offer(this.needs.isAsleep() ? words.paused() : reason, () => void this.start());
    }
  }

  private begin(terminal: SandboxTerminal, isNew: boolean): void {
    this.terminal = terminal;
    this.id = terminal.id;
    this.needs.changed(terminal.id);
    if (isNew) this.say(words.seen());
    if (this.needs.keepsRunning()) terminal.live(keptSeconds);
    terminal.resize(this.size);
    if (this.ahead !== '') terminal.type(this.encoder.encode(this.ahead));
    this.ahead = '';
    this.stayAwake();
  }

  private desk(): TerminalDesk {
    const { reach, clock, isAsleep } = this.needs;
    const decoder = new TextDecoder();
    const replay = createReplay();
    const guard = createClipboardGuard();
    return {
      reach,
      clock,
      isAsleep,
      on: {
        output: (bytes, isAgain) => {
          const text = decoder.decode(bytes, { stream: true });
          this.screen.write(guard.take(isAgain ? replay.take(text) : replay.take('', true) + text));
          if (!this.isAsleep) this.postpone();
        },
        skipped: () => this.say(words.skipped()),
        stalled: (reason) => this.stall(reason),
        ended: (how) => this.ended(how),
      },
    };
  }

  private ended(how: TerminalEnd): void {
    this.terminal = undefined;
    if (typeof how === 'object') {
      this.needs.changed(undefined);
      this.screen.close(how.exitCode);
    } else if (how === 'gone') this.lose(words.gone());
    else this.offer(words.noAccess(), () => void this.start());
  }

  private lose(message: string): void {
    this.id = undefined;
    // It was meant for the shell that is gone.
    this.ahead = '';
    this.needs.changed(undefined);
    this.offer(message, () => void this.start(), words.another());
  }

  private stall(reason: string | null): void {
    this.onEnter = undefined;
    if (reason === null) this.say(words.answers());
    else if (reason === '') this.say(words.silent());
    else this.offer(this.needs.isAsleep() ? words.paused() : reason, () => this.terminal?.hurry());
  }

  /** Says why there is no shell, and what Enter does about it. */
  private offer(message: string, again: () => void, then = words.again()): void {
    if (this.isClosed) return;
    this.cancelSleep?.();
    const isPaused = this.needs.isAsleep();
    this.say(`${message} ${isPaused ? words.resume() : then}`);
    this.onEnter = () => {
      this.onEnter = undefined;
      void this.go(isPaused, again).catch((error: unknown) => {
        this.offer(error instanceof Refusal ? error.message : this.needs.describe(error), again);
      });
    };
  }

  private async go(isPaused: boolean, again: () => void): Promise<void> {
    if (isPaused) {
      this.say(words.resuming());
      await this.needs.resume();
    }
    again();
  }

  private stayAwake(): void {
    if (this.isAsleep) {
      this.isAsleep = false;
      this.terminal?.wake();
    }
    this.postpone();
  }

  private postpone(): void {
    this.cancelSleep?.();
    this.cancelSleep = this.needs.clock.after(awakeMs, () => void this.maySleep());
  }

  private async maySleep(): Promise<void> {
    const { terminal } = this;
    const isBusy = await this.isBusy();
    if (!terminal || terminal !== this.terminal || this.onEnter || this.isClosed) return;
    if (isBusy) this.postpone();
    else {
      this.isAsleep = true;
      terminal.sleep();
      this.say(words.asleep());
    }
  }

  private say(text: string): void {
    if (!this.isClosed) this.screen.write(`\r\n\x1b[2m${text}\x1b[0m\r\n`);
  }
}

const words = {
  seen: () =>
    l10n.t(
      'The agent can see what happens in this terminal. Don’t type secrets here that it isn’t meant to know.',
    ),
  skipped: () => l10n.t('… Some output was left out.'),
  silent: () => l10n.t('The sandbox doesn’t answer. What you type is kept until it does.'),
  answers: () => l10n.t('The sandbox answers again.'),
  asleep: () => l10n.t('This terminal is asleep, so that the sandbox can pause. Press any key to continue.'),
  gone: () => l10n.t('This shell is gone: the sandbox was restarted, or the shell ended.'),
  noAccess: () => l10n.t('The sandbox doesn’t accept its key anymore.'),
  another: () => l10n.t('Press Enter to open a new one.'),
  again: () => l10n.t('Press Enter to try again.'),
  paused: () => l10n.t('The sandbox is paused.'),
  resume: () => l10n.t('Press Enter to resume it.'),
  resuming: () => l10n.t('Resuming the sandbox…'),
};
