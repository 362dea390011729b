import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ConversationFilter } from '../../../core/lists/conversationFilter';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { conversationStateWords } from '../../../core/lists/stateWords';
import { conversationState } from '../../../core/lists/status';
import type { SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { askPick, askText, back, type Answer } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import { chooseHere } from '../../targets/editor';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
}

interface Part extends vscode.QuickPickItem {
  /** Asks for the new value; resolves to the filter with it. */
  ask: () => Promise<Answer<ConversationFilter>>;
}

/** Filter Conversations…: changes one part of the filter and keeps the others. */
export function filter({ session, model }: Needs): Handler {
  return async () => {
    const answer = await chooseHere(session, () => choose(model));
    if (!answer) return;
    const { chosen } = answer;
    await model.setFilter(Object.keys(chosen).length > 0 ? chosen : undefined);
  };
}

async function choose(model: Needs['model']): Promise<ConversationFilter | undefined> {
  for (;;) {
    const part = await askPick<Part>({
      title: l10n.t('Filter Conversations'),
      placeholder: l10n.t('Filter by'),
      items: parts(model),
      // Most people type what they look for at once.
      fromText: (title) => ({
        label: l10n.t('“{0}”', title),
        description: l10n.t('Title'),
        ask: () => Promise.resolve(withValue(model.filter ?? {}, 'title', title)),
      }),
    });
    if (typeof part !== 'object') return undefined;
    const chosen = await part.ask();
    if (chosen !== back) return chosen;
  }
}

/** Clear Filter. */
export function clearFilter({ model }: Pick<Needs, 'model'>): Handler {
  return () => model.setFilter(undefined);
}

function parts(model: Needs['model']): Part[] {
  const current = model.filter ?? {};
  const { items } = model.conversations.state;
  const repositories = distinct(
    items.map((one) => one.selected_repository ?? undefined),
    current.repository,
  );
  const states = distinct(items.map(conversationState), current.state).filter(
    (state) => conversationStateWords(state) !== undefined,
  );
  return [
    {
      label: l10n.t('Title'),
      description: current.title ?? '',
      ask: () => askTitle(current),
    },
    pickOf(current, 'repository', l10n.t('Repository'), repositories, (name) => plainText(name, 80)),
    pickOf(current, 'state', l10n.t('State'), states, (state) => conversationStateWords(state) ?? state),
    pickOf(current, 'createdWithinDays', l10n.t('Created'), spans, spanWords),
    pickOf(current, 'updatedWithinDays', l10n.t('Last active'), spans, spanWords),
  ];
}

async function askTitle(current: ConversationFilter): Promise<Answer<ConversationFilter>> {
  const answer = await askText({
    title: l10n.t('Filter Conversations'),
    prompt: l10n.t('Part of the title. Leave empty for any.'),
    placeholder: l10n.t('For example, login test'),
    value: current.title ?? '',
    canGoBack: true,
  });
  if (typeof answer !== 'string') return answer;
  return withValue(current, 'title', answer.trim() === '' ? undefined : answer.trim());
}

function pickOf<K extends Exclude<keyof ConversationFilter, 'title'>>(
  current: ConversationFilter,
  name: K,
  label: string,
  values: readonly NonNullable<ConversationFilter[K]>[],
  words: (value: NonNullable<ConversationFilter[K]>) => string,
): Part {
  type V = NonNullable<ConversationFilter[K]>;
  const value = current[name] as V | undefined;
  /** Undefined means any. */
  const item = (one: V | undefined) => ({
    value: one,
    label: one === undefined ? l10n.t('Any') : words(one),
  });
  return {
    label,
    description: value === undefined ? '' : words(value),
    ask: async () => {
      const picked = await askPick({
        title: l10n.t('Filter Conversations'),
        placeholder: label,
        items: [undefined, ...values].map(item),
        isCurrent: (one) => one.value === value,
        canGoBack: true,
      });
      return typeof picked === 'object' ? withValue(current, name, picked.value) : picked;
    },
  };
}

function withValue<K extends keyof ConversationFilter>(
  filter: ConversationFilter,
  name: K,
  value: ConversationFilter[K] | undefined,
): ConversationFilter {
  const { [name]: _previous, ...others } = filter;
  return value === undefined ? others : { ...others, [name]: value };
}

function distinct(values: readonly (string | undefined)[], current: string | undefined): string[] {
  return [...new Set([...values, current])]
    .filter((value): value is string => value !== undefined && value !== '')
    .toSorted();
}

/** Days. */
const spans = [1, 7, 30, 90];

function spanWords(days: number): string {
  return days === 1 ? l10n.t('In the last day') : l10n.t('In the last {0} days', days);
}
