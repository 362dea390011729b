import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../api/service/client';
import { isSettingsNotFound } from '../../../api/http/errors';
import { costText } from '../../../core/lists/usage';
import { goesElsewhere, modelPlace, type ModelPlace, placeName } from '../../../shared/modelProvider';
import { plainText } from '../../../shared/plainText';

/** The model that a service uses unless a conversation names another one. Asked for once, when first needed. */
export class DefaultModel {
  /** Undefined until it was read, and if the service doesn't say. */
  name: string | undefined;
  /** The service has none, so an agent can't work without one of its own. */
  isMissing = false;
  private address: string | null | undefined;
  private hasKey = false;
  private budget = NaN;
  private reading: Promise<void> | undefined;

  constructor(private readonly client: Pick<ApiClient, 'getSettings'>) {}

  /** Resolves once `name` is as known as it gets; never rejects. */
  read(): Promise<void> {
    return (this.reading ??= this.client.getSettings().then(
      ({ llm_model, llm_base_url, llm_api_key_set, max_budget_per_task }) => {
        this.address = llm_base_url;
        this.hasKey = llm_api_key_set !== false;
        this.budget = Number(max_budget_per_task ?? undefined);
        this.name = llm_model ?? undefined;
        this.isMissing = llm_model === null || llm_model?.trim() === '';
      },
      (error: unknown) => void (this.isMissing = isSettingsNotFound(error)),
    ));
  }

  /**
   * Says that a conversation’s own model would get a key that is for somebody else: services have one key for whichever
   * model. Undefined if it wouldn’t, or as long as nothing is known of the key.
   */
  keyWarning(model: string | undefined): string | undefined {
    if (model === undefined || !this.hasKey) return undefined;
    const [from, to] = [modelPlace(this.name, this.address), modelPlace(model, this.address)];
    if (!goesElsewhere(from, to)) return undefined;
    const name = (place: ModelPlace) => plainText(placeName(place), 80);
    const [source, target] = [name(from), name(to)];
    return source === ''
      ? l10n.t('The API key in the settings will be sent to {0}.', target)
      : l10n.t('The API key in the settings is for {0}. It will be sent to {1}.', source, target);
  }

  /** What so many attempts may cost at most; undefined as long as no limit is known. */
  costOf(attempts: number): string | undefined {
    if (Number.isNaN(this.budget)) return undefined;
    return l10n.t(
      'Can cost up to {0}: the settings limit each task to {1}.',
      costText(this.budget * attempts),
      costText(this.budget),
    );
  }
}

/** A model in words; undefined stands for the service's default, whose name may not be known. */
export function modelWords(model: string | undefined, defaultModel: DefaultModel): string {
  if (model !== undefined) return plainText(model, 120);
  if (defaultModel.isMissing) return l10n.t('No model set – Set Up Model');
  const name = plainText(defaultModel.name ?? '', 120);
  return name === '' ? l10n.t('Service default') : l10n.t('Service default – {0}', name);
}
