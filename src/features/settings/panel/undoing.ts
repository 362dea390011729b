import * as l10n from '@vscode/l10n';
import { errorWords } from '../../../editor/errorText';
import type { ApiClient } from '../../../api/service/client';
import type { Conflict, FormEdits, SaveNote } from '../shared/form';
import { sentences } from '../../../shared/joined';
import type { SaveApplied } from '../model/saveOutcome';
import type { SaveOutcome, SettingsDocument } from '../model/document';
import type { Undo } from '../model/undo';
import { agreesToMoves, saveAsking, type Asking } from './asking';
import { changing, readAgain, typedMayGo } from './saving';
import type { FormHost } from './formHost';
import { type Ending, isEmpty, type OpenForm } from './openForm';
import type { FormPorts } from './ports';
import { conflictChoices, secretLabels } from './words';

/** The result of undoing a save. */
type UndoOutcome =
  /** `document` is what the service holds now; `words` say what isn't back, and why, `notes` included. */
  | { kind: 'undone'; document: SettingsDocument; notes: SaveNote[]; words: string[] }
  /** The same values have changed on the service since, so the user has to choose; `edits` on `document` are the undo. */
  | { kind: 'conflict'; document: SettingsDocument; edits: FormEdits; conflicts: Conflict[] }
  /** `applied`: whether it happened anyway, found by reading back. */
  | { kind: 'failed'; message: string; applied: SaveApplied }
  | { kind: 'canceled' };

/**
 * Takes back the save that ended with `last`, by a save of its own: read again, merged, read back. Undoing that one in
 * turn redoes the first.
 */
async function takeBack(last: SettingsDocument, ports: Asking, baseUrl: string): Promise<UndoOutcome> {
  const saved = last.untyped();
  const undo = saved.undo();
  if (undo === undefined || isEmpty(undo.edits)) {
    const message = (undo && notRestoredWords(undo)) ?? nothingToUndo();
    return { kind: 'failed', message, applied: 'no' };
  }
  // A key that can't be restored stays, and hasn't been used for the previous address.
  const values = undo.notRestored.includes('llm_api_key') ? undo.edits.values : {};
  const moved = saved.newDestinations({ ...undo.edits, values, mcpServers: undo.keeping });
  const agreed = await agreesToMoves(ports, saved, { moved, saved: undo.edits }, l10n.t('Undo'));
  if (!agreed) return { kind: 'canceled' };
  const outcome = await saveAsking(
    ports,
    baseUrl,
    (confirmed) => saved.save(undo.edits, { confirmed }),
    (result) => result,
    agreed,
  );
  return outcome === undefined ? { kind: 'canceled' } : toUndoOutcome(outcome, undo);
}

function toUndoOutcome(outcome: SaveOutcome, undo: Undo): UndoOutcome {
  switch (outcome.kind) {
    case 'saved': {
      const { document, notes } = outcome;
      const words = [notRestoredWords(undo), ...notes.map(({ message }) => message)];
      return { kind: 'undone', document, notes, words: words.filter((text) => text !== undefined) };
    }
    case 'conflict':
      return {
        kind: 'conflict',
        document: outcome.document,
        edits: undo.edits,
        conflicts: outcome.conflicts,
      };
    case 'invalid':
      return {
        kind: 'failed',
        message: sentences(...outcome.errors.map(({ message }) => message)),
        applied: 'no',
      };
    case 'failed':
      return { kind: 'failed', message: notUndoneWords(outcome), applied: outcome.applied };
    case 'needsConfirmation':
      return { kind: 'canceled' };
  }
}

function notUndoneWords({ error, applied }: Extract<SaveOutcome, { kind: 'failed' }>): string {
  const result: Record<SaveApplied, () => string> = {
    yes: () => l10n.t('The service didn’t answer, but the previous values are back.'),
    no: () => l10n.t('Nothing was undone.'),
    partly: () => l10n.t('Only part of the save was undone.'),
    unknown: () => l10n.t('The save may have been undone.'),
  };
  return applied === 'yes' ? result.yes() : sentences(errorWords(error, applied), result[applied]());
}

