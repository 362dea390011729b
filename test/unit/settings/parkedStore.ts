import type { Json } from '../../../src/shared/json';
import {
  secretNames,
  type ParkableServer,
  type ParkedServer,
  type TakenServer,
} from '../../../src/shared/parked';
import type { ParkedStore } from '../../../src/features/settings/model/parking';

/** Keeps parked servers in memory as strings, and fails on request. */
export class MemoryStore implements ParkedStore {
  readonly entries = new Map<string, string>();
  readonly secrets = new Map<string, string>();
  fails: 'park' | 'take' | 'remove' | undefined;
  /** Whether secrets stay when their server is removed. */
  keepsSecrets = false;
  private count = 0;

  list(baseUrl: string): ParkedServer[] {
    const entries = [...this.entries].filter(([key]) => key.startsWith(`${baseUrl}#`));
    return entries.map(([, text]) => JSON.parse(text) as ParkedServer);
  }

  park(baseUrl: string, server: ParkableServer, wire: Json): Promise<ParkedServer> {
    return this.attempt('park', () => {
      const parked = { ...server, id: String((this.count += 1)), parkedAt: '2030-01-01T00:00:00.000Z' };
      this.entries.set(`${baseUrl}#${parked.id}`, JSON.stringify(parked));
      if (secretNames(server).length > 0) this.secrets.set(`${baseUrl}#${parked.id}`, JSON.stringify(wire));
      return parked;
    });
  }

  take(baseUrl: string, id: string): Promise<TakenServer | undefined> {
    return this.attempt('take', () => {
      const entry = this.entries.get(`${baseUrl}#${id}`);
      const secret = this.secrets.get(`${baseUrl}#${id}`);
      const wire = secret === undefined ? undefined : (JSON.parse(secret) as Json);
      return entry === undefined ? undefined : { server: JSON.parse(entry) as ParkedServer, wire };
    });
  }

  remove(baseUrl: string, id: string): Promise<boolean> {
    return this.attempt('remove', () => {
      this.entries.delete(`${baseUrl}#${id}`);
      if (!this.keepsSecrets) this.secrets.delete(`${baseUrl}#${id}`);
      return !this.keepsSecrets;
    });
  }

  private attempt<T>(what: NonNullable<MemoryStore['fails']>, work: () => T): Promise<T> {
    return this.fails === what
      ? Promise.reject(new Error(`${what} does not work`))
      : Promise.resolve().then(work);
  }
}
