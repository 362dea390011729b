import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import { plainText } from '../../../shared/plainText';
import { type AllChanges, readChanges } from '../../changes';
import { type ChangesNeeds, tellFailure, uriOf } from '../../changes/editor';
import type { ConversationModel } from '../../live';
import { titleOf } from '../../live/editor';
import type { Attempts } from '../../start';
import { type ComparedFile, comparedDifference } from '../model/difference';
import { type AttemptNames, attemptNames } from '../model/names';
import { attemptsIn } from './take';

type Needs = ChangesNeeds & { attempts: Attempts };

/** Show Difference: compares what two attempts left, in the multi-file diff editor. */
export function showDifference(needs: Needs): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    if (ref?.kind !== 'conversation') return;
    const { conversations } = needs;
    const service = ref.service ?? conversations.service;
    const model = conversations.model(ref.id, service);
    const all = attemptsIn(argument).flatMap((id) => conversations.model(id, service) ?? []);
    const others = all.filter((one) => one !== model);
    if (!model || others.length === 0) return;
    const names = attemptNames(all.map((one) => namesIn(needs, service ?? '', one)));
    const nameOf = (one: ConversationModel) => names[all.indexOf(one)] ?? titleOf(one);
    const other = await chooseOther(others, nameOf);
    if (!other) return;
    try {
      const read = await unlessCanceled(l10n.t('Reading changes…'), async (_report, signal) =>
        Promise.all([other, model].map((one) => readChanges(one, signal))),
      );
      const [old, now] = read ?? [];
      if (!old || !now) return;
      await open(
        needs,
        service,
        [
          { model: other, all: old },
          { model, all: now },
        ],
        `${nameOf(other)} ↔ ${nameOf(model)}`,
      );
    } catch (error) {
      await tellFailure(error);
    }
  };
}

function namesIn(
  { attempts, model: lists }: Needs,
  service: string,
  { id, head }: ConversationModel,
): AttemptNames {
  const known = service === lists.service ? lists.conversation(id) : undefined;
  const { label = '' } = attempts.of(service, known ?? { id }) ?? {};
  return { label, model: head.about.model, title: head.title };
}

async function chooseOther(others: readonly ConversationModel[], nameOf: (one: ConversationModel) => string) {
  if (others.length === 1) return others[0];
  const picked = await askPick({
    title: l10n.t('Show Difference'),
    placeholder: l10n.t('Select the attempt to compare with'),
    items: others.map((other) => ({
      label: nameOf(other),
      description: plainText(other.head.about.model, 80),
      other,
    })),
  });
  return typeof picked === 'object' ? picked.other : undefined;
}

interface Side {
  model: ConversationModel;
  all: AllChanges;
}

async function open(
  { shownChanges }: Needs,
  service: string | undefined,
  [old, now]: readonly [Side, Side],
  title: string,
): Promise<void> {
  const { files, isSameBase } = comparedDifference(old.all, now.all);
  if (files.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t('Both attempts have the same changes, as far as they could be read.'),
    );
    return;
  }
  const added = new Set<unknown>();
  const sideUri = ({ model: { id }, all }: Side, part: ComparedFile['old']) => {
    if (!part) return undefined;
    const { read, file, side } = part;
    const from = all.limit === undefined ? ('sandbox' as const) : ('events' as const);
    const origin = { conversation: id, service, from, root: read.changes.repository.root };
    if (!added.has(read.source)) shownChanges.add(origin, read.source);
    added.add(read.source);
    return uriOf(origin, file, side, undefined);
  };
  const resources = files.map((file) => {
    const sides = { old, now };
    const uri = (which: 'old' | 'now') => {
      const part = file[which];
      return part && sideUri(sides[part.of], part);
    };
    const [original, modified] = [uri('old'), uri('now')];
    return [modified ?? original, original, modified];
  });
  await vscode.commands.executeCommand('vscode.changes', title, resources);
  const isWhole = [old.all, now.all].every(({ isWhole, limit }) => isWhole && limit === undefined);
  if (!isWhole)
    void vscode.window.showWarningMessage(
      l10n.t('Not all changes could be read from the sandboxes, so differences may be missing.'),
    );
  else if (!isSameBase)
    void vscode.window.showInformationMessage(
      l10n.t('The attempts began from different commits. What differs between those isn’t shown.'),
    );
}
