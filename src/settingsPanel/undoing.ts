import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import { fieldLabel } from '../shared/fields';
import type { Conflict, FormEdits } from '../shared/form';
import { nameList, sentences } from '../shared/joined';
import type { SaveResult } from '../shared/messages';
import type { SecretField } from '../shared/settings';
import type { Applied } from '../state/settings/compare';
import type { SaveOutcome, SettingsDocument } from '../state/settings/document';
import type { Undo } from '../state/settings/undo';
import { isEmpty, type FormHost, type OpenForm } from './formHost';
import type { FormPorts } from './ports';
import { sandboxKeyMayGo, typedMayGo } from './saving';
import { conflictChoices, droppedWords, errorWords, overlapNotices } from './words';

/** What became of taking a save back. */
export type UndoOutcome =
  /** `document` is what the service holds now; `words` say what is back and what is not. */
  | { kind: 'undone'; document: SettingsDocument; words: string[] }
  /** Somebody else has changed the same since, so the user has to choose; `edits` are those of the undo. */
  | { kind: 'conflict'; edits: FormEdits; conflicts: Conflict[] }
  /** `applied`: whether it took place all the same, found by reading back. */
  | { kind: 'failed'; message: string; applied: Applied }
  | { kind: 'cancelled' };

/**
 * Takes back the save that ended with `saved`, by a save of its own: read afresh, merged, read back. Taking that one
 * back in turn does the first one again.
 */
export async function takeBack(
  saved: SettingsDocument,
  ports: Pick<FormPorts, 'confirm'>,
): Promise<UndoOutcome> {
  const undo = saved.undo();
  if (undo === undefined || isEmpty(undo.edits)) {
    const message = (undo && notRestoredWords(undo)) ?? nothingToUndo();
    return { kind: 'failed', message, applied: 'no' };
  }
  let outcome = await saved.save(undo.edits);
  if (outcome.kind === 'needsConfirmation') {
    if (!(await sandboxKeyMayGo(ports))) return { kind: 'cancelled' };
    outcome = await saved.save(undo.edits, { sandboxKeyConfirmed: true });
  }
  return toUndoOutcome(outcome, undo);
}

function toUndoOutcome(outcome: SaveOutcome, undo: Undo): UndoOutcome {
  switch (outcome.kind) {
    case 'saved': {
      const words = [
        l10n.t('The last save was undone: the former values are back.'),
        notRestoredWords(undo),
        ...outcome.notes.map(({ message }) => message),
      ];
      return {
        kind: 'undone',
        document: outcome.document,
        words: words.filter((text) => text !== undefined),
      };
    }
    case 'conflict':
      return { kind: 'conflict', edits: undo.edits, conflicts: outcome.conflicts };
    case 'invalid':
      return {
        kind: 'failed',
        message: sentences(...outcome.errors.map(({ message }) => message)),
        applied: 'no',
      };
    case 'failed':
      return { kind: 'failed', message: notUndoneWords(outcome), applied: outcome.applied };
    case 'needsConfirmation':
      return { kind: 'cancelled' };
  }
}

function notUndoneWords({ error, applied }: Extract<SaveOutcome, { kind: 'failed' }>): string {
  const result: Record<Applied, () => string> = {
    yes: () => l10n.t('The service’s answer was lost on the way, but the former values are back.'),
    no: () => l10n.t('Nothing was undone.'),
    partly: () => l10n.t('Only a part of it was undone.'),
    unknown: () => l10n.t('Whether it was undone is not known.'),
  };
  return applied === 'yes' ? result.yes() : sentences(errorWords(error), result[applied]());
}

/** Said when this window knows of no save. */
export function nothingToUndo(): string {
  return l10n.t('There is no save of this window that could be undone.');
}

function notRestoredWords({ notRestored }: Undo): string | undefined {
  if (notRestored.length === 0) return undefined;
  const names = nameList(notRestored.map((field) => fieldLabel(field as SecretField)));
  return l10n.t(
    'Not restored, because only the service knew the former value: {0}. Enter it again with Replace.',
    names,
  );
}

