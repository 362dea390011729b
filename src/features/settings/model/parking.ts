import type { Json } from '../../../shared/json';
import type { ParkableServer, ParkedServer, TakenServer } from '../../../shared/parked';
import type { SaveOutcome, SettingsDocument } from './document';
import type { SaveOptions } from './saveOutcome';
import * as l10n from '@vscode/l10n';
import { nameList, sentences } from '../../../shared/joined';
import { mcpLabel, type McpServer } from '../../../shared/mcp';
import { plainText } from '../../../shared/plainText';
import type { SaveNote } from '../shared/form';
import { sameLabel } from './servers';
import { parkPlan, restorePlan, sameOnService } from './parkingPlans';
import { thrownText } from '../../../shared/thrown';

/** The store of parked servers. Throws Errors with a message for the user, without secrets. */
export interface ParkedStore {
  /** Stores the whole server, or throws and stores nothing. */
  park(baseUrl: string, server: ParkableServer, wire: Json): Promise<ParkedServer>;
  /** Reads without removing. Throws if the secrets can't be read right now, even if they may exist. */
  take(baseUrl: string, id: string): Promise<TakenServer | undefined>;
  /** Throws if the server is still there; returns false if only its secrets may be. */
  remove(baseUrl: string, id: string): Promise<boolean>;
}

/** What parking and restoring work with. */
export interface Parking {
  document: SettingsDocument;
  store: ParkedStore;
  baseUrl: string;
  options?: Pick<SaveOptions, 'confirmed'> & {
    /** The user agreed to restore the server without its secrets. */
    withoutSecrets?: boolean;
  };
}

/** A save that stored nothing; the caller reports it like any other. */
export type NotSaved = Exclude<SaveOutcome, { kind: 'saved' }>;

/**
 * The outcome of parking or restoring. The server is in one place or, if that's uncertain, in both, but never in none.
 * `message` and `notes` are for the user.
 */
export type ParkingOutcome =
  /** The server is where it should be. Without a document, the settings have to be read again. */
  | { kind: 'done'; document: SettingsDocument | undefined; parked: ParkedServer; notes: string[] }
  /** It's parked, and the service has or may have it too. `isOperators`: it's in the administrator's configuration. */
  | {
      kind: 'both';
      document: SettingsDocument | undefined;
      parked: ParkedServer;
      message: string;
      isOperators?: true;
    }
  /** Nothing was done: the secrets in `names` can't be read, so it would be restored without them. Ask the user. */
  | { kind: 'secretsGone'; parked: ParkedServer; names: string[] }
  /** Nothing was done. */
  | { kind: 'refused'; message: string; isOperators?: true }
  /** Nothing was stored. `notes` says what else to know. */
  | { kind: 'notSaved'; save: NotSaved; notes: string[] };

/**
 * Parks a server: keeps it here and takes it off the service. If the outcome is unknown, it stays in both places. Saves
 * nothing else.
 *
 * @param server the server in the form, parked with its unsaved changes
 */
export async function parkServer(parking: Parking, server: McpServer): Promise<ParkingOutcome> {
  const { document, store, baseUrl } = parking;
  const plan = parkPlan(document, server);
  if ('refused' in plan) return { kind: 'refused', message: plan.refused };
  let parked: ParkedServer;
  try {
    parked = await store.park(baseUrl, plan.server, plan.wire);
  } catch (error) {
    return { kind: 'refused', message: thrownText(error) };
  }
  if (plan.edits === undefined) return { kind: 'done', document, parked, notes: [] };

  const save = await document.save(plan.edits, parking.options);
  if (save.kind === 'saved') {
    const stays = returned(save, document, server);
    if (stays === undefined)
      return { kind: 'done', document: save.document, parked, notes: words(save.notes) };
    const message = sentences(...words([stays]));
    const isSame = sameOnService(save.document, { server: parked, wire: plan.wire }) !== undefined;
    if (!isSame || (await takeBack(parking, parked)).length > 0)
      return { kind: 'both', document: save.document, parked, message, isOperators: true };
    return { kind: 'refused', message, isOperators: true };
  }
  if (save.kind === 'failed' && save.applied === 'yes')
    return { kind: 'done', document: undefined, parked, notes: [answerLost()] };
  if (save.kind === 'failed' && save.applied !== 'no')
    return { kind: 'both', document: undefined, parked, message: unsure(parked) };
  return { kind: 'notSaved', save, notes: await takeBack(parking, parked) };
}

/**
 * Restores a parked server: puts it on the service, reads back to make sure it's there, and only then deletes it here.
 * Saves nothing else.
 */
