import * as l10n from '@vscode/l10n';
import { sentences } from '../../shared/joined';
import type { Json } from '../../shared/json';
import { mcpLabel, type McpServer } from '../../shared/mcp';
import type { ParkedServer } from '../../shared/parked';
import { plainText } from '../../shared/plainText';
import type { ServerEvent } from '../../shared/serverMessages';
import {
  parkServer,
  restoreServer,
  type NotSaved,
  type Parking,
  type ParkingOutcome,
} from '../../state/parked/parking';
import { carriedOver } from '../../state/parked/plans';
import { SettingsDocument } from '../../state/settings/document';
import { sameJson } from '../../state/settings/json';
import { sameLabel } from '../../state/settings/servers';
import { noEdits, type FormHost, type OpenForm } from '../formHost';
import { sandboxKeyMayGo, typedMayGo } from '../saving';
import { droppedWords, errorWords, overlapNotices } from '../words';

type Done = Omit<Extract<ServerEvent, { kind: 'done' }>, 'kind'>;

/** What to do with one server, and what to say of it. */
interface Task {
  /** Said while it goes on. */
  working: string;
  /** Asked before, where typed secrets would be lost by it. */
  question: string;
  action: string;
  work: (parking: Parking) => Promise<ParkingOutcome>;
  /** Said when nothing was stored. */
  nothingDone: string;
  done: (document: SettingsDocument | undefined, parked: ParkedServer) => Pick<Done, 'notices' | 'goTo'>;
  /** The server that leaves the service by it. */
  leaving?: McpServer;
}

/** Takes a server off the service and keeps it on this computer, at once. */
export async function park(host: FormHost, id: string): Promise<void> {
  const { open } = host;
  const server = open?.document.model.mcpServers.find((one) => one.id === id);
  if (open === undefined || server === undefined) return;
  if (isEdited(open, server)) {
    const message = l10n.t('It can be parked once your changes to it are saved or taken back.');
    tell(host, { notices: [message], failed: true, goTo: null });
    return;
  }
  const label = plainText(mcpLabel(server), 200);
  await atOnce(host, open, {
    working: l10n.t('Parking…'),
    question: l10n.t('Park {0}?', label),
    action: l10n.t('Park'),
    work: (parking) => parkServer(parking, server),
    nothingDone: l10n.t('{0} was not parked. It is on the service as before.', label),
    done: (_document, parked) => ({
      notices: [l10n.t('{0} is parked: it is off the service and kept on this computer.', label)],
      goTo: { list: 'parked', id: parked.id },
    }),
    leaving: server,
  });
}

/** Brings a parked server back to the service, at once. */
export async function restore(host: FormHost, id: string): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const label = labelOfParked(host, open, id);
  await atOnce(host, open, {
    working: l10n.t('Restoring…'),
    question: l10n.t('Restore {0}?', label),
    action: l10n.t('Restore'),
    work: (parking) => restoreServer(parking, id),
    nothingDone: l10n.t('{0} was not restored. It stays parked here.', label),
    done: (document, parked) => {
      const held = document?.model.mcpServers.find((one) => sameLabel(one, parked));
      return {
        notices: [l10n.t('{0} is on the service again.', label)],
        goTo: held ? { list: 'servers', id: held.id } : null,
      };
    },
  });
}

/** Forgets a parked server and its secrets, after asking. */
export async function deleteParked(host: FormHost, id: string): Promise<void> {
  const { open, ports } = host;
  if (open === undefined) return;
  const { baseUrl } = open.client;
  const before = ports.parked.list(baseUrl);
  const index = before.findIndex((one) => one.id === id);
  const agreed =
    index >= 0 &&
    (await ports.confirm(
      l10n.t('Delete the parked server {0}?', labelOfParked(host, open, id)),
      l10n.t('This computer forgets it and its secrets. That cannot be undone.'),
      l10n.t('Delete'),
    ));
  if (index >= 0 && !agreed) return;
  let failure: string | undefined;
  try {
    if (agreed) await ports.parked.remove(baseUrl, id);
  } catch (error) {
    const words = plainText(wordsOf(error), 200);
    failure = l10n.t('The parked server could not be deleted, or only in part: {0}', words);
  }
  if (!isAbout(host, open)) return;
  host.showParked();
  // Its own place, for the list to be gone to when nothing stands there any more.
  const next = before[index + 1] ?? before[index - 1] ?? { id };
  tell(host, {
    notices: failure === undefined ? [] : [failure],
    failed: failure !== undefined,
    goTo: failure === undefined ? { list: 'parked', id: next.id } : null,
  });
}

function labelOfParked({ ports }: FormHost, { client }: OpenForm, id: string): string {
  const parked = ports.parked.list(client.baseUrl).find((one) => one.id === id);
  return plainText(parked === undefined ? '' : mcpLabel(parked), 200) || l10n.t('The server');
}

