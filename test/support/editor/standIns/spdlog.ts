import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Replaces the editor's native logging module: same interface, same lines in the same files, but written at once
 * instead of in the background. Files don't rotate, since no test editor lives that long.
 */
export const version = 0;

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

export function setLevel(): void {
  // Each logger has its own level.
}

export function setFlushOn(): void {
  // Every line is flushed.
}

export class Logger {
  private level = levels.indexOf('info');
  private plain = false;

  constructor(
    _type: string,
    private readonly name: string,
    private readonly file: string,
  ) {
    mkdirSync(path.dirname(file), { recursive: true });
  }

  trace(message: string): void {
    this.write(0, message);
  }

  debug(message: string): void {
    this.write(1, message);
  }

  info(message: string): void {
    this.write(2, message);
  }

  warn(message: string): void {
    this.write(3, message);
  }

  error(message: string): void {
    this.write(4, message);
  }

  critical(message: string): void {
    this.write(5, message);
  }

  getLevel(): number {
    return this.level;
  }

  setLevel(level: number): void {
    this.level = level;
  }

  /** The editor only ever sets the pattern that `write` uses. */
  setPattern(): void {
    this.plain = false;
  }

  clearFormatters(): void {
    this.plain = true;
  }

  flush(): void {
    // Every line is flushed.
  }

  drop(): void {
    // No file is kept open.
  }

  private write(level: number, message: string): void {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const line = this.plain ? message : `${time} [${levels[level] ?? this.name}] ${message}\n`;
    try {
      appendFileSync(this.file, line);
    } catch {
      // The data folder of a test editor may be removed while the editor is ending.
    }
  }
}

async function create(name: string, file: string): Promise<Logger> {
  return Promise.resolve(new Logger('', name, file));
}

export { create as createAsyncRotatingLogger, create as createRotatingLogger };
