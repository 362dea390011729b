import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { bareId } from '../../../api/http/ids';
import type { ConversationsElsewhere } from '../../../core/lists/elsewhere';
import { conversationLabel } from '../../../core/lists/names';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';
import { listed } from '../../../editor/inputs';
import { type CommandId, commandIds } from '../../../ids';
import { membersOf } from '../../../shared/membersOf';
import { applyChanges } from '../../changes/editor';
import type { Attempts } from '../../start';
import { attemptNames } from '../model/names';

type Needs = Parameters<typeof applyChanges>[0] & {
  attempts: Attempts;
  others: ConversationsElsewhere;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
};

/** Take This One: applies the changes of an attempt, and then asks what to do with the others. */
export function take(needs: Needs): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    if (ref?.kind !== 'conversation') return;
    const applied = await applyChanges(needs, argument);
    if (!applied) return;
    await settleOthers(needs, ref.id, ref.service, attemptsIn(argument));
    await applied.told;
  };
}

/** The ids of the attempts in a command’s argument, in the order of the comparison. */
export function attemptsIn(argument: unknown): string[] {
  const { attempts } = membersOf(argument);
  return Array.isArray(attempts) ? attempts.filter((one) => typeof one === 'string') : [];
}

/**
 * Asks what becomes of the attempts that weren’t taken, and does it.
 *
 * @param ids of all attempts, in the order of the comparison
 */
export async function settleOthers(
  { model, others: elsewhere, attempts, run }: Pick<Needs, 'model' | 'others' | 'attempts' | 'run'>,
  taken: string,
  service: string | undefined,
  ids: readonly string[],
): Promise<void> {
  const away = service === model.service ? undefined : service;
  const find = (id: string) =>
    away === undefined ? model.conversation(id) : elsewhere.find(away, id)?.chosen;
  const all = ids.flatMap((id) => find(id) ?? []);
  const names = attemptNames(
    all.map((one) => ({
      label: attempts.of(service ?? model.service ?? '', one)?.label ?? '',
      model: one.llm_model ?? '',
      title: conversationLabel(one),
    })),
  );
  const others = all
    .map((one, at) => ({ ...one, name: names[at] ?? '' }))
    .filter(({ id }) => bareId(id) !== bareId(taken));
  if (others.length === 0) return;
  const listing = listed(others.map(({ name }) => name));
  const archive = l10n.t('Archive');
  const pause = l10n.t('Pause');
  const remove = l10n.t('Delete…');
  const picked = await vscode.window.showInformationMessage(
    others.length === 1
      ? l10n.t('What should happen to the other attempt?')
      : l10n.t('What should happen to the {0} other attempts?', others.length),
    {
      modal: true,
      detail:
        away === undefined
          ? listing
          : `${listing}\n\n${l10n.t('To pause or delete them, switch to their connection.')}`,
    },
    ...(away === undefined ? [archive, pause, remove] : [archive]),
  );
  const runOn = (command: CommandId, kind: 'conversation' | 'sandbox', some: readonly string[]) => {
    const refs = [...new Set(some)].map((id) => ({
      ref: { kind, id, ...(away !== undefined && { service: away }) },
    }));
    return refs.length === 0 ? undefined : run(command, [refs[0], refs]);
  };
  const left = others.map(({ id }) => id);
  if (picked === archive) await runOn(commandIds.conversationArchive, 'conversation', left);
  if (picked === remove) await runOn(commandIds.conversationDelete, 'conversation', left);
  if (picked !== pause) return;
  const own = model.conversation(taken)?.sandbox_id;
  const sandboxes = others.flatMap(({ sandbox_id: id }) => (id && id !== own ? [id] : []));
  // An agent server has none: there, only the agents can pause.
  if (sandboxes.length > 0) await runOn(commandIds.sandboxPause, 'sandbox', sandboxes);
  else await runOn(commandIds.conversationPause, 'conversation', left);
}
