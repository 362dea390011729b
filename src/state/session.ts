import type { ApiClient } from '../api/client';
import { checkConnection } from '../api/connectionCheck';
import type { ApiError } from '../api/errors';
import type { Connection } from '../shared/connection';
import { coalesce } from './coalesce';
import { Emitter } from './emitter';

/**
 * What this window is connected to. Immutable: every change is a new object, written by `SessionStore` alone. A result
 * belongs to the session whose `client` it was asked with; when that is no longer the present one, it is dropped.
 */
export type Session =
  /** No connection is configured. */
  | { readonly kind: 'none' }
  /** A connection without a session key on this computer. */
  | { readonly kind: 'noKey'; readonly connection: Connection }
  /** Key and address are there; the service has not confirmed them yet. */
  | { readonly kind: 'connecting'; readonly connection: Connection; readonly client: ApiClient }
  | { readonly kind: 'ready'; readonly connection: Connection; readonly client: ApiClient }
  /** The service answered 401 or 403. The key is kept all the same: a 401 has other meanings too. */
  | {
      readonly kind: 'refused' | 'unreachable';
      readonly connection: Connection;
      readonly client: ApiClient;
      readonly error: ApiError;
      /** True when the service was seen to be of a newer generation that this client does not speak. */
      readonly newerGeneration: boolean;
    };

/** The present client, where the session has one. */
export function clientOf(session: Session): ApiClient | undefined {
  return 'client' in session ? session.client : undefined;
}

/** What the window should be connected to: the answer of the settings, the window's choice and the stored keys. */
export interface SessionTarget {
  connection: Connection;
  sessionKey: string | undefined;
}

export interface SessionDependencies {
  /** Reads the target afresh; undefined when no connection is configured. */
  readTarget: () => Promise<SessionTarget | undefined>;
  createClient: (connection: Connection, sessionKey: string) => ApiClient;
}

/** The single writer of the session. */
export class SessionStore {
  private session: Session = { kind: 'none' };
  private sessionKey: string | undefined;
  private verification: { client: ApiClient; done: Promise<void> } | undefined;
  private readonly changed = new Emitter<Session>();
  /** Fires after every change, with the new session. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: SessionDependencies) {}

  get current(): Session {
    return this.session;
  }

  /** Reads connection and key again and opens a new session when either changed. */
  readonly reload = coalesce(async () => this.adopt(await this.dependencies.readTarget()));

  private adopt(target: SessionTarget | undefined): void {
    if (target === undefined) {
      if (this.session.kind !== 'none') this.set({ kind: 'none' }, undefined);
      return;
    }
    const { connection, sessionKey } = target;
    const present = 'connection' in this.session ? this.session.connection : undefined;
    if (present && JSON.stringify(present) === JSON.stringify(connection) && sessionKey === this.sessionKey) {
      return;
    }
    this.set(
      sessionKey === undefined
        ? { kind: 'noKey', connection }
        : {
            kind: 'connecting',
            connection,
            client: this.dependencies.createClient(connection, sessionKey),
          },
      sessionKey,
    );
  }

  /**
   * Asks the service whether address and key are right, once at a time, and moves the session to `ready`, `refused` or
   * `unreachable`. Never rejects.
   */
  verify(): Promise<void> {
    const client = clientOf(this.session);
    if (!client) return Promise.resolve();
    if (this.verification?.client === client) return this.verification.done;
    const verification = {
      client,
      done: this.runVerification(client).finally(() => {
        if (this.verification === verification) this.verification = undefined;
      }),
    };
    this.verification = verification;
    return verification.done;
  }

  private async runVerification(client: ApiClient): Promise<void> {
    const check = await checkConnection(client);
    if (clientOf(this.session) !== client) return;
    if (check.kind === 'ok' || check.kind === 'neverSaved') this.confirm(client);
    else this.report(client, check.error, check.kind === 'newerGeneration');
  }

  /** Records that the service accepted `client`. */
  private confirm(client: ApiClient): void {
    if (!('client' in this.session) || this.session.kind === 'ready') return;
    this.set({ kind: 'ready', connection: this.session.connection, client }, this.sessionKey);
  }

  /** Records an error that says something about the whole connection; ignored when `client` is a former one. */
  report(client: ApiClient, error: ApiError, newerGeneration = false): void {
    if (!('client' in this.session) || this.session.client !== client || error.reason === 'cancelled') return;
    const kind = error.reason === 'unauthorized' || error.reason === 'forbidden' ? 'refused' : 'unreachable';
    this.set({ kind, connection: this.session.connection, client, error, newerGeneration }, this.sessionKey);
  }

  private set(session: Session, sessionKey: string | undefined): void {
    this.session = session;
    this.sessionKey = sessionKey;
    this.changed.fire(session);
  }
}
