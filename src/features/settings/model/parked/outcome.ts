import type { Json } from '../../../../shared/json';
import type { ParkableServer, ParkedServer, TakenServer } from '../../../../shared/parked';
import type { SaveOutcome, SettingsDocument } from '../document';
import type { SaveOptions } from '../saveOutcome';

/** The store of parked servers. Throws Errors with a message for the user, without secrets. */
export interface ParkedStore {
  /** Stores the whole server, or throws and stores nothing. */
  park(baseUrl: string, server: ParkableServer, wire: Json): Promise<ParkedServer>;
  /** Reads without removing. Throws if the secrets can't be read right now, even if they may exist. */
  take(baseUrl: string, id: string): Promise<TakenServer | undefined>;
  /** Throws if the server is still there; returns false if only its secrets may be. */
  remove(baseUrl: string, id: string): Promise<boolean>;
}

/** What parking and restoring work with. */
export interface Parking {
  document: SettingsDocument;
  store: ParkedStore;
  baseUrl: string;
  options?: Pick<SaveOptions, 'confirmed'> & {
    /** The user agreed to restore the server without its secrets. */
    withoutSecrets?: boolean;
  };
}

/** A save that stored nothing; the caller reports it like any other. */
export type NotSaved = Exclude<SaveOutcome, { kind: 'saved' }>;

/**
 * The outcome of parking or restoring. The server is in one place or, if that's uncertain, in both, but never in none.
 * `message` and `notes` are for the user.
 */
export type ParkingOutcome =
  /** The server is where it should be. Without a document, the settings have to be read again. */
  | { kind: 'done'; document: SettingsDocument | undefined; parked: ParkedServer; notes: string[] }
  /** It's parked, and the service has or may have it too. `isOperators`: it's in the administrator's configuration. */
  | {
      kind: 'both';
      document: SettingsDocument | undefined;
      parked: ParkedServer;
      message: string;
      isOperators?: true;
    }
  /** Nothing was done: the secrets in `names` can't be read, so it would be restored without them. Ask the user. */
  | { kind: 'secretsGone'; parked: ParkedServer; names: string[] }
  /** Nothing was done. */
  | { kind: 'refused'; message: string; isOperators?: true }
  /** Nothing was stored. `notes` says what else to know. */
  | { kind: 'notSaved'; save: NotSaved; notes: string[] };