export async function restoreServer(parking: Parking, id: string): Promise<ParkingOutcome> {
  const { document, store, baseUrl } = parking;
  let taken: TakenServer | undefined;
  try {
    taken = await store.take(baseUrl, id);
  } catch (error) {
    return { kind: 'refused', message: thrownText(error) };
  }
  if (taken === undefined)
    return { kind: 'refused', message: l10n.t('This server is no longer parked here.') };
  const { server: parked } = taken;
  if (sameOnService(document, taken)) {
    // Parking or restoring was interrupted. A save without changes only reads.
    const look = await document.save({ values: {}, secrets: {}, mcpServers: null });
    if (look.kind !== 'saved') return { kind: 'notSaved', save: look, notes: [] };
    if (sameOnService(look.document, taken)) return restored(parking, taken, look.document, []);
    return restoreServer({ ...parking, document: look.document }, id);
  }

  const plan = restorePlan(document, taken);
  if ('refused' in plan) return { kind: 'refused', message: plan.refused };
  if (plan.lost.length > 0 && !parking.options?.withoutSecrets)
    return { kind: 'secretsGone', parked, names: plan.lost };
  const save = await document.save(plan.edits, parking.options);
  if (save.kind === 'saved') {
    const held = save.document.model.mcpServers.find((one) => sameLabel(one, plan.server));
    const about = save.notes.filter(
      ({ target }) => target.at === 'mcp' && (target.id === held?.id || target.id === plan.server.id),
    );
    if (held !== undefined && about.length === 0)
      return restored(parking, taken, save.document, words(save.notes), plan.lost);
    const message = sentences(...words(about), l10n.t('{0} also stays parked here.', labelOf(parked)));
    return { kind: 'both', document: save.document, parked, message };
  }
  if (save.kind === 'failed' && save.applied === 'yes')
    return restored(parking, taken, undefined, [answerLost()], plan.lost);
  if (save.kind === 'failed' && save.applied !== 'no')
    return { kind: 'both', document: undefined, parked, message: unsure(parked) };
  return { kind: 'notSaved', save, notes: [] };
}

async function restored(
  { store, baseUrl }: Parking,
  { server: parked }: TakenServer,
  document: SettingsDocument | undefined,
  notes: string[],
  lost: readonly string[] = [],
): Promise<ParkingOutcome> {
  const label = labelOf(parked);
  if (lost.length > 0) {
    // The secrets may be unreadable only for now, for example while the keyring is locked.
    const names = nameList(lost.map((name) => plainText(name, 80)));
    const message = l10n.t(
      '{0} is on the service without its secrets. Enter them in the form: {1}. The parked copy is still here.',
      label,
      names,
    );
    return { kind: 'both', document, parked, message: sentences(...notes, message) };
  }
  try {
    await store.remove(baseUrl, parked.id);
  } catch {
    const message = l10n.t(
      '{0} is back on the service, but couldn’t be removed from the parked servers.',
      label,
    );
    return { kind: 'both', document, parked, message: sentences(...notes, message) };
  }
  return { kind: 'done', document, parked, notes };
}

/** The note about the server if the service's configuration put it back. */
function returned(
  { document, notes }: Extract<SaveOutcome, { kind: 'saved' }>,
  previous: SettingsDocument,
  server: McpServer,
): SaveNote | undefined {
  const before = previous.model.mcpServers.find(({ id }) => id === server.id);
  return notes.find(({ kind, target }) => {
    const held = document.model.mcpServers.find(({ id }) => target.at === 'mcp' && id === target.id);
    return kind === 'returned' && before !== undefined && held !== undefined && sameLabel(held, before);
  });
}

/** Removes the parked copy of a server that is still on the service. Returns messages if that failed. */
async function takeBack({ store, baseUrl }: Parking, parked: ParkedServer): Promise<string[]> {
  try {
    await store.remove(baseUrl, parked.id);
    return [];
  } catch {
    return [l10n.t('{0} is still on the service, and a copy stays parked.', labelOf(parked))];
  }
}

const labelOf = (parked: ParkedServer) => plainText(mcpLabel(parked), 200);

const words = (notes: readonly SaveNote[]) => notes.map(({ message }) => plainText(message, 400));

const answerLost = () => l10n.t('The service didn’t answer, but the change was made.');

function unsure(parked: ParkedServer): string {
  return l10n.t(
    'The change may have gone through. {0} stays parked here and may also be on the service.',
    labelOf(parked),
  );
}
