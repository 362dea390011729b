import type { ConversationsElsewhere } from '../../../core/lists/elsewhere';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { type Ref, type Referring, refOf } from '../../../core/lists/ref';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { Chosen } from '../../../core/session/chooseAt';
import type { SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { chooseConversation } from './chooseConversation';
import { chooseHere } from './chooseHere';

/**
 * The conversations of all selected rows, or of the row that a command was given; each with its service, if that is
 * named.
 */
export function selectedRows(argument: unknown, selection: unknown): ConversationAt[] {
  const rows = selectedRefs(argument, selection).flatMap((ref): ConversationAt[] => {
    if (ref.kind === 'attempts') return ref.ids.map((id) => ({ id, service: ref.service }));
    return ref.kind === 'conversation' ? [ref] : [];
  });
  const keyOf = ({ id, service = '' }: ConversationAt) => `${service} ${id}`;
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

function selectedRefs(argument: unknown, selection: unknown): Ref[] {
  const selected: unknown[] = Array.isArray(selection) && selection.length > 0 ? selection : [argument];
  return selected.flatMap((one) => refOf(one) ?? []);
}

/** A command that acts on the conversations of attempts, if their row is selected. */
export function onAttempts(handler: Handler): Handler {
  return (...args) => {
    const [argument, selection] = args;
    if (!selectedRefs(argument, selection).some(({ kind }) => kind === 'attempts')) return handler(...args);
    const each = selectedRows(argument, selection).map(({ id, service }): Referring => ({
      ref: { kind: 'conversation', id, service },
    }));
    return handler(each[0], each);
  };
}

/** Whether a row is one of a service that the window isn’t on, which may use its id for something else. */
export const isElsewhere = ({ service }: ConversationAt, model: Pick<ServiceModel, 'service'>): boolean =>
  service !== undefined && service !== model.service;

/** The ids of the selected rows of the window’s own service. */
export function selectedIds(
  argument: unknown,
  selection: unknown,
  model: Pick<ServiceModel, 'service'>,
): string[] {
  const rows = selectedRows(argument, selection).filter((row) => !isElsewhere(row, model));
  return [...new Set(rows.map(({ id }) => id))];
}

/** The conversations of all selected rows; or that of the active tab, or one that the user selects. */
export async function chooseConversations(
  model: ServiceModel,
  [argument, selection]: readonly unknown[],
  options: Parameters<typeof chooseConversation>[2],
): Promise<Conversation[]> {
  const ids = selectedIds(argument, selection, model);
  if (ids.length > 1) return ids.flatMap((id) => model.conversation(id) ?? []);
  const [id] = ids;
  const row = id === undefined ? argument : { ref: { kind: 'conversation', id } };
  const chosen = await chooseConversation(model, row, options);
  return chosen ? [chosen] : [];
}

interface Needs {
  model: ServiceModel;
  others: ConversationsElsewhere;
}

/** Whether all selected rows are of services that the window isn’t on. */
export function areElsewhere(
  { model }: Pick<Needs, 'model'>,
  [argument, selection]: readonly unknown[],
): boolean {
  const rows = selectedRows(argument, selection);
  return rows.length > 0 && rows.every((row) => isElsewhere(row, model));
}

/** The selected rows of services that the window isn’t on, as last read, by service. */
export function chosenElsewhere(
  { model, others }: Needs,
  [argument, selection]: readonly unknown[],
): Chosen<Conversation[]>[] {
  const byService = new Map<string, Chosen<Conversation[]>>();
  for (const row of selectedRows(argument, selection)) {
    const { service, id } = row;
    const found = service !== undefined && isElsewhere(row, model) ? others.find(service, id) : undefined;
    if (!found) continue;
    const { client, chosen } = found;
    const known = byService.get(client.baseUrl) ?? { client, chosen: [] };
    known.chosen.push(chosen);
    byService.set(client.baseUrl, known);
  }
  return [...byService.values()];
}

/** The row that a command was given, if it is one of a service that the window isn’t on, with the client that reaches it. */
export function rowElsewhere(needs: Needs, argument: unknown): Chosen<Conversation> | undefined {
  const [found] = chosenElsewhere(needs, [argument]);
  const [chosen] = found?.chosen ?? [];
  return found && chosen && { client: found.client, chosen };
}

/** What a command on one conversation of any connection needs to find it. */
export interface RowNeeds extends Needs {
  session: SessionStore;
  /** The id of the conversation in the active tab. */
  activeConversation: () => string | undefined;
}

/**
 * The conversation of the row that a command was given, on any connection; or that in the active tab, or one that the user
 * selects here.
 */
export async function chooseRow(
  needs: RowNeeds,
  argument: unknown,
  options: Omit<Parameters<typeof chooseConversation>[2], 'active'>,
): Promise<Chosen<Conversation> | undefined> {
  const { session, model, activeConversation } = needs;
  const choose = () => chooseConversation(model, argument, { ...options, active: activeConversation() });
  return rowElsewhere(needs, argument) ?? (await chooseHere(session, choose));
}

/** Reads the conversations of a service again, if they are shown. */
export const readListsAgain = ({ model, others }: Needs, service: string): Promise<void> =>
  service === model.service ? model.refresh('conversations') : others.refresh(service);
