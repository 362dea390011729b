import { randomBytes } from 'node:crypto';
import type { TerminalLine } from './terminalLine';

/** Most bytes of input in one request. */
const largestInput = 64 * 1024;

/**
 * What is typed, on its way to the relay: in numbered files, one after the other, each sent until it is known to have
 * arrived. The relay reads each number once.
 */
export class TerminalInput {
  /** Names this window’s input among that of others. */
  readonly client = randomBytes(6).toString('hex');
  private readonly frames: Uint8Array[] = [];
  private sent = 0;
  private isSending = false;
  private sending = Promise.resolve();

  /** @param arriving called when something is about to arrive */
  constructor(
    private readonly line: TerminalLine,
    private readonly arriving: () => void,
  ) {}

  /** Resolves once nothing is being sent. */
  get idle(): Promise<void> {
    return this.sending;
  }

  type(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.byteLength; at += largestInput) {
      const part = bytes.subarray(at, at + largestInput);
      this.send(Buffer.concat([Buffer.from(`i ${part.byteLength}\n`), part]));
    }
  }

  send(frame: string | Uint8Array): void {
    if (this.line.hasEnded() || this.line.exitCode !== undefined) return;
    this.frames.push(typeof frame === 'string' ? Buffer.from(`${frame}\n`) : frame);
    if (!this.isSending) this.sending = this.sendAll();
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    // Input from the same moment is sent together.
    await Promise.resolve();
    while (this.frames.length > 0 && !this.line.hasEnded()) {
      const frames: Uint8Array[] = [];
      let size = 0;
      for (const next of this.frames) {
        if (size + next.byteLength > largestInput + 16) break;
        frames.push(next);
        size += next.byteLength;
      }
      this.frames.splice(0, frames.length);
      await this.sendFile(Buffer.concat([...frames, Buffer.from('.\n')]));
    }
    this.isSending = false;
  }

  private async sendFile(content: Uint8Array): Promise<void> {
    const { line } = this;
    this.sent += 1;
    const name = `${this.client}.${String(this.sent).padStart(10, '0')}`;
    for (let tries = 1; !line.hasEnded(); tries += 1) {
      this.arriving();
      // A file for a relay that is gone would stay, with what was typed.
      if (tries > 1 && !(await line.isAlive())) return;
      const attempt = line.attempt('input');
      try {
        await line.ask(() => attempt.routes.upload(`${line.folder}/k/${name}`, content));
        line.answered(attempt);
        return;
      } catch (error) {
        await line.failed(error, tries, attempt);
      }
    }
  }
}