/**
 * Takes the last save back with the form open: it shows what the service holds then, a conflict to choose in, or why it
 * failed. Unsaved edits stay in the form.
 */
export async function undoInForm(host: FormHost): Promise<void> {
  const { open, ports } = host;
  if (open === undefined || open.saving) return;
  const saved = ports.lastSaves.get(open.client);
  const tell = (result: SaveResult) => ports.post({ type: 'saveResult', result });
  open.saving = true;
  ports.post({ type: 'saving' });
  try {
    if (!saved) {
      tell({ kind: 'notUndone', message: nothingToUndo() });
      return;
    }
    const mayGo = await typedMayGo(ports, open, l10n.t('Undo the last save?'), l10n.t('Undo'));
    if (!mayGo || host.open !== open) {
      tell({ kind: 'cancelled' });
      return;
    }
    await report(host, open, saved, await takeBack(saved, ports));
  } catch (error) {
    tell({ kind: 'notUndone', message: l10n.t('Something failed that should not. The log tells more.') });
    ports.log.error(
      `Undoing failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  } finally {
    open.saving = false;
  }
}

function rebased({ document, edits }: OpenForm, onto: SettingsDocument) {
  const { values, mcpServers } = document.model;
  return onto.restore(edits, { values, mcpServers: edits.mcpServers === null ? null : mcpServers });
}

async function report(
  host: FormHost,
  open: OpenForm,
  saved: SettingsDocument,
  outcome: UndoOutcome,
): Promise<void> {
  const { ports } = host;
  const tell = (result: SaveResult) => {
    if (host.open?.client === open.client) ports.post({ type: 'saveResult', result });
  };
  switch (outcome.kind) {
    case 'undone': {
      ports.lastSaves.set(open.client, outcome.document);
      // Another connection may have taken this one's place in the form.
      if (host.open !== open) return;
      const restored = rebased(open, outcome.document);
      const next = host.opened(open.client, outcome.document);
      const dropped = restored.dropped.length === 0 ? [] : [droppedWords(restored.dropped)];
      next.notices = [...outcome.words, ...dropped, ...overlapNotices(restored)];
      host.setEdits(outcome.document.review(restored.edits).length > 0 ? restored.edits : next.edits);
      host.show(next);
      tell({ kind: 'saved', notes: next.notices, undo: 'done' });
      return;
    }
    case 'conflict': {
      if (host.open !== open) return;
      if (!isEmpty(open.edits)) {
        const message = l10n.t(
          'somebody else has changed the same since. Save or revert your own changes first, then undo again and choose.',
        );
        tell({ kind: 'notUndone', message });
        return;
      }
      const next = host.opened(open.client, saved);
      host.setEdits(outcome.edits);
      host.show(next);
      tell({ kind: 'conflict', conflicts: conflictChoices(outcome.conflicts) });
      return;
    }
    case 'failed':
      if (outcome.applied !== 'no') {
        ports.lastSaves.forget(open.client);
        open.saving = false;
        await host.refresh();
      }
      if (outcome.applied === 'yes') tell({ kind: 'saved', notes: [outcome.message], undo: 'done' });
      else tell({ kind: 'notUndone', message: outcome.message });
      return;
    case 'cancelled':
      tell({ kind: 'cancelled' });
  }
}

/**
 * Takes the last save back without a form. Returns what to tell the user; undefined when they have to choose, for
 * which a form is needed.
 */
export async function undoWithoutForm(
  ports: Pick<FormPorts, 'confirm' | 'lastSaves'>,
  client: ApiClient | undefined,
): Promise<string[] | undefined> {
  const saved = client && ports.lastSaves.get(client);
  if (!client || !saved) return [nothingToUndo()];
  const outcome = await takeBack(saved, ports);
  switch (outcome.kind) {
    case 'undone':
      ports.lastSaves.set(client, outcome.document);
      return outcome.words;
    case 'conflict':
      return undefined;
    case 'failed':
      if (outcome.applied !== 'no') ports.lastSaves.forget(client);
      return [outcome.message];
    case 'cancelled':
      return [];
  }
}
