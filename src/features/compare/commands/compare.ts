import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { ConversationsElsewhere } from '../../../core/lists/elsewhere';
import { refOf } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { askMany } from '../../../editor/inputs';
import type { ConversationModels } from '../../live';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { areComparable, type Attempts, attempts as bounds } from '../../start';
import { tellNone, choiceOf, chooseHere, isElsewhere, selectedRows } from '../../targets/editor';
import { isSameRepository } from '../model/sameRepository';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
  attempts: Attempts;
  conversations: ConversationModels;
  others: Pick<ConversationsElsewhere, 'find'>;
  activeConversation: () => string | undefined;
  showComparison: (service: string, ids: readonly string[]) => Promise<void>;
}

/**
 * Compare Attempts…: the row’s attempts, the selected conversations, those that the conversation in the active tab
 * belongs to, or those that the user selects.
 */
export function compareConversations(needs: Needs): Handler {
  return async (argument, selection) => {
    const ref = refOf(argument);
    const rows = selectedRows(argument, selection);
    const away = ref?.kind === 'attempts' && ref.service !== needs.model.service ? ref : undefined;
    // Attempts at one message are about one repository, wherever they are.
    if (away?.service !== undefined && areComparable(away.ids.length)) {
      await needs.showComparison(away.service, away.ids);
      return;
    }
    if (rows.some((row) => isElsewhere(row, needs.model))) {
      await compareElsewhere(needs, rows);
      return;
    }
    const answer = await chooseHere(needs.session, async ({ baseUrl }) => {
      const ids = rows.map(({ id }) => id);
      if (ids.length > 1) return idsOf(needs, ids);
      const active = ids[0] ?? needs.activeConversation();
      const own = active === undefined ? [] : fellows(needs, baseUrl, active);
      return own.length > 1 ? own : askIds(needs, baseUrl, active);
    });
    if (!answer) return;
    const { client, chosen } = answer;
    const problem = problemOf(chosen);
    if (problem !== undefined) {
      void vscode.window.showWarningMessage(problem);
      return;
    }
    const ids = chosen.map(({ id }) => id);
    if (ids.every((id) => needs.conversations.model(id))) await needs.showComparison(client.baseUrl, ids);
    else
      void vscode.window.showInformationMessage(
        l10n.t('Conversations of this service can only be continued in the browser.'),
      );
  };
}

/** Compares rows of which some are on another connection. */
async function compareElsewhere(
  { others, showComparison }: Needs,
  rows: readonly ConversationAt[],
): Promise<void> {
  const [service, ...more] = new Set(rows.map((row) => row.service));
  if (service === undefined || more.length > 0) {
    void vscode.window.showWarningMessage(
      l10n.t('Select conversations of one connection only. Nothing was done.'),
    );
    return;
  }
  const chosen = rows.flatMap(({ id }) => others.find(service, id)?.chosen ?? []);
  const problem =
    rows.length > 1 && chosen.length === rows.length
      ? problemOf(chosen)
      : l10n.t('This conversation is on another connection. Switch this window to it, and try again.');
  if (problem === undefined)
    await showComparison(
      service,
      chosen.map(({ id }) => id),
    );
  else void vscode.window.showWarningMessage(problem);
}

const idsOf = ({ model }: Pick<Needs, 'model'>, ids: readonly string[]) =>
  ids.flatMap((id) => model.conversation(id) ?? []);

/** The attempts of the message that a conversation is an attempt at. */
function fellows({ model, attempts }: Needs, service: string, id: string): Conversation[] {
  const groupOf = (one: Parameters<Attempts['of']>[1]) => attempts.of(service, one)?.group;
  const group = groupOf(model.conversation(id) ?? { id });
  return group === undefined
    ? []
    : model.conversations.state.items.filter((one) => groupOf(one) === group).slice(0, bounds.most);
}

async function askIds(
  { model, attempts }: Needs,
  service: string,
  active: string | undefined,
): Promise<Conversation[] | undefined> {
  await model.refresh('conversations');
  const { items } = model.conversations.state;
  if (items.length < bounds.least) {
    await tellNone(model, 'conversations', l10n.t('There aren’t two conversations to compare.'));
    return undefined;
  }
  const known = items.find(({ id }) => id === active);
  const offered = known ? items.filter((one) => isSameRepository([known, one])) : items;
  const answer = await askMany({
    title: l10n.t('Compare Attempts'),
    placeholder: l10n.t('Select {0} to {1} conversations of one repository', bounds.least, bounds.most),
    items: offered.map((one) => {
      const choice = choiceOf(one);
      // All attempts have the same title.
      const label = plainText(attempts.of(service, one)?.label ?? '', 80);
      return { ...choice, description: joined(label, choice.description), picked: one.id === active };
    }),
  });
  return typeof answer === 'object' ? answer.map(({ conversation }) => conversation) : undefined;
}

function problemOf(chosen: readonly Conversation[]): string | undefined {
  if (!areComparable(chosen.length))
    return l10n.t('Select {0} to {1} conversations to compare.', bounds.least, bounds.most);
  if (isSameRepository(chosen)) return undefined;
  return l10n.t(
    'These conversations are about different repositories. Select conversations of one repository.',
  );
}
