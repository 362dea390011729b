import type { ApiClient } from '../../api/service/client';

/** The model that a service uses unless a conversation names another one. Asked for once, when first needed. */
export class DefaultModel {
  private known: string | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly client: Pick<ApiClient, 'getSettings'>) {}

  /** Undefined until it was read, and if the service doesn't say. */
  get name(): string | undefined {
    return this.known;
  }

  /** Resolves once `name` is as known as it gets; never rejects. */
  read(): Promise<void> {
    return (this.reading ??= this.client.getSettings().then(
      ({ llm_model }) => void (this.known = llm_model ?? undefined),
      () => undefined,
    ));
  }
}
