import type { ApiClient } from '../../api/service/client';

/** The model that a service uses unless a conversation names another one. Asked for once, when first needed. */
export class DefaultModel {
  /** Undefined until it was read, and if the service doesn't say. */
  name: string | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly client: Pick<ApiClient, 'getSettings'>) {}

  /** Resolves once `name` is as known as it gets; never rejects. */
  read(): Promise<void> {
    return (this.reading ??= this.client.getSettings().then(
      ({ llm_model }) => void (this.name = llm_model ?? undefined),
      () => undefined,
    ));
  }
}
