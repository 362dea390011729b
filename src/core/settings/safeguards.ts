import type { Json } from '../../shared/json';

/** A window's turn to change the settings of one service. */
export interface Hold {
  /** False once another window took over because this one stopped renewing, for example while the computer slept. */
  isHeld(): boolean;
  /** Releases the lock, unless another window has it. */
  release(): void;
}

/** Lets one window of this user change the settings of a service at a time. */
export interface SettingsLock {
  /**
   * Waits for a turn at `origin`, for a bounded time. Undefined if another window keeps the lock. If no lock is
   * possible at all, resolves at once: the lock only makes a rare loss rarer.
   */
  take(origin: string): Promise<Hold | undefined>;
}

/**
 * The base URLs where saved settings were seen, by any window. Kept for good: a service there that says "none saved"
 * isn't believed until the user agrees.
 */
interface SeenSettings {
  has(baseUrl: string): boolean;
  add(baseUrl: string): void;
  /** The user agreed that the service no longer has settings. */
  delete(baseUrl: string): void;
}

/**
 * MCP servers with their secrets that the user lets this computer keep, for services that hide them and need them all for
 * a change to one.
 */
interface KeptServers {
  /** As `mcp_config`; undefined if none are kept, null if they can't be read now. Never rejects. */
  read(baseUrl: string): Promise<Json | undefined>;
  /** Replaces what is kept. False if it couldn't be stored. Never rejects. */
  write(baseUrl: string, config: Json): Promise<boolean>;
}

/** Protects a service's settings across forms and windows. */
export interface Safeguards {
  readonly lock: SettingsLock;
  readonly seen: SeenSettings;
  readonly kept: KeptServers;
}
