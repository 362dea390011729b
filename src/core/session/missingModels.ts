import { isSettingsNotFound } from '../../api/http/errors';
import { type ApiClient, extended } from '../../api/service/client';
import { Emitter } from '../basics/emitter';

/** The services whose agents can't work unless a conversation names a model, as their settings last said. */
export class MissingModels {
  private readonly services = new Set<string>();
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  /** Whether the service at `baseUrl` has no model; false until its settings were read. */
  has(baseUrl: string): boolean {
    return this.services.has(baseUrl);
  }

  /** Wraps a client to note what its settings say, whatever they are read for. */
  noting(client: ApiClient): ApiClient {
    return extended(client, {
      getSettings: async (...args) => {
        try {
          const settings = await client.getSettings(...args);
          this.note(client.baseUrl, settings.llm_model);
          return settings;
        } catch (error) {
          if (isSettingsNotFound(error)) this.note(client.baseUrl, null);
          throw error;
        }
      },
    });
  }

  private note(baseUrl: string, model: string | null | undefined): void {
    const isMissing = model === null || model?.trim() === '';
    if (isMissing === this.has(baseUrl)) return;
    if (isMissing) this.services.add(baseUrl);
    else this.services.delete(baseUrl);
    this.changed.fire(undefined);
  }
}
