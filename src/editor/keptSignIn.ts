import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Clock, systemClock } from '../api/http/clock';
import type { DeviceAuthorization } from '../api/service/deviceSignIn';
import { signInSecret, stateIds } from '../ids';
import type { Connection } from '../shared/connection';
import { inTime, storageLimitMs } from './secretStorage';

const noted = z.object({
  connection: z.custom<Connection>(
    (value) =>
      z.object({ name: z.string(), baseUrl: z.string(), origin: z.string() }).safeParse(value).success,
  ),
  userCode: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
});

const codes = z.object({ deviceCode: z.string(), userCode: z.string(), intervalMs: z.number() });

/** No code is valid longer: `deviceSignIn` sees to that. */
const longestLifeMs = 3_600_000;

/** A sign-in that a window waited for when it was reloaded. */
interface LeftSignIn {
  connection: Connection;
  /** What it continues with; undefined if its code is lost. */
  begun: DeviceAuthorization | undefined;
}

/**
 * The sign-in that this window waits for, kept over a reload: in the browser, its code stays valid. One code at most is in
 * the secret storage, of the window that began last. Never rejects.
 */
export class KeptSignIn {
  constructor(
    private readonly memento: vscode.Memento,
    private readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>,
    private readonly clock: Pick<Clock, 'now' | 'date'> = systemClock,
    private readonly limitMs = storageLimitMs,
  ) {}

  async keep(connection: Connection, begun: DeviceAuthorization): Promise<void> {
    const { deviceCode, userCode, intervalMs, expiresAt } = begun;
    const until = this.clock.date() + expiresAt - this.clock.now();
    const code = JSON.stringify({ deviceCode, userCode, intervalMs });
    await this.attempt(() => this.secrets.store(signInSecret, code));
    await this.attempt(() => this.memento.update(stateIds.signIn, { connection, userCode, until }));
  }

  async forget(): Promise<void> {
    const own = noted.safeParse(this.memento.get(stateIds.signIn)).data?.userCode;
    await this.attempt(() => this.memento.update(stateIds.signIn, undefined));
    // Another window may have begun since.
    const stored = codesIn(await this.attempt(() => this.secrets.get(signInSecret)));
    if (stored?.userCode === own) await this.attempt(() => this.secrets.delete(signInSecret));
  }

  /** The one that was under way, once; undefined if there was none, or its code has expired. */
  async take(): Promise<LeftSignIn | undefined> {
    const left = noted.safeParse(this.memento.get(stateIds.signIn)).data;
    const stored = await this.attempt(() => this.secrets.get(signInSecret));
    await this.attempt(() => this.memento.update(stateIds.signIn, undefined));
    // The clock may have been set back since.
    const leftMs = Math.min((left?.until ?? 0) - this.clock.date(), longestLifeMs);
    if (!left || leftMs <= 0) return undefined;
    const kept = codesIn(stored);
    const isOwn = kept?.userCode === left.userCode;
    const expiresAt = this.clock.now() + leftMs;
    return {
      connection: left.connection,
      begun: isOwn ? { ...kept, expiresAt, page: undefined } : undefined,
    };
  }

  private async attempt<T>(work: () => Thenable<T>): Promise<T | undefined> {
    return inTime(work, '', this.limitMs).catch(() => undefined);
  }
}

function codesIn(stored: string | undefined): z.infer<typeof codes> | undefined {
  try {
    return codes.safeParse(JSON.parse(stored ?? '')).data;
  } catch {
    return undefined;
  }
}
