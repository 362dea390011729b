import type { TerminalRoutes } from '../../../src/api/agent/workspace';
import type { Refusal } from '../../../src/core/basics/refusal';
import { SandboxTerminal } from '../../../src/features/place/model/terminal';
import type {
  TerminalDesk,
  TerminalEnd,
  TerminalPlace,
} from '../../../src/features/place/model/terminalLine';
import { settled } from '../../support/settled';
import { FakeClock } from '../api/support/clock';

interface Answer {
  exitCode: number;
  stdout: string;
  stderr: string;
}
const nothing: Answer = { exitCode: 0, stdout: '', stderr: '' };
export const segment = 1 << 20;
export const info = { pid: 70, child: 71, segment };

/** A sandbox that answers as a test says, in the time of a fake clock, and what a terminal there shows. */
export class ScriptedDesk {
  readonly clock = new FakeClock();
  readonly commands: string[] = [];
  /** When output was read, in milliseconds, and from where: the piece and the offset. */
  readonly reads: string[] = [];
  /** When a long request for output began. */
  readonly waits: number[] = [];
  /** What was uploaded, with the time. */
  readonly uploads: string[] = [];
  /** What the terminal said of itself. */
  readonly said: string[] = [];
  shown = '';
  again = '';
  reached = 0;
  end: TerminalEnd | undefined;
  isAsleep = false;
  /** What was uploaded and read, without the names that are given by chance. */
  readonly files = new Set<string>();
  /** Output by piece. */
  read: (piece: number, offset: number) => Promise<Uint8Array> = () => Promise.resolve(new Uint8Array());
  execute: (command: string) => Partial<Answer> | Promise<Partial<Answer>> = () => ({});
  upload: () => Promise<void> = () => Promise.resolve();
  reach: () => Error | undefined = () => undefined;
  private readonly waiting: ((answer: Answer | Error) => void)[] = [];
  private place: TerminalPlace;

  constructor(private readonly workingDir = '/work') {
    this.place = this.newPlace();
  }

  readonly desk: TerminalDesk = {
    reach: () => {
      this.reached += 1;
      const error: Error | Refusal | undefined = this.reach();
      return error ? Promise.reject(error) : Promise.resolve(this.place);
    },
    clock: this.clock,
    isAsleep: () => this.isAsleep,
    on: {
      output: (bytes, isAgain) => {
        const text = bytes.byteLength > 1_000 ? '' : Buffer.from(bytes).toString();
        if (isAgain) this.again += text;
        else this.shown += text;
      },
      skipped: () => void this.said.push('skipped'),
      stalled: (reason) => void this.said.push(reason === null ? 'answers' : `stalled ${reason}`.trim()),
      ended: (how) => (this.end = how),
    },
  };

  /** A shell that has just been opened. */
  async open(size = { cols: 80, rows: 24 }): Promise<SandboxTerminal> {
    const { execute } = this;
    this.execute = () => ({ stdout: JSON.stringify(info) });
    const terminal = await SandboxTerminal.open(this.desk, size);
    this.execute = execute;
    this.commands.length = 0;
    this.reached = 0;
    await settled();
    return terminal;
  }

  /** Answers the long request for output. */
  async tell(answer: Partial<Answer> | Error): Promise<void> {
    this.waiting.shift()?.(answer instanceof Error ? answer : { ...nothing, ...answer });
    await settled();
  }

  /** The sandbox is at another address from now on. */
  move(): void {
    this.place = this.newPlace();
  }

  /** The times of all reads so far, which are forgotten. */
  readTimes(): number[] {
    return this.reads.splice(0).map((one) => Math.round(Number(one.split(' ')[0])));
  }

  private newPlace(): TerminalPlace {
    const { clock } = this;
    const run = async ({ command }: { command: string }) => {
      this.commands.push(command);
      return { ...nothing, ...(await this.execute(command)) };
    };
    const terminal: TerminalRoutes = {
      execute: run,
      wait: () => {
        this.waits.push(clock.now());
        return new Promise((resolve, reject) => {
          this.waiting.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
        });
      },
      upload: (file, content) => {
        this.files.add(file.replaceAll(/[0-9a-f]{12}/g, 'ID'));
        const name = file.slice(file.lastIndexOf('/') + 1);
        this.uploads.push(`${clock.now()} ${name.split('.').at(-1)} ${Buffer.from(content).toString()}`);
        return this.upload();
      },
      readFrom: (file, offset) => {
        this.files.add(file.replaceAll(/[0-9a-f]{12}/g, 'ID'));
        const piece = Number(file.slice(file.lastIndexOf('/') + 1));
        this.reads.push(`${clock.now()} ${piece}+${offset}`);
        return this.read(piece, offset);
      },
    };
    return { workingDir: this.workingDir, workspace: { terminal } };
  }
}
