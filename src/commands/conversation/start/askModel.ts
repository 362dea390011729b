import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ApiClient } from '../../../api/client';
import { askPick, type Answer } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import type { ConversationChoice } from './choice';

interface ModelItem extends vscode.QuickPickItem {
  model: string | undefined;
}

/** Asks for the model: one that the service suggests, or any by its name. */
export async function askModel(choice: ConversationChoice, client: ApiClient): Promise<Answer<ModelItem>> {
  const byDefault: ModelItem = {
    label: l10n.t('As in the settings'),
    description: l10n.t('the model of the service’s settings'),
    model: undefined,
  };
  const answer = await askPick<ModelItem>({
    title: l10n.t('Start a conversation: model'),
    canGoBack: true,
    placeholder: l10n.t('Choose the model, or type its name'),
    items: [byDefault],
    fromText: (text) => ({ label: text, model: text }),
    update: async (show, signal) => {
      // Not every service lists its models; then one types the name.
      const models = await client.listModels(signal).catch(() => []);
      show([byDefault, ...models.map((name) => ({ label: plainText(name, 120), model: name }))]);
    },
  });
  if (typeof answer === 'object') choice.model = answer.model;
  return answer;
}