/** False when another connection has taken this one’s place in the form. */
const isAbout = (host: FormHost, { client }: OpenForm) => host.open?.client === client;

/** True when the server has unsaved changes. */
function isEdited({ edits }: OpenForm, server: McpServer): boolean {
  if (edits.mcpServers === null) return false;
  const edited = edits.mcpServers.find(({ id }) => id === server.id);
  return edited === undefined || !sameJson(edited as unknown as Json, server as unknown as Json);
}

/** Does what changes the service without a save of the form, and tells the form; what was edited there stays. */
async function atOnce(host: FormHost, open: OpenForm, task: Task): Promise<void> {
  const { ports } = host;
  if (!(await typedMayGo(ports, open, task.question, task.action))) return;
  if (host.open !== open || open.saving) return;
  open.saving = true;
  open.working = task.working;
  ports.post({ type: 'servers', event: { kind: 'working', words: task.working } });
  let done: Done = { notices: [unexpected()], failed: true, goTo: null };
  try {
    done = await ended(host, open, task, await asked(host, open, task));
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    ports.log.error(`MCP servers: parking or restoring failed: ${text}`);
  } finally {
    open.saving = false;
    open.working = undefined;
    if (isAbout(host, open)) {
      host.showParked();
      tell(host, done);
    }
  }
}

/** How it ended; undefined when the user was asked and does not want it. */
async function asked(host: FormHost, open: OpenForm, task: Task): Promise<ParkingOutcome | undefined> {
  const parking = { document: open.document, store: host.ports.parked, baseUrl: open.client.baseUrl };
  const outcome = await task.work(parking);
  if (outcome.kind !== 'notSaved' || outcome.save.kind !== 'needsConfirmation') return outcome;
  if (!(await sandboxKeyMayGo(host.ports))) return undefined;
  return task.work({ ...parking, options: { sandboxKeyConfirmed: true } });
}

async function ended(
  host: FormHost,
  open: OpenForm,
  task: Task,
  outcome: ParkingOutcome | undefined,
): Promise<Done> {
  if (outcome === undefined) return { notices: [], failed: false, goTo: null };
  if ('isOperators' in outcome && task.leaving) host.operators.add(open.client, task.leaving);
  switch (outcome.kind) {
    case 'done': {
      const more = await show(host, open, task, outcome.document);
      const { notices, goTo } = task.done(outcome.document ?? host.open?.document, outcome.parked);
      return { notices: [...notices, ...outcome.notes, ...more], failed: false, goTo };
    }
    case 'both': {
      const more = await show(host, open, task, outcome.document);
      return { notices: [outcome.message, ...more], failed: true, goTo: null };
    }
    case 'refused':
      if (outcome.isOperators) host.show(open);
      return { notices: [outcome.message], failed: true, goTo: null };
    case 'notSaved': {
      const changed = outcome.save.kind === 'conflict';
      const more = changed ? await show(host, open, task, undefined) : [];
      const notices = [task.nothingDone, notSavedWords(outcome.save), ...outcome.notes, ...more];
      return { notices, failed: true, goTo: null };
    }
  }
}

/**
 * Puts the form on what the service holds now, with the user's edits on it, and says what of these did not come along.
 * @param known what was read back, if anything
 */
async function show(
  host: FormHost,
  open: OpenForm,
  { leaving }: Task,
  known: SettingsDocument | undefined,
): Promise<string[]> {
  let document = known;
  try {
    document ??= await SettingsDocument.load(open.client);
  } catch (error) {
    return [l10n.t('What the service holds now could not be read. {0}', errorWords(error))];
  }
  // Another connection may have taken this one's place in the form.
  if (host.open !== open) return [];
  const restored = carriedOver(open.document, open.edits, document, leaving?.id);
  const next = host.opened(open.client, document);
  next.notices = open.notices;
  next.working = open.working;
  next.saving = true;
  host.setEdits(document.review(restored.edits).length > 0 ? restored.edits : noEdits);
  host.show(next);
  next.saving = false;
  next.working = undefined;
  const dropped = restored.dropped.length === 0 ? [] : [droppedWords(restored.dropped)];
  return [...dropped, ...overlapNotices(restored)];
}

function notSavedWords(save: NotSaved): string {
  switch (save.kind) {
    case 'conflict':
      return l10n.t('It was changed on the service meanwhile; this form shows how it is now. Try again.');
    case 'invalid':
      return sentences(...save.errors.map(({ message }) => plainText(message, 400)));
    case 'failed':
      return errorWords(save.error);
    case 'needsConfirmation':
      return l10n.t('The service asks again whether its sandbox API key may be lost. Try again.');
  }
}

/** A form that is hidden hears of it when it is there again. */
function tell({ live, open, ports }: FormHost, done: Done): void {
  if (!live) open?.notices.push(...done.notices);
  ports.post({ type: 'servers', event: { kind: 'done', ...done } });
}

const unexpected = () => l10n.t('Something failed that should not. The log tells more.');

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
