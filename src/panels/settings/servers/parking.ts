import * as l10n from '@vscode/l10n';
import { nameList, sentences } from '../../../shared/joined';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import type { ParkedServer } from '../../../shared/parked';
import { plainText } from '../../../shared/plainText';
import type { ServerEvent } from '../../../shared/serverMessages';
import { same } from '../../../shared/same';
import {
  parkServer,
  restoreServer,
  type NotSaved,
  type Parking,
  type ParkingOutcome,
} from '../../../state/mcp/parked/parking';
import { SettingsDocument } from '../../../state/settings/document';
import { sameLabel } from '../../../state/settings/servers';
import { saveAsking } from '../asking';
import { changing } from '../changing';
import type { FormHost } from '../formHost';
import { editsOn, type OpenForm } from '../openForm';
import type { FormPorts } from '../ports';
import { typedMayGo } from '../saving';
import { errorWords } from '../words';

type Done = Omit<Extract<ServerEvent, { kind: 'done' }>, 'kind'>;

/** A change to one server, and the words for it. */
interface Task {
  /** Shown while it runs. */
  working: string;
  /** Asked first if typed secrets would be lost. */
  question: string;
  action: string;
  work: (parking: Parking) => Promise<ParkingOutcome>;
  /** Shown if nothing was stored. */
  nothingDone: string;
  done: (document: SettingsDocument | undefined, parked: ParkedServer) => Pick<Done, 'notices' | 'goTo'>;
  /** The server that is removed from the service, if any. */
  leaving?: McpServer;
}

/** Takes a server off the service immediately and keeps it on this computer. */
export async function park(host: FormHost, id: string): Promise<void> {
  const { open } = host;
  const server = open?.document.model.mcpServers.find((one) => one.id === id);
  if (open === undefined || server === undefined) return;
  if (isEdited(open, server)) {
    const message = l10n.t('Save or undo your changes to this server before parking it.');
    tell(host, { notices: [message], failed: true, goTo: null });
    return;
  }
  const label = plainText(mcpLabel(server), 200);
  await atOnce(host, open, {
    working: l10n.t('Parking…'),
    question: l10n.t('Park {0}?', label),
    action: l10n.t('Park'),
    work: (parking) => parkServer(parking, server),
    nothingDone: l10n.t('{0} wasn’t parked. It’s still on the service.', label),
    done: (_document, parked) => ({
      notices: [l10n.t('{0} is parked: off the service, but kept on this computer.', label)],
      goTo: { list: 'parked', id: parked.id },
    }),
    leaving: server,
  });
}

/** Puts a parked server back on the service immediately. */
export async function restore(host: FormHost, id: string): Promise<void> {
  const { open } = host;
  if (open === undefined) return;
  const label = labelOfParked(host, open, id);
  await atOnce(host, open, {
    working: l10n.t('Restoring…'),
    question: l10n.t('Restore {0}?', label),
    action: l10n.t('Restore'),
    work: (parking) => restoreServer(parking, id),
    nothingDone: l10n.t('{0} wasn’t restored. It’s still parked.', label),
    done: (document, parked) => {
      const held = document?.model.mcpServers.find((one) => sameLabel(one, parked));
      return {
        notices: [l10n.t('{0} is back on the service.', label)],
        goTo: held ? { list: 'servers', id: held.id } : null,
      };
    },
  });
}

/** Deletes a parked server and its secrets, after asking. */
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
      l10n.t('The server and its secrets are deleted from this computer. You can’t undo this.'),
      l10n.t('Delete'),
    ));
  if (index >= 0 && !agreed) return;
  let failure: string | undefined;
  try {
    if (agreed) await ports.parked.remove(baseUrl, id);
  } catch (error) {
    const words = plainText(wordsOf(error), 200);
    failure = l10n.t('Couldn’t delete the parked server completely: {0}', words);
  }
  if (!isAbout(host, open)) return;
  host.showParked();
  // The deleted id makes the list itself get the focus when it’s empty.
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

