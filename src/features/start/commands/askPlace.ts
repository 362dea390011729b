import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import type { Answer } from '../../../editor/inputs';
import { imageName } from '../../../shared/imageName';
import { plainText } from '../../../shared/plainText';
import { sandboxName, sandboxNameOf, sandboxRepository } from '../../../core/lists/names';
import { likelyPaused, pauseHint, runningNow } from '../../sandboxes';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { ConversationChoice, StartPlace } from '../model/choice';
import { toldWords, type ToldLimit } from '../model/toldLimits';
import { sandboxStateWords } from '../../../core/lists/stateWords';
import { sandboxPhase } from '../../../core/lists/status';
import { askPart, type ChoiceItem } from './askPart';

type PlaceItem = ChoiceItem<'place'>;

/** Asks for the sandbox: the service's choice, an existing one, or a new one from a spec. */
export function askPlace(choice: ConversationChoice, model: ServiceModel): Promise<Answer<unknown>> {
  return askPart(choice, 'place', {
    title: l10n.t('Start an agent conversation'),
    placeholder: l10n.t('Select a sandbox'),
    items: items(model),
    update: async (show) => {
      await model.refresh('sandboxes', 'conversations', 'specs');
      show(items(model));
    },
  });
}

/** A place in words. */
export function placeWords(place: StartPlace, model: ServiceModel): string {
  switch (place.kind) {
    case 'default':
      return l10n.t('New (service default)');
    case 'new':
      return place.specId === undefined
        ? l10n.t('New, for this conversation only')
        : l10n.t('New from {0}', imageLabel(place.specId));
    case 'existing': {
      const sandbox = model.sandboxes.get(place.sandboxId);
      const name = sandboxNameOf(place.sandboxId, model);
      return sandbox && sandboxPhase(sandbox) === 'paused'
        ? joined(name, l10n.t('paused, will be resumed'))
        : name;
    }
  }
}

/** The sandbox that the service may pause for a place, in a separate sentence, because names must not be cut. */
export function placeHint(place: StartPlace, model: ServiceModel): string | undefined {
  return pausedFor(place, model).length > 0 ? pauseHint(runningNow(model)) : undefined;
}

/**
 * What the service may pause, how many sandboxes run, and what the service said about its limit; empty if there is
 * nothing.
 */
export function limitHint(model: ServiceModel, told: ToldLimit | undefined, pauses = ''): string {
  const running = runningNow(model).sandboxes.filter((one) => sandboxPhase(one) === 'running').length;
  const counted =
    running === 0
      ? ''
      : running === 1
        ? l10n.t('1 sandbox is running')
        : l10n.t('{0} sandboxes are running', running);
  return [pauses, counted, toldWords(told)].filter((words) => words !== '').join('. ');
}

/**
 * Ids of the sandboxes that the service may pause for a place.
 * @param more how many sandboxes are started, if they are new
 */
export function pausedFor(place: StartPlace, model: ServiceModel, more = 1): string[] {
  const sandbox = place.kind === 'existing' ? model.sandboxes.get(place.sandboxId) : undefined;
  if (place.kind === 'existing' && (!sandbox || sandboxPhase(sandbox) !== 'paused')) return [];
  return likelyPaused(runningNow(model), more).map(({ id }) => id);
}

function items(model: ServiceModel): PlaceItem[] {
  const hint = pauseHint(runningNow(model));
  const detail = hint === undefined ? {} : { detail: hint };
  const conversations = model.conversations.state.items;
  const byDefault: PlaceItem = {
    label: l10n.t('New sandbox'),
    description: l10n.t('service default'),
    ...detail,
    place: { kind: 'default' },
  };
  const existing = model.sandboxes.state.items.flatMap((sandbox): PlaceItem[] => {
    const state = stateWords(sandbox);
    if (state === undefined) return [];
    return [
      {
        label: sandboxName(sandbox, conversations),
        description: joined(state, sandboxRepository(sandbox, conversations)),
        ...(sandboxPhase(sandbox) === 'paused' && detail),
        place: { kind: 'existing', sandboxId: sandbox.id },
      },
    ];
  });
  const fresh = model.specs.state.items.map(({ id }): PlaceItem => ({
    label: l10n.t('New sandbox from {0}', imageLabel(id)),
    description: plainText(imageName(id).from, 120),
    ...detail,
    place: { kind: 'new', specId: id },
  }));
  return [byDefault, ...existing, ...fresh];
}

const imageLabel = (specId: string) => plainText(imageName(specId).name, 120);

/** Undefined for a sandbox that can't take a conversation. */
function stateWords(sandbox: Sandbox): string | undefined {
  switch (sandboxPhase(sandbox)) {
    case 'running':
    case 'other':
      return sandboxStateWords(sandbox);
    case 'paused':
      return l10n.t('Paused, will be resumed');
    case 'starting':
      return l10n.t('Starting');
    case 'missing':
    case 'failed':
      return undefined;
  }
}
