import * as l10n from '@vscode/l10n';
import { nameList, sentences } from '../../../../shared/joined';
import { mcpLabel, type McpServer } from '../../../../shared/mcp';
import type { ParkedServer } from '../../../../shared/parked';
import type { ShownForm } from '../../shared/messages';
import { plainText } from '../../../../shared/plainText';
import { same } from '../../../../shared/same';
import {
  type NotSaved,
  type Parking,
  type ParkingOutcome,
  parkServer,
  restoreServer,
} from '../../model/parking';
import type { SettingsDocument } from '../../model/document';
import { sameLabel } from '../../model/servers';
import { saveAsking } from '../asking';
import { changing, readAgain, typedMayGo } from '../saving';
import type { FormHost } from '../formHost';
import { type Ending, noServerNotices, type OpenForm } from '../openForm';
import type { FormPorts } from '../ports';
import { errorWords } from '../../../../editor/errorText';
import { thrownWords } from '../../../../shared/thrown';

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
  done: (document: SettingsDocument, parked: ParkedServer) => { words: string; goTo: ShownForm['goTo'] };
  /** The server that is removed from the service, if any. */
  leaving?: McpServer;
}

/** Takes a server off the service immediately and keeps it on this computer. */
export async function park(host: FormHost, open: OpenForm, id: string): Promise<void> {
  const server = open.document.model.mcpServers.find((one) => one.id === id);
  if (server === undefined) return;
  if (isEdited(open, server)) {
    const message = l10n.t('Save or undo your changes to this server before parking it.');
    host.settle(open, failing(message));
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
      words: l10n.t('{0} is parked: off the service, but kept on this computer.', label),
      goTo: { list: 'parked', id: parked.id },
    }),
    leaving: server,
  });
}

/** Puts a parked server back on the service immediately. */
export async function restore(host: FormHost, open: OpenForm, id: string): Promise<void> {
  const label = labelOfParked(host, open, id);
  await atOnce(host, open, {
    working: l10n.t('Restoring…'),
    question: l10n.t('Restore {0}?', label),
    action: l10n.t('Restore'),
    work: (parking) => restoreServer(parking, id),
    nothingDone: l10n.t('{0} wasn’t restored. It’s still parked.', label),
    done: (document, parked) => {
      const held = document.model.mcpServers.find((one) => sameLabel(one, parked));
      return {
        words: l10n.t('{0} is back on the service.', label),
        goTo: held ? { list: 'servers', id: held.id } : null,
      };
    },
  });
}

/** Deletes a parked server and its secrets, after asking. */
export async function deleteParked(host: FormHost, open: OpenForm, id: string): Promise<void> {
  const { ports } = host;
  const { baseUrl } = open.client;
  const before = ports.parked.list(baseUrl);
  const index = before.findIndex((one) => one.id === id);
  const label = labelOfParked(host, open, id);
  const agreed =
    index >= 0 &&
    (await ports.confirm(
      l10n.t('Delete the parked server {0}?', label),
      l10n.t('The server and its secrets are deleted from this computer. You can’t undo this.'),
      l10n.t('Delete'),
    ));
  if (index >= 0 && !agreed) return;
  // The deleted id makes the list itself get the focus when it’s empty.
  const next = before[index + 1] ?? before[index - 1] ?? { id };
  let ending: Ending = { serverNotices: noServerNotices, goTo: { list: 'parked', id: next.id } };
  try {
    if (agreed && !(await ports.parked.remove(baseUrl, id))) {
      const words = l10n.t(
        '{0} is deleted, but its secrets may still be on this computer. Check your system’s keyring.',
        label,
      );
      ending = { ...ending, ...failing(words) };
    }
  } catch (error) {
    const words = thrownWords(error);
    ending = failing(l10n.t('Couldn’t delete the parked server completely: {0}', words));
  }
  host.settle(open, ending);
}

function labelOfParked({ ports }: FormHost, { client }: OpenForm, id: string): string {
  const parked = ports.parked.list(client.baseUrl).find((one) => one.id === id);
  return plainText(parked === undefined ? '' : mcpLabel(parked), 200) || l10n.t('The server');
}

/** True when the server has unsaved changes. */
function isEdited({ edits }: OpenForm, server: McpServer): boolean {
  if (edits.mcpServers === null) return false;
  const edited = edits.mcpServers.find(({ id }) => id === server.id);
  return edited === undefined || !same(edited, server);
}

/** Changes the service without saving the form, and shows how that ended. Unsaved edits are kept. */
async function atOnce(host: FormHost, open: OpenForm, task: Task): Promise<void> {
  if (!(await typedMayGo(host.ports, open, task.question, task.action))) return;
  if (host.open !== open || open.working !== null) return;
  open.serverNotices = noServerNotices;
  const unexpected = failing(l10n.t('Something went wrong. See the log for details.'));
  await changing(host, open, task.working, unexpected, async () => {
    const { notices, ...ending } = await ended(host, open, task, await asked(host, open, task));
    const { words = [], failed = false } = ending.serverNotices ?? {};
    // The form's own notices stay.
    return {
      ...ending,
      notices: open.notices,
      serverNotices: { words: [...words, ...(notices ?? [])], failed },
    };
  });
}

/** The outcome; undefined if the user was asked and declined. */
async function asked(host: FormHost, open: OpenForm, task: Task): Promise<ParkingOutcome | undefined> {
  const parking = { document: open.document, store: host.ports.parked, baseUrl: open.client.baseUrl };
  let options: NonNullable<Parking['options']> = {};
  for (;;) {
    const outcome = await saveAsking(
      host.ports,
      open.client.baseUrl,
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

/** How it ended; `notices` are those about edits that couldn't be kept. */
async function ended(
  host: FormHost,
  open: OpenForm,
  task: Task,
  outcome: ParkingOutcome | undefined,
): Promise<Ending> {
  if (outcome === undefined) return {};
  if ('isOperators' in outcome && task.leaving) host.operators.add(open.client, task.leaving);
  switch (outcome.kind) {
    case 'done': {
      const ending = await readAgain(host, open, outcome.document, task.leaving?.id);
      const { words, goTo } = task.done(ending.document ?? open.document, outcome.parked);
      return { ...ending, serverNotices: { words: [words, ...outcome.notes], failed: false }, goTo };
    }
    case 'both': {
      const ending = await readAgain(host, open, outcome.document, task.leaving?.id);
      return { ...ending, ...failing(outcome.message) };
    }
    case 'secretsGone':
      return {};
    case 'refused':
      return failing(outcome.message);
    case 'notSaved': {
      const hasChanged = outcome.save.kind === 'conflict';
      const ending = hasChanged ? await readAgain(host, open, undefined, task.leaving?.id) : {};
      return { ...ending, ...failing(task.nothingDone, notSavedWords(outcome.save), ...outcome.notes) };
    }
  }
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

function failing(...words: string[]): Ending {
  return { serverNotices: { words, failed: true } };
}