/** False if the form has switched to another connection. */
const isAbout = (host: FormHost, { client }: OpenForm) => host.open?.client === client;

/** True when the server has unsaved changes. */
function isEdited({ edits }: OpenForm, server: McpServer): boolean {
  if (edits.mcpServers === null) return false;
  const edited = edits.mcpServers.find(({ id }) => id === server.id);
  return edited === undefined || !same(edited, server);
}

/** Changes the service without saving the form, and reports to the form. Unsaved edits are kept. */
async function atOnce(host: FormHost, open: OpenForm, task: Task): Promise<void> {
  const { ports } = host;
  if (!(await typedMayGo(ports, open, task.question, task.action))) return;
  if (host.open !== open || open.saving) return;
  open.working = task.working;
  ports.post({ type: 'servers', event: { kind: 'working', words: task.working } });
  let done: Done = { notices: [unexpected()], failed: true, goTo: null };
  await changing(host, open, async () => {
    done = await ended(host, open, task, await asked(host, open, task));
  });
  open.working = undefined;
  if (!isAbout(host, open)) return;
  host.showParked();
  tell(host, done);
}

/** The outcome; undefined if the user was asked and declined. */
async function asked(host: FormHost, open: OpenForm, task: Task): Promise<ParkingOutcome | undefined> {
  const parking = { document: open.document, store: host.ports.parked, baseUrl: open.client.baseUrl };
  let options: NonNullable<Parking['options']> = {};
  for (;;) {
    const outcome = await saveAsking(
      host.ports,
      open.client.origin,
      (confirmed) => task.work({ ...parking, options: { ...options, confirmed } }),
      (result) => (result.kind === 'notSaved' ? result.save : undefined),
    );
    if (outcome?.kind !== 'secretsGone') return outcome;
    if (!(await mayComeBare(host.ports, outcome))) return undefined;
    options = { withoutSecrets: true };
  }
}

/** Asks before a server is restored without the secrets it was parked with. */
function mayComeBare(
  { confirm }: FormPorts,
  { parked, names }: Extract<ParkingOutcome, { kind: 'secretsGone' }>,
): Promise<boolean> {
  return confirm(
    l10n.t('Restore {0} without its secrets?', plainText(mcpLabel(parked), 200)),
    l10n.t(
      'Its secrets can’t be read on this computer: {0}. You’ll have to enter them again. The parked copy stays here.',
      nameList(names.map((name) => plainText(name, 80))),
    ),
    l10n.t('Restore'),
  );
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
    case 'secretsGone':
      return { notices: [], failed: false, goTo: null };
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
 * Reloads the form, keeps the user's edits, and returns notices about edits that couldn't be kept.
 * @param known the settings read back, if any
 */
async function show(
  host: FormHost,
  open: OpenForm,
  { leaving }: Task,
  known: SettingsDocument | undefined,
): Promise<string[]> {
  let document = known;
  try {
    document ??= await SettingsDocument.load(open.client, host.ports.safeguards);
  } catch (error) {
    return [l10n.t('Couldn’t reload the settings from the service. {0}', errorWords(error))];
  }
  // The form may have switched to another connection.
  if (host.open !== open) return [];
  const { edits, words } = editsOn(document, open, leaving?.id);
  host.settle(open, document, { edits, notices: open.notices, working: open.working });
  return words;
}

function notSavedWords(save: NotSaved): string {
  switch (save.kind) {
    case 'conflict':
      return l10n.t('It has changed on the service. The form now shows what the service has. Try again.');
    case 'invalid':
      return sentences(...save.errors.map(({ message }) => plainText(message, 400)));
    case 'failed':
      return errorWords(save.error);
    case 'needsConfirmation':
      return l10n.t('The settings on the service changed. Try again.');
  }
}

/** A hidden form gets the notices when it’s shown again. */
function tell({ live, open, ports }: FormHost, done: Done): void {
  if (!live) open?.notices.push(...done.notices);
  ports.post({ type: 'servers', event: { kind: 'done', ...done } });
}

const unexpected = () => l10n.t('Something went wrong. See the log for details.');

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
