/** Replaces the editor's native watchdog: ends this process soon after the one that started it has ended. */
export function start(parent: number): void {
  setInterval(() => {
    try {
      process.kill(parent, 0);
    } catch {
      process.exit(87);
    }
  }, 1000).unref();
}

export function exit(code = 0): void {
  process.exit(code);
}
