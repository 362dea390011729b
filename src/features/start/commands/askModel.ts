import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../../../api/service/client';
import type { Answer } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import type { ConversationChoice } from '../model/choice';
import { type DefaultModel, modelWords } from '../model/defaultModel';
import { askPart, type ChoiceItem } from './askPart';

/** Asks for the model: one that the service suggests, or any other by its name. */
export function askModel(
  choice: ConversationChoice,
  client: ApiClient,
  defaultModel: DefaultModel,
): Promise<Answer<unknown>> {
  const byName = (model: string): ChoiceItem<'model'> => ({ label: plainText(model, 120), model });
  const byDefault = () => ({ label: modelWords(undefined, defaultModel), model: undefined });
  const chosen = choice.model === undefined ? [] : [choice.model];
  return askPart(choice, 'model', {
    title: l10n.t('Start an agent conversation'),
    placeholder: l10n.t('Select a model or enter its name'),
    items: [byDefault(), ...chosen.map(byName)],
    fromText: (text) => ({ label: text, model: text }),
    update: async (show, signal) => {
      // Not every service lists its models; users can still enter a name.
      const [models] = await Promise.all([client.listModels(signal).catch(() => []), defaultModel.read()]);
      show([byDefault(), ...[...new Set([...chosen, ...models])].map(byName)]);
    },
  });
}
