import * as l10n from '@vscode/l10n';
import { sentences } from '../../../shared/joined';
import type { FormEdits, SavedChange } from '../shared/form';
import type { Choice, ReviewGroup } from '../shared/messages';
import { type SaveOutcome, SettingsDocument } from '../model/document';
import { agreesToMoves, saveAsking } from './asking';
import { storeDrafts } from './drafts';
import type { FormHost } from './formHost';
import { type Ending, noEdits, type OpenForm, editsOn } from './openForm';
import type { FormPorts } from './ports';
import { conflictChoices, droppedWords, failureWords, memberLabel } from './words';
import { errorWords } from '../../../editor/errorText';
import { errorLines } from '../../../editor/logLine';
import { sectionLabel, sections } from '../../../shared/fields';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import { plainText } from '../../../shared/plainText';
import { fieldLabel, fieldSection } from '../../../shared/settings';

/** How the user settled conflicts, by their key. */
type Choices = Readonly<Record<string, Choice>>;

/** Saves the form's edits and shows the result. Unless saved, the edits stay in the form. */
export async function save(host: FormHost, open: OpenForm, choices: Choices): Promise<void> {
  if (open.working !== null) {
    // The form asked before it knew that another change was running.
    host.show({ result: { kind: 'canceled' } });
    return;
  }
  open.notices = [];
  const message = l10n.t('Something went wrong. Your changes are still here. See the log for details.');
  const unexpected: Ending = { result: { kind: 'failed', message } };
  const { document } = await changing(host, open, l10n.t('Saving…'), unexpected, async () => {
    const outcome = await outcomeOf(host, open, choices);
    return outcome ? endingOf(host, open, outcome) : { result: { kind: 'canceled' } };
  });
  if (document && host.open?.client === open.client) await offerToKeep(host, open, document);
}

