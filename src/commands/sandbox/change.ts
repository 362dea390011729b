import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../api/service/client';
import type { Sandbox } from '../../api/service/schemas/sandbox';
import { showError } from '../../platform/progress';
import { nameList } from '../../shared/joined';
import type { ServiceModel } from '../../state/lists/serviceModel';
import { conversationName, sandboxName } from '../../state/sandboxes/names';
import { isFor, mayTry, type SandboxAction } from '../../state/sandboxes/actions';
import { changeSandboxes } from '../../state/sandboxes/changeSandboxes';
import { runningNow } from '../../state/sandboxes/serviceLimit';
import { clientOf, type SessionStore } from '../../state/session/session';
import type { CommandDependencies, Handler } from '../dependencies';
import { askSandbox, selectedSandboxes } from './chooseSandboxes';
import { confirmConsequences } from './confirmConsequences';

/**
 * Does `action` to the sandboxes selected in the tree, or to one that the user selects. What else will happen is said in
 * a question or in the picker; all failures are in one message.
 */
export function change(
  { session, model }: Pick<CommandDependencies, 'session' | 'model'>,
  action: SandboxAction,
): Handler {
  const { words, consequences, hint } = action;
  const fits = (sandbox: Sandbox) => mayTry(action, sandbox);
  const nameOf = (sandbox: Sandbox) => sandboxName(sandbox, model.conversations.state.items);
  return async (...args) => {
    const client = clientOf(session.current);
    const selected = (await selectedSandboxes(model, args))?.filter(fits);
    const ask = { title: words.title(), fits, none: words.none(), hint: () => hint?.(runningNow(model)) };
    const sandboxes = selected ?? (await askSandbox(model, ask));
    const [first] = sandboxes;
    if (!client || !first) return;
    if ((selected || action.isFinal) && words.selected) {
      const { question, agree } = words.selected;
      const count = sandboxes.filter((sandbox) => isFor(action, sandbox)).length;
      const also = [
        ...consequences(runningNow(model), count),
        ...(action.isFinal ? conversationsIn(model, sandboxes) : []),
      ];
      const asked = question(sandboxes.length, nameOf(first));
      if (!(await confirmConsequences(also, asked, agree()))) return;
    }
    if (hasSwitched(session, client)) return;
    const failures = await changeSandboxes(model, client, sandboxes, action);
    const [failure] = failures;
    if (!failure) return;
    const names = failures.map(({ sandbox }) => l10n.t('“{0}”', nameOf(sandbox)));
    await showError(words.failed(nameList(names)), failure.error);
  };
}

/** The conversations that lose their sandbox, in a sentence. */
function conversationsIn(
  { conversations }: Pick<ServiceModel, 'conversations'>,
  sandboxes: Sandbox[],
): string[] {
  const ids = new Set<unknown>(sandboxes.map(({ id }) => id));
  const names = conversations.state.items
    .filter(({ sandbox_id: id }) => ids.has(id))
    .map((conversation) => l10n.t('“{0}”', conversationName(conversation)));
  const [first, ...rest] = names;
  if (first === undefined) return [];
  return [
    rest.length === 0
      ? l10n.t('1 conversation uses it: {0}.', first)
      : l10n.t('{0} conversations use it: {1}.', names.length, nameList(names.slice(0, 10))),
  ];
}

/** Whether the window has switched away from the service of `client` while the user was asked; says so. */
export function hasSwitched(session: SessionStore, client: ApiClient): boolean {
  if (clientOf(session.current) === client) return false;
  void vscode.window.showInformationMessage(
    l10n.t('Nothing was done: this window switched to another connection.'),
  );
  return true;
}