/** Tells the user that this window has no save to undo. */
function nothingToUndo(): string {
  return l10n.t('There’s nothing to undo: this window hasn’t saved anything.');
}

function notRestoredWords({ notRestored }: Undo): string | undefined {
  if (notRestored.length === 0) return undefined;
  return l10n.t(
    'Not restored, because only the service had the previous value: {0}. Enter it again with Replace.',
    secretLabels(notRestored),
  );
}

/**
 * Takes the last save back with the form open: it shows what the service holds then, a conflict to choose in, or why it
 * failed. Unsaved edits stay in the form.
 */
export async function undoInForm(host: FormHost, open: OpenForm): Promise<void> {
  const { ports } = host;
  if (open.working !== null) return;
  const saved = ports.lastSaves.get(open.client);
  open.notices = [];
  if (!saved) {
    host.show({ result: { kind: 'notUndone', message: nothingToUndo() } });
    return;
  }
  const message = l10n.t('Something went wrong. See the log for details.');
  const unexpected: Ending = { result: { kind: 'notUndone', message } };
  await changing(host, open, l10n.t('Saving…'), unexpected, async () => {
    const mayGo = await typedMayGo(ports, open, l10n.t('Undo the last save?'), l10n.t('Undo'));
    if (!mayGo || host.open !== open) return { result: { kind: 'canceled' } };
    return endingOf(host, open, await takeBack(saved, ports, open.client.baseUrl));
  });
}

async function endingOf(host: FormHost, open: OpenForm, outcome: UndoOutcome): Promise<Ending> {
  const { lastSaves } = host.ports;
  switch (outcome.kind) {
    case 'undone': {
      const { document, notes, words } = outcome;
      host.operators.learn(open.client, document.model.mcpServers, notes);
      lastSaves.set(open.client, document);
      const ending = await readAgain(host, open, document);
      const notices = [...words, ...ending.notices];
      return { ...ending, notices, result: { kind: 'saved', undo: 'done' } };
    }
    case 'conflict': {
      if (isEmpty(open.edits)) {
        const conflicts = conflictChoices(outcome.conflicts);
        return {
          document: outcome.document,
          isEarlier: true,
          edits: outcome.edits,
          result: { kind: 'conflict', conflicts },
        };
      }
      const message = l10n.t(
        'these values have changed on the service since. Save or revert your own changes, then undo again.',
      );
      return { result: { kind: 'notUndone', message } };
    }
    case 'failed': {
      const { applied, message } = outcome;
      if (applied === 'no') return { result: { kind: 'notUndone', message } };
      lastSaves.forget(open.client);
      const ending = await readAgain(host, open);
      if (applied !== 'yes') return { ...ending, result: { kind: 'notUndone', message } };
      return { ...ending, notices: [message, ...ending.notices], result: { kind: 'saved', undo: 'done' } };
    }
    case 'canceled':
      return { result: { kind: 'canceled' } };
  }
}

/**
 * Takes the last save back without a form. Returns what to tell the user; undefined when they have to choose, for
 * which a form is needed.
 */
export async function undoWithoutForm(
  ports: Asking & Pick<FormPorts, 'lastSaves'>,
  client: ApiClient | undefined,
): Promise<string[] | undefined> {
  const saved = client && ports.lastSaves.get(client);
  if (!client || !saved) return [nothingToUndo()];
  const outcome = await takeBack(saved, ports, client.baseUrl);
  switch (outcome.kind) {
    case 'undone':
      ports.lastSaves.set(client, outcome.document);
      return [l10n.t('The last save was undone. The previous values are back.'), ...outcome.words];
    case 'conflict':
      return undefined;
    case 'failed':
      if (outcome.applied !== 'no') ports.lastSaves.forget(client);
      return [outcome.message];
    case 'canceled':
      return [];
  }
}
