import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../../../api/http/errors';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { conversationName, sandboxName } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { clientOf, type SessionStore } from '../../../core/session/session';
import { isSandboxLimit } from '../../../editor/errorText';
import type { Handler } from '../../../editor/handler';
import { showError, unlessCanceled } from '../../../editor/progress';
import { nameList, quotedNames, sentences } from '../../../shared/joined';
import { conversationsIn } from '../../targets';
import { isFor, mayTry, type SandboxAction } from '../model/actions';
import { changeSandboxes } from '../model/changeSandboxes';
import { runningNow } from '../model/serviceLimit';
import { chooseSandbox, selectedSandboxes } from './chooseSandboxes';
import { confirmConsequences } from './confirmConsequences';
import { pauseForMore, pauseForMoreTitle } from './pauseForMore';

/**
 * Does `action` to the sandboxes selected in the tree, or to one that the user selects. What else will happen is said in
 * a question or in the picker; all failures are in one message.
 */
export function change(
  { session, model }: { session: SessionStore; model: ServiceModel },
  action: SandboxAction,
): Handler {
  const { words, consequences, surprises, hint } = action;
  const fits = (sandbox: Sandbox) => mayTry(action, sandbox);
  const nameOf = (sandbox: Sandbox) => sandboxName(sandbox, model.conversations.state.items);
  const namesOf = (sandboxes: readonly Sandbox[]) => quotedNames(sandboxes.map(nameOf));
  return async (...args) => {
    const client = clientOf(session.current);
    const selected = (await selectedSandboxes(model, args))?.filter(fits);
    const ask = { title: words.title(), fits, none: words.none(), hint: () => hint?.(runningNow(model)) };
    const sandboxes = selected ?? (await chooseSandbox(model, ask));
    const [first] = sandboxes;
    if (!client || !first) return;
    // The picker’s row has already said what may be paused, but not which agents are working.
    if ((selected || action.isFinal || surprises) && words.selected) {
      const { question, agree } = words.selected;
      const count = sandboxes.filter((sandbox) => isFor(action, sandbox)).length;
      const agrees = (inside: readonly Conversation[]) => {
        // Conversations started here are first known by their message.
        const known = inside.map((one) => model.conversation(one.id) ?? one);
        const more =
          surprises?.(sandboxes, model.conversations.state.items) ?? consequences(runningNow(model), count);
        const also = [...more, ...insideWords(known)];
        return confirmConsequences(also, question(sandboxes.length, nameOf(first)), agree());
      };
      const ids = sandboxes.map(({ id }) => id);
      const failed = words.failed(namesOf(sandboxes));
      const read = async () => {
        const inside = await readOrTell(l10n.t('Reading conversations…'), failed, (signal) =>
          conversationsIn(client, ids, signal),
        );
        if (inside?.complete === false) tellIncomplete(failed);
        return inside?.complete ? inside.items : undefined;
      };
      if (!(await (action.isFinal ? agreesToAll(read, agrees) : agrees([])))) return;
    }
    if (hasSwitched(session, client)) return;
    let left: readonly Sandbox[] = sandboxes;
    for (;;) {
      const failures = await changeSandboxes(model, client, left, action);
      const [failure] = failures;
      if (!failure) return;
      left = failures.map(({ sandbox }) => sandbox);
      const isLimit = failure.error instanceof ApiError && isSandboxLimit(failure.error);
      const offer = isLimit ? { action: { title: pauseForMoreTitle() } } : {};
      const picked = await showError(words.failed(namesOf(left)), failure.error, offer);
      if (picked !== 'action' || !(await pauseForMore(model)) || hasSwitched(session, client)) return;
    }
  };
}

/** Nothing is deleted unless it’s known what else would be lost. */
function tellIncomplete(failed: string): void {
  const why = l10n.t(
    'Not all conversations of the service can be read, so others might lose their sandbox. Delete it in your browser.',
  );
  void vscode.window.showWarningMessage(sentences(failed, why));
}

/** Asks again if conversations were started while the question was open. */
async function agreesToAll(
  read: () => Promise<Conversation[] | undefined>,
  agrees: (inside: readonly Conversation[]) => Promise<boolean>,
): Promise<boolean> {
  let inside = await read();
  for (;;) {
    if (!inside || !(await agrees(inside))) return false;
    const known = new Set(inside.map(({ id }) => id));
    inside = await read();
    if (inside?.every(({ id }) => known.has(id))) return true;
  }
}

/** Reads something with progress; undefined if the user canceled, or was told why it failed. */
export async function readOrTell<T>(
  title: string,
  failed: string,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await unlessCanceled(title, (_report, signal) => read(signal));
  } catch (error) {
    await showError(failed, error);
    return undefined;
  }
}

/** The conversations that lose their sandbox, in a sentence. */
function insideWords(inside: readonly Conversation[]): string[] {
  const names = inside.map((conversation) => l10n.t('“{0}”', conversationName(conversation)));
  const [first, ...rest] = names;
  if (first === undefined) return [];
  return [
    rest.length === 0
      ? l10n.t('1 conversation uses it: {0}.', first)
      : l10n.t('{0} conversations use it: {1}.', names.length, nameList(names.slice(0, 10))),
  ];
}

/** Whether the window switched to another service while the question was open; tells the user. */
export function hasSwitched(session: SessionStore, client: ApiClient): boolean {
  if (clientOf(session.current) === client) return false;
  void vscode.window.showInformationMessage(
    l10n.t('Nothing was done: this window switched to another connection.'),
  );
  return true;
}
