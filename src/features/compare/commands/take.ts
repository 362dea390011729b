import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { conversationName } from '../../../core/lists/names';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';
import { listed } from '../../../editor/inputs';
import { type CommandId, commandIds } from '../../../ids';
import { membersOf } from '../../../shared/membersOf';
import { applyChanges } from '../../changes/editor';

type Needs = Parameters<typeof applyChanges>[0] & { run: (id: CommandId, args: unknown[]) => Promise<void> };

/** Take This One: applies the changes of an attempt, and then asks what becomes of the others. */
export function take(needs: Needs): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    if (ref?.kind !== 'conversation') return;
    const applied = await applyChanges(needs, argument);
    if (!applied) return;
    await settleOthers(needs, ref.id, ref.service, othersIn(argument));
    await applied.told;
  };
}

/** The ids of the other attempts in a command’s argument. */
export function othersIn(argument: unknown): string[] {
  const { others } = membersOf(argument);
  return Array.isArray(others) ? others.filter((one) => typeof one === 'string') : [];
}

/** Asks what becomes of the attempts that weren’t taken, and does it. */
export async function settleOthers(
  { model, run }: Pick<Needs, 'model' | 'run'>,
  taken: string,
  service: string | undefined,
  ids: readonly string[],
): Promise<void> {
  // What follows acts on the connected service.
  if (service !== undefined && service !== model.service) return;
  const others = ids.flatMap((id) => model.conversation(id) ?? []);
  if (others.length === 0) return;
  const archive = l10n.t('Archive');
  const pause = l10n.t('Pause');
  const remove = l10n.t('Delete…');
  const picked = await vscode.window.showInformationMessage(
    others.length === 1
      ? l10n.t('What should happen to the other attempt?')
      : l10n.t('What should happen to the {0} other attempts?', others.length),
    { modal: true, detail: listed(others.map((one) => conversationName(one))) },
    ...[archive, pause, remove],
  );
  const runOn = (command: CommandId, kind: 'conversation' | 'sandbox', all: readonly string[]) => {
    const refs = [...new Set(all)].map((id) => ({ ref: { kind, id } }));
    return refs.length === 0 ? undefined : run(command, [refs[0], refs]);
  };
  const names = others.map(({ id }) => id);
  if (picked === archive) await runOn(commandIds.conversationArchive, 'conversation', names);
  if (picked === remove) await runOn(commandIds.conversationDelete, 'conversation', names);
  if (picked !== pause) return;
  const own = model.conversation(taken)?.sandbox_id;
  const sandboxes = others.flatMap(({ sandbox_id: id }) => (id && id !== own ? [id] : []));
  // An agent server has none: there, only the agents can pause.
  if (sandboxes.length > 0) await runOn(commandIds.sandboxPause, 'sandbox', sandboxes);
  else await runOn(commandIds.conversationPause, 'conversation', names);
}
