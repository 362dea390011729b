import type { Clock } from './clock';

const windowMs = 1_000;
const freely = 10;
const atMost = 20;

/** How long a delayed request waits, in milliseconds. */
export const rateLimitDelay = 1_000;

/** Counts requests per client address over the last second, including refused ones. */
export class RateLimiter {
  private readonly history = new Map<string, number[]>();

  constructor(private readonly clock: Clock) {}

  /** Counts one request and decides what happens to it. */
  take(address: string): 'pass' | 'delay' | 'refuse' {
    const now = this.clock.now();
    const recent = (this.history.get(address) ?? []).filter((time) => time > now - windowMs);
    recent.push(now);
    this.history.set(address, recent);
    if (recent.length > atMost) return 'refuse';
    return recent.length > freely ? 'delay' : 'pass';
  }

  clear(): void {
    this.history.clear();
  }
}
