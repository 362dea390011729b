import type { ApiClient } from '../../../api/service/client';
import type { SettingsDocument } from '../model/document';

/**
 * The documents after the last saves of this window, for undoing them. In memory only, by the client that made the
 * save: another session key or connection starts over.
 */
export class LastSaves {
  private readonly documents = new WeakMap<ApiClient, SettingsDocument>();

  constructor(private readonly changed: () => void) {}

  get(client: ApiClient): SettingsDocument | undefined {
    return this.documents.get(client);
  }

  set(client: ApiClient, document: SettingsDocument): void {
    this.documents.set(client, document);
    this.changed();
  }

  /** The last save can't be undone, because its exact effect isn't known. */
  forget(client: ApiClient): void {
    this.documents.delete(client);
    this.changed();
  }
}
