import * as l10n from '@vscode/l10n';
import { sentences } from '../shared/joined';
import type { Choice, SaveResult } from '../shared/messages';
import type { SaveOutcome, SettingsDocument } from '../state/settings/document';
import { storeDrafts } from './drafts';
import { noEdits, type FormHost, type OpenForm } from './formHost';
import type { FormPorts } from './ports';
import { conflictChoices, droppedWords, failureWords } from './words';

/** Saves the edits of the form and tells it how that ended. In every case but `saved` they stay in the form. */
export async function save(host: FormHost, choices: Readonly<Record<string, Choice>>): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  if (open.saving) {
    // The form asked before it heard that something else goes on.
    if (open.working !== undefined) host.ports.post({ type: 'saveResult', result: { kind: 'cancelled' } });
    return;
  }
  open.saving = true;
  try {
    const outcome = await outcomeOf(host, open, choices);
    if (outcome === undefined) host.ports.post({ type: 'saveResult', result: { kind: 'cancelled' } });
    else await report(host, open, outcome);
  } catch (error) {
    host.ports.log.error(
      `Saving failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    const message = l10n.t(
      'Something failed that should not. The log tells more. Your changes are still here.',
    );
    host.ports.post({ type: 'saveResult', result: { kind: 'failed', message } });
  } finally {
    open.saving = false;
  }
}

/** Undefined when the user was asked and does not want to save. */
async function outcomeOf(
  host: FormHost,
  open: OpenForm,
  resolution: Readonly<Record<string, Choice>>,
): Promise<SaveOutcome | undefined> {
  const outcome = await open.document.save(open.edits, { resolution });
  if (outcome.kind !== 'needsConfirmation') return outcome;
  const agreed = await sandboxKeyMayGo(host.ports);
  return agreed ? open.document.save(open.edits, { resolution, sandboxKeyConfirmed: true }) : undefined;
}

/** Asks before a save that may make the service forget the sandbox API key. */
export function sandboxKeyMayGo({ confirm }: Pick<FormPorts, 'confirm'>): Promise<boolean> {
  return confirm(
    l10n.t('Saving may lose the sandbox API key'),
    l10n.t(
      'The service does not tell whether it holds a sandbox API key, and forgets it at every save that does not bring it along. If one is in use, go back and enter it again with Replace.',
    ),
    l10n.t('Save Anyway'),
  );
}

/** Asks before something that puts the form on another reading, to which typed secrets do not come along. */
export async function typedMayGo(
  { confirm }: Pick<FormPorts, 'confirm'>,
  { document, edits }: Pick<OpenForm, 'document' | 'edits'>,
  question: string,
  action: string,
): Promise<boolean> {
  const { values, mcpServers } = document.model;
  const { dropped } = document.restore(edits, { values, mcpServers });
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
    // A save that changed nothing leaves the one before it to be taken back.
    if (canUndo) ports.lastSaves.set(open.client, outcome.document);
    // Another connection may have taken this one's place in the form.
    if (host.open !== open) return;
    const notes = outcome.notes.map(({ message }) => message);
    host.show(Object.assign(host.opened(open.client, outcome.document), { notices: notes }));
    tell({ kind: 'saved', notes, undo: canUndo ? 'possible' : 'impossible' });
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
      // It was asked and answered; a service that asks again has changed in between.
      tell({ kind: 'cancelled' });
  }
}

/** True when the save that ended with `document` can be taken back: not where the service undid it itself. */
function hasEffect(document: SettingsDocument): boolean {
  const undo = document.undo();
  return undo !== undefined && (undo.notRestored.length > 0 || document.review(undo.edits).length > 0);
}

/** The answer was lost on the way, but reading back has shown that everything was stored. */
async function reportStored(host: FormHost, open: OpenForm): Promise<void> {
  storeDrafts(host.ports, { ...open, edits: noEdits });
  await host.load();
  const notes = [l10n.t('The service’s answer was lost on the way, but it has stored your changes.')];
  host.ports.post({ type: 'saveResult', result: { kind: 'saved', notes, undo: 'impossible' } });
}
