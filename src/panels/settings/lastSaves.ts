import type { ApiClient } from '../../api/service/client';
import type { SettingsDocument } from '../../state/settings/document';

/**
 * The documents that the last saves of this window ended with, to take them back. In memory only. By the client that
 * the save was made with: another session key or connection begins anew.
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
