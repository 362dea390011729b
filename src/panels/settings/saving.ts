import * as l10n from '@vscode/l10n';
import { sentences } from '../../shared/joined';
import type { FormEdits } from '../../shared/form';
import type { Choice, SaveResult } from '../../shared/messages';
import type { SaveOutcome, SettingsDocument } from '../../state/settings/document';
import { saveAsking } from './asking';
import { changing } from './changing';
import { movesOf, secretsMayGo } from './destinations';
import { storeDrafts } from './drafts';
import type { FormHost } from './formHost';
import { noEdits, type OpenForm } from './openForm';
import type { FormPorts } from './ports';
import { conflictChoices, droppedWords, failureWords } from './words';

/** Saves the form's edits and tells the form the result. Unless saved, the edits stay in the form. */
export async function save(host: FormHost, choices: Readonly<Record<string, Choice>>): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  if (open.saving) {
    // The form asked before it knew that another change was running.
    if (open.working !== undefined) host.ports.post({ type: 'saveResult', result: { kind: 'canceled' } });
    return;
  }
  const tell = (result: SaveResult) => host.ports.post({ type: 'saveResult', result });
  const isDone = await changing(host, open, async () => {
    const outcome = await outcomeOf(host, open, choices);
    if (outcome !== undefined) await report(host, open, outcome);
    else if (host.open === open) tell({ kind: 'canceled' });
  });
  const message = l10n.t('Something went wrong. Your changes are still here. See the log for details.');
  if (!isDone) tell({ kind: 'failed', message });
}

/** Undefined when the user was asked and doesn't want to save, or the form is about something else by then. */
async function outcomeOf(
  host: FormHost,
  open: OpenForm,
  resolution: Readonly<Record<string, Choice>>,
): Promise<SaveOutcome | undefined> {
  const { edits } = open;
  const moves = movesOf(open.document.newDestinations(edits));
  if (moves.length > 0) {
    const agreed = await secretsMayGo(host.ports, open, moves, l10n.t('Save'));
    if (!agreed || host.open !== open) return undefined;
  }
  return saveAsking(
    host.ports,
    open.client.origin,
    (confirmed) => open.document.save(edits, { resolution, confirmed }),
    (outcome) => outcome,
  );
}

/** The secrets typed since the document was read, by wire name or “server: member”. */
export function typedSecrets(document: SettingsDocument, edits: FormEdits): string[] {
  const { values, mcpServers } = document.model;
  return document.restore(edits, { values, mcpServers }).dropped;
}

/** Asks before the form changes to another reading, which drops typed secrets. */
export async function typedMayGo(
  { confirm }: Pick<FormPorts, 'confirm'>,
  { document, edits }: Pick<OpenForm, 'document' | 'edits'>,
  question: string,
  action: string,
): Promise<boolean> {
  const dropped = typedSecrets(document, edits);
  if (dropped.length === 0) return true;
  const detail = sentences(l10n.t('Your unsaved changes stay in the form.'), droppedWords(dropped));
  return confirm(question, detail, action);
}

async function report(host: FormHost, open: OpenForm, outcome: SaveOutcome): Promise<void> {
  const { ports } = host;
  const tell = (result: SaveResult) => ports.post({ type: 'saveResult', result });
  if (outcome.kind === 'saved') {
    storeDrafts(ports, { ...open, edits: noEdits });
    host.operators.learn(open.client, outcome.document.model.mcpServers, outcome.notes);
    const canUndo = hasEffect(outcome.document);
    // After a save that changed nothing, the one before it can still be undone.
    if (canUndo) ports.lastSaves.set(open.client, outcome.document);
    // The form may show another connection by now.
    if (host.open !== open) return;
    const notes = outcome.notes.map(({ message }) => message);
    const result = { kind: 'saved', notes, undo: canUndo ? 'possible' : 'impossible' } as const;
    host.settle(open, outcome.document, { notices: notes, result });
    await offerToKeep(host, outcome.document);
    return;
  }
  if (host.open !== open) return;
  switch (outcome.kind) {
    case 'conflict':
      tell({ kind: 'conflict', conflicts: conflictChoices(outcome.conflicts) });
      return;
    case 'invalid':
      tell({ kind: 'invalid', problems: outcome.errors });
      return;
    case 'failed':
      if (outcome.applied !== 'no') ports.lastSaves.forget(open.client);
      if (outcome.applied === 'yes') await reportStored(host, open);
      else tell({ kind: 'failed', message: failureWords(outcome) });
      return;
    case 'needsConfirmation':
      // The user already agreed; if the save asks again, the service has changed since.
      tell({ kind: 'canceled' });
  }
}

/** Offers to keep the secrets of MCP servers for the next change, where the service hides them. */
async function offerToKeep(host: FormHost, document: SettingsDocument): Promise<void> {
  if (!document.offersToKeep()) return;
  const agreed = await host.ports.confirm(
    l10n.t('Keep the secrets of your MCP servers on this computer?'),
    l10n.t(
      'This service hides them and needs them all to change a server. If you keep them in the editor’s secret storage, you don’t have to enter them again for the next change.',
    ),
    l10n.t('Keep'),
  );
  if (!agreed || (await document.keepServers())) return;
  host.say(l10n.t('The secrets weren’t kept: the editor’s secret storage isn’t working.'));
}

/** True when the save that ended with `document` can be undone: not where the service undid it itself. */
function hasEffect(document: SettingsDocument): boolean {
  const undo = document.undo();
  return undo !== undefined && (undo.notRestored.length > 0 || document.review(undo.edits).length > 0);
}

/** The answer was lost, but reading back has shown that everything was saved. */
async function reportStored(host: FormHost, open: OpenForm): Promise<void> {
  storeDrafts(host.ports, { ...open, edits: noEdits });
  const notes = [l10n.t('The service didn’t answer, but your changes were saved.')];
  await host.load({ kind: 'saved', notes, undo: 'impossible' });
}
