import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Sandbox } from '../../../api/schemas/sandbox';
import { askPick, type Answer } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import type { ServiceModel } from '../../../state/serviceModel';
import type { Place } from '../../../state/startConversation';
import { sandboxPhase } from '../../../state/status';
import type { ConversationChoice } from './choice';

interface PlaceItem extends vscode.QuickPickItem {
  place: Place;
}

/** Asks where it runs: where the service decides, in a sandbox that exists, or in a new one from a spec. */
export async function askPlace(choice: ConversationChoice, model: ServiceModel): Promise<Answer<PlaceItem>> {
  const answer = await askPick<PlaceItem>({
    title: l10n.t('Start a conversation: sandbox'),
    canGoBack: true,
    placeholder: l10n.t('Choose where it runs'),
    items: items(model),
    update: async (show) => {
      await model.refresh('sandboxes', 'specs');
      show(items(model));
    },
  });
  if (typeof answer === 'object') choice.place = answer.place;
  return answer;
}

/** A place in words. */
export function placeWords(place: Place, model: ServiceModel): string {
  switch (place.kind) {
    case 'default':
      return l10n.t('new, as the service starts them');
    case 'new':
      return l10n.t('new, from {0}', plainText(place.specId, 80));
    case 'existing': {
      const sandbox = model.sandboxes.get(place.sandboxId);
      const id = plainText(place.sandboxId, 60);
      return sandbox && sandboxPhase(sandbox) === 'paused' ? l10n.t('{0}, which is resumed first', id) : id;
    }
  }
}

function items(model: ServiceModel): PlaceItem[] {
  const byDefault: PlaceItem = {
    label: l10n.t('New sandbox'),
    description: l10n.t('as the service starts them'),
    place: { kind: 'default' },
  };
  const existing = model.sandboxes.state.items.flatMap((sandbox): PlaceItem[] => {
    const description = existingWords(sandbox);
    if (description === undefined) return [];
    return [
      { label: plainText(sandbox.id, 60), description, place: { kind: 'existing', sandboxId: sandbox.id } },
    ];
  });
  const fresh = model.specs.state.items.map(({ id }): PlaceItem => ({
    label: l10n.t('New sandbox from {0}', plainText(id, 120)),
    description: l10n.t('is started first'),
    place: { kind: 'new', specId: id },
  }));
  return [byDefault, ...existing, ...fresh];
}

/** Undefined for a sandbox that cannot take a conversation. */
function existingWords(sandbox: Sandbox): string | undefined {
  switch (sandboxPhase(sandbox)) {
    case 'running':
      return l10n.t('Running');
    case 'paused':
      return l10n.t('Paused: it is resumed first');
    case 'starting':
      return l10n.t('Starting: it is waited for');
    case 'missing':
      return undefined;
    case 'other':
      if (sandbox.status?.toUpperCase() === 'ERROR') return undefined;
      return plainText(sandbox.status ?? l10n.t('State unknown'), 40);
  }
}
