import type { ApiClient } from '../../api/service/client';
import { checkConnection } from '../../api/service/connectionCheck';
import { type ApiError, refusesKey } from '../../api/http/errors';
import type { Connection } from '../../shared/connection';
import { coalesce } from '../basics/coalesce';
import { Emitter, type Disposable } from '../basics/emitter';
import { same } from '../../shared/same';

/**
 * What this window is connected to. Immutable: every change is a new object, created only by `SessionStore`. A result
 * belongs to the session with the `client` that requested it, and is dropped if that is no longer the current one.
 */
export type Session =
  /** No connection is configured. */
  | { readonly kind: 'none' }
  /** A connection without a session key on this computer. */
  | { readonly kind: 'noKey'; readonly connection: Connection }
  /** Key and address are known, but the service hasn't confirmed them yet. */
  | { readonly kind: 'connecting'; readonly connection: Connection; readonly client: ApiClient }
  | {
      readonly kind: 'ready';
      readonly connection: Connection;
      readonly client: ApiClient;
      /** The service has no settings for this user yet. Some releases fail until it has. */
      readonly neverSaved?: true;
    }
  /** `refused`: the service answered 401 or 403. The key is kept anyway, because a 401 can have other causes. */
  | {
      readonly kind: 'refused' | 'unreachable';
      readonly connection: Connection;
      readonly client: ApiClient;
      readonly error: ApiError;
    };

/** The client of a session; undefined if it has none. */
export function clientOf(session: Session): ApiClient | undefined {
  return 'client' in session ? session.client : undefined;
}

/** Why the service can't be used: the error's reason; undefined if no error is known. */
export function reasonOf(session: Session): string | undefined {
  return 'error' in session ? session.error.reason : undefined;
}

/** What the window should be connected to, according to the settings, the window's choice, and the stored keys. */
export interface SessionTarget {
  connection: Connection;
  sessionKey: string | undefined;
}

export interface SessionDependencies {
  /** Reads the current target; undefined if no connection is configured. */
  readTarget: () => Promise<SessionTarget | undefined>;
  createClient: (connection: Connection, sessionKey: string) => ApiClient;
  /** Records the origins where saved settings were read. */
  seen?: { add: (baseUrl: string) => void };
}

/** The single writer of the session. */
export class SessionStore implements Disposable {
  private session: Session = { kind: 'none' };
  /** What the session was opened with. */
  private target: SessionTarget | undefined;
  private verification: { client: ApiClient; done: Promise<void>; abort: AbortController } | undefined;
  private readonly changed = new Emitter<Session>();
  /** Fires after every change, with the new session. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: SessionDependencies) {}

  get current(): Session {
    return this.session;
  }

  /** Reads connection and key again, and opens a new session if either has changed. */
  readonly reload = coalesce(async () => this.adopt(await this.dependencies.readTarget()));

  private adopt(target: SessionTarget | undefined): void {
    const isSame = same(target, this.target);
    // A key that was cleared and entered again needs a new client.
    if (isSame && clientOf(this.session)?.ended?.aborted !== true) return;
    const session = this.sessionWith(target);
    this.target = target;
    this.set(session);
  }

  private sessionWith(target: SessionTarget | undefined): Session {
    if (target === undefined) return { kind: 'none' };
    const { connection, sessionKey } = target;
    if (sessionKey === undefined) return { kind: 'noKey', connection };
    return { kind: 'connecting', connection, client: this.dependencies.createClient(connection, sessionKey) };
  }

  /**
   * Asks the service whether address and key are correct, one check at a time, and sets the session to `ready`,
   * `refused`, or `unreachable`. Never rejects.
   */
  verify(): Promise<void> {
    const client = clientOf(this.session);
    if (!client) return Promise.resolve();
    if (this.verification?.client === client) return this.verification.done;
    const abort = new AbortController();
    const verification = {
      client,
      abort,
      done: this.runVerification(client, abort.signal).finally(() => {
        if (this.verification === verification) this.verification = undefined;
      }),
    };
    this.verification = verification;
    return verification.done;
  }

  /** Cancels a check in progress. */
  dispose(): void {
    this.verification?.abort.abort();
    this.verification = undefined;
  }

  private async runVerification(client: ApiClient, signal: AbortSignal): Promise<void> {
    const check = await checkConnection(client, signal);
    if (check.kind === 'ok') this.dependencies.seen?.add(client.baseUrl);
    if ('error' in check) {
      this.report(client, check.error);
      return;
    }
    const { session } = this;
    if (!('client' in session) || session.client !== client || session.kind === 'ready') return;
    const more = check.kind === 'neverSaved' && ({ neverSaved: true } as const);
    this.set({ kind: 'ready', connection: session.connection, client, ...more });
  }

  /** Records that the lists of `client` were read: whatever the service needs saved first, it’s there. */
  worked(client: ApiClient): void {
    const { session } = this;
    if (session.kind !== 'ready' || session.client !== client || !session.neverSaved) return;
    this.set({ kind: 'ready', connection: session.connection, client });
  }

  /** Records an error that says something about the whole connection; ignores one of a previous client. */
  report(client: ApiClient, error: ApiError): void {
    if (!('client' in this.session) || this.session.client !== client) return;
    // A request that this window ended says nothing about the service.
    if (error.reason === 'canceled' || error.reason === 'keyRevoked') return;
    const kind = refusesKey(error) ? 'refused' : 'unreachable';
    this.set({ kind, connection: this.session.connection, client, error });
  }

  private set(session: Session): void {
    // From now on, the key of a previous client isn't sent anywhere.
    if (this.verification?.client !== clientOf(session)) this.dispose();
    this.session = session;
    this.changed.fire(session);
  }
}