/** Undefined when the user was asked and doesn't want to save, or the form is about something else by then. */
async function outcomeOf(host: FormHost, open: OpenForm, choices: Choices): Promise<SaveOutcome | undefined> {
  const { edits } = open;
  const moved = open.document.newDestinations(edits);
  const sent = { moved, saved: edits };
  const agreed = await agreesToMoves(host.ports, open.document, sent, l10n.t('Save'), open.agreed);
  // What needed no question is saved even if the window switches to another connection in the meantime.
  if (!agreed || (moved.length > 0 && host.open !== open)) return undefined;
  return saveAsking(
    host.ports,
    open.client.baseUrl,
    (confirmed) => open.document.save(edits, { resolution: choices, confirmed }),
    (outcome) => outcome,
    agreed,
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

async function endingOf(host: FormHost, open: OpenForm, outcome: SaveOutcome): Promise<Ending> {
  const { lastSaves } = host.ports;
  switch (outcome.kind) {
    case 'saved': {
      const { document } = outcome;
      host.operators.learn(open.client, document.model.mcpServers, outcome.notes);
      const canUndo = hasEffect(document);
      // After a save that changed nothing, the one before it can still be undone.
      if (canUndo) lastSaves.set(open.client, document);
      const notices = outcome.notes.map(({ message }) => message);
      return { document, notices, result: { kind: 'saved', undo: canUndo ? 'possible' : 'impossible' } };
    }
    case 'conflict':
      return { result: { kind: 'conflict', conflicts: conflictChoices(outcome.conflicts) } };
    case 'invalid':
      return { result: { kind: 'invalid', problems: outcome.errors } };
    case 'failed':
      if (outcome.applied !== 'no') lastSaves.forget(open.client);
      if (outcome.applied !== 'yes') {
        const message = failureWords(outcome, open.edits, open.document.model);
        return { result: { kind: 'failed', message } };
      }
      await showStored(host, open);
      return {};
    case 'needsConfirmation':
      // The user already agreed; if the save asks again, the service has changed since.
      return { result: { kind: 'canceled' } };
  }
}

/** Offers to keep the secrets of MCP servers for the next change, where the service hides them. */
async function offerToKeep(host: FormHost, { client }: OpenForm, document: SettingsDocument): Promise<void> {
  if (!document.offersToKeep()) return;
  const agreed = await host.ports.confirm(
    l10n.t('Keep the secrets of your MCP servers on this computer?'),
    l10n.t(
      'This service hides them and needs them all to change a server. If you keep them in the editor’s secret storage, you don’t have to enter them again for the next change. If one changes elsewhere, enter it here too: your next change sends the one kept here.',
    ),
    l10n.t('Keep'),
  );
  // If the connection was removed in the meantime, its secrets were deleted and must stay so.
  if (!agreed || host.open?.client !== client || (await document.keepServers())) return;
  host.say(l10n.t('The secrets weren’t kept: the editor’s secret storage isn’t working.'));
}

/** True when the save that ended with `document` can be undone: not where the service undid it itself. */
function hasEffect(document: SettingsDocument): boolean {
  const undo = document.untyped().undo();
  return undo !== undefined && (undo.notRestored.length > 0 || document.review(undo.edits).length > 0);
}

/** The answer was lost, but reading back has shown that everything was saved. */
async function showStored(host: FormHost, open: OpenForm): Promise<void> {
  storeDrafts(host.ports, { ...open, edits: noEdits });
  if (host.open !== open) return;
  const notices = [l10n.t('The service didn’t answer, but your changes were saved.')];
  await host.load({ result: { kind: 'saved', undo: 'impossible' }, notices });
}

/**
 * Changes the service, blocking all other changes of the form, and shows how that ended.
 * @param words what's being done
 * @param unexpected the ending if `work` fails unexpectedly; the error goes to the log
 */
export async function changing(
  host: FormHost,
  open: OpenForm,
  words: string,
  unexpected: Ending,
  work: () => Promise<Ending>,
): Promise<Ending> {
  open.working = words;
  host.show();
  let ending = unexpected;
  try {
    ending = await work();
  } catch (error) {
    host.ports.log.error(`A change of the settings failed: ${errorLines(error)}`);
  }
  open.working = null;
  host.settle(open, ending);
  return ending;
}

/**
 * The ending of a change that altered the service's settings: the new ones, with the form's edits on them.
 * @param known what the service has, if it was read
 * @param without id of a server that left the service
 */
export async function readAgain(
  { ports }: FormHost,
  open: OpenForm,
  known?: SettingsDocument,
  without?: string,
): Promise<Ending & { notices: readonly string[] }> {
  let document = known;
  try {
    document ??= await SettingsDocument.load(open.client, ports.safeguards);
  } catch (error) {
    return { notices: [l10n.t('Couldn’t reload the settings from the service. {0}', errorWords(error))] };
  }
  const { edits, words } = editsOn(document, open, without);
  return { document, edits, notices: words };
}

/** Tells the form what a save of its edits would change. */
export function review({ ports }: FormHost, { document, edits }: OpenForm): void {
  const notes = document.sandboxKeyAtRisk(edits)
    ? [l10n.t('This save may delete the sandbox API key. You’ll be asked before that happens.')]
    : [];
  const servers = [...document.model.mcpServers, ...(edits.mcpServers ?? [])];
  ports.post({ type: 'review', groups: reviewGroups(document.review(edits), servers), notes });
}

/**
 * The changes by section, and those of MCP servers by server, in the order of the form. `servers` are those that the
 * changes are about; where one is there twice, the first gives it its name.
 */
function reviewGroups(changes: readonly SavedChange[], servers: readonly McpServer[]): ReviewGroup[] {
  const groups = new Map<string, ReviewGroup>();
  const put = (key: string, title: string, label: string, { before, after }: SavedChange) => {
    const group = groups.get(key) ?? { title, changes: [] };
    groups.set(key, group);
    group.changes.push({ label, before, after });
  };
  for (const change of inOrderOfForm(changes)) {
    const { target } = change;
    switch (target.at) {
      case 'field': {
        const section = fieldSection(target.field);
        put(section, sectionLabel(section), fieldLabel(target.field), change);
        break;
      }
      case 'mcp': {
        const server = servers.find(({ id }) => id === target.id);
        const name = plainText(server === undefined ? change.label : mcpLabel(server), 200);
        const title = l10n.t('MCP server {0}', name || l10n.t('(unnamed)'));
        put(`mcp ${target.id}`, title, memberLabel(target.member, change.label), change);
        break;
      }
      case 'more':
        put('more', sectionLabel('more'), plainText(change.label, 200), change);
        break;
      case 'form':
        put('mcp', sectionLabel('mcp'), l10n.t('Order'), change);
    }
  }
  return [...groups.values()];
}

function inOrderOfForm(changes: readonly SavedChange[]): SavedChange[] {
  const place = ({ target }: SavedChange) =>
    sections.indexOf(
      target.at === 'field' ? fieldSection(target.field) : target.at === 'more' ? 'more' : 'mcp',
    );
  return changes.toSorted((one, other) => place(one) - place(other));
}
