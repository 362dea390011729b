import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isUnanswered } from '../../../api/http/errors';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ConversationsElsewhere } from '../../../core/lists/elsewhere';
import { conversationName } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { showError } from '../../../editor/progress';
import { quotedNames } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import type { ReadMarks } from '../../attention';
import {
  areElsewhere,
  chooseHere,
  chooseConversations,
  chosenElsewhere,
  readListsAgain,
} from '../../targets/editor';
import type { Shelf, Shelved, ShelfOutcome } from '../model/shelf';

interface Needs {
  session: SessionStore;
  model: ServiceModel;
  others: ConversationsElsewhere;
  marks: ReadMarks;
  shelf: Shelf;
  isShelfTold: () => boolean;
  shelfTold: () => PromiseLike<void>;
  activeConversation: () => string | undefined;
}

/** Mark as Read and Mark as Unread. */
export function mark(needs: Needs, as: 'read' | 'unread'): Handler {
  const { session, model, marks, activeConversation } = needs;
  const put = (service: string, some: readonly Conversation[]) =>
    as === 'read' ? marks.markRead(service, some) : marks.markUnread(service, some);
  const title = () => (as === 'read' ? l10n.t('Mark as Read') : l10n.t('Mark as Unread'));
  return async (...args) => {
    for (const { client, chosen } of chosenElsewhere(needs, args)) put(client.baseUrl, chosen);
    if (areElsewhere(needs, args)) return;
    const answer = await chooseHere(session, async ({ baseUrl }) => {
      const fits = (one: Conversation) => marks.isUnread(baseUrl, one) === (as === 'read');
      const none =
        as === 'read' ? l10n.t('No conversation is unread.') : l10n.t('All conversations are unread.');
      const options = { title: title(), fits, none, active: activeConversation() };
      return chooseConversations(model, args, options);
    });
    if (answer) put(answer.client.baseUrl, answer.chosen);
  };
}

const words = {
  pinned: {
    on: () => l10n.t('Pin Conversation'),
    off: () => l10n.t('Unpin Conversation'),
    none: () => l10n.t('No conversation is pinned.'),
    all: () => l10n.t('All conversations are pinned.'),
  },
  archived: {
    on: () => l10n.t('Archive Conversation'),
    off: () => l10n.t('Unarchive Conversation'),
    none: () => l10n.t('No conversation is archived.'),
    all: () => l10n.t('All conversations are archived.'),
  },
} as const satisfies Record<Shelved, unknown>;

/** Pin, Unpin, Archive, and Unarchive Conversation. */
export function shelve(needs: Needs, what: Shelved, on: boolean): Handler {
  const { session, model, shelf, activeConversation } = needs;
  return async (...args) => {
    for (const { client, chosen } of chosenElsewhere(needs, args))
      await putAll(needs, client, { what, on, chosen });
    if (areElsewhere(needs, args)) return;
    const answer = await chooseHere(session, async ({ baseUrl }) => {
      const fits = (one: Conversation) => shelf.has(baseUrl, what, one) !== on;
      const none = on ? words[what].all() : words[what].none();
      const options = { title: words[what][on ? 'on' : 'off'](), fits, none, active: activeConversation() };
      return chooseConversations(model, args, options);
    });
    if (!answer) return;
    const { client, chosen } = answer;
    await putAll(needs, client, { what, on, chosen });
  };
}

/** One after the other: each is read, changed, and compared. One that fails doesn’t keep the others from being changed. */
async function putAll(
  needs: Needs,
  client: ApiClient,
  { what, on, chosen }: { what: Shelved; on: boolean; chosen: readonly Conversation[] },
): Promise<void> {
  const warnOfLost = async (lost: readonly Conversation[]) => {
    if (lost.length === 0) return;
    // Without a button, the editor shows only the beginning.
    const again = l10n.t('Try Again');
    const words = l10n.t('The service didn’t keep the change to {0}.', namesOf(lost));
    if ((await vscode.window.showWarningMessage(words, again)) === again)
      await putAll(needs, client, { what, on, chosen: lost });
  };
  const { model, others, marks, shelf, isShelfTold, shelfTold } = needs;
  const { baseUrl } = client;
  const read = chosen.filter((one) => !marks.isUnread(baseUrl, one));
  const by: Record<ShelfOutcome | 'failed', Conversation[]> = {
    service: [],
    computer: [],
    lost: [],
    failed: [],
  };
  let failure: unknown;
  for (const conversation of chosen) {
    // Without an answer, the others would wait in vain, too.
    const outcome = isUnanswered(failure)
      ? 'failed'
      : await shelf.put(client, what, conversation, on).catch((error: unknown) => {
          failure ??= error;
          return 'failed' as const;
        });
    by[outcome].push(conversation);
  }
  void warnOfLost(by.lost);
  // It lasts until the user closes it.
  if (by.failed.length > 0) void showError(l10n.t('Couldn’t change {0}.', namesOf(by.failed)), failure);
  const readAgain = async () => {
    await readListsAgain(needs, baseUrl);
    // The service may count the change as one of the conversation.
    const latest = (id: string) =>
      baseUrl === model.service ? model.conversation(id) : others.find(baseUrl, id)?.chosen;
    const now = read.flatMap(({ id }) => latest(id) ?? []);
    if (now.length > 0) marks.markRead(baseUrl, now);
  };
  if (by.computer.length === 0) {
    void settle(client, by.service, readAgain, warnOfLost);
    await readAgain();
  } else if (!isShelfTold()) {
    await shelfTold();
    void vscode.window.showInformationMessage(l10n.t('Kept on this computer, not by the service.'));
  }
}

/** Another client may write an older reading of the tags just now. */
async function settle(
  client: ApiClient,
  changed: readonly Conversation[],
  readAgain: () => Promise<void>,
  warnOfLost: (lost: readonly Conversation[]) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.all(
    // What can’t be read is shown by the list.
    changed.map(({ id }) => client.settleTags(id).catch(() => 'kept' as const)),
  );
  void warnOfLost(changed.filter((_, index) => outcomes[index] === 'lost'));
  if (outcomes.some((outcome) => outcome !== 'kept')) await readAgain();
}

const namesOf = (some: readonly Conversation[]) =>
  quotedNames(some.map((one) => plainText(conversationName(one), 80)));
