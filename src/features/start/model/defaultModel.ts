import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../api/service/client';
import { isSettingsNotFound } from '../../../api/http/errors';
import { plainText } from '../../../shared/plainText';

/** The model that a service uses unless a conversation names another one. Asked for once, when first needed. */
export class DefaultModel {
  /** Undefined until it was read, and if the service doesn't say. */
  name: string | undefined;
  /** The service has none, so an agent can't work without one of its own. */
  isMissing = false;
  private reading: Promise<void> | undefined;

  constructor(private readonly client: Pick<ApiClient, 'getSettings'>) {}

  /** Resolves once `name` is as known as it gets; never rejects. */
  read(): Promise<void> {
    return (this.reading ??= this.client.getSettings().then(
      ({ llm_model }) => {
        this.name = llm_model ?? undefined;
        this.isMissing = llm_model === null || llm_model?.trim() === '';
      },
      (error: unknown) => void (this.isMissing = isSettingsNotFound(error)),
    ));
  }
}

/** A model in words; undefined stands for the service's default, whose name may not be known. */
export function modelWords(model: string | undefined, defaultModel: DefaultModel): string {
  if (model !== undefined) return plainText(model, 120);
  if (defaultModel.isMissing) return l10n.t('No model set – Set Up Model');
  const name = plainText(defaultModel.name ?? '', 120);
  return name === '' ? l10n.t('Service default') : l10n.t('Service default – {0}', name);
}
