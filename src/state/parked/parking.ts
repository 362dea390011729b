import * as l10n from '@vscode/l10n';
import { nameList, sentences } from '../../shared/joined';
import type { Json } from '../../shared/json';
import { mcpLabel, type McpServer } from '../../shared/mcp';
import type { ParkableServer, ParkedServer, TakenServer } from '../../shared/parked';
import { plainText } from '../../shared/plainText';
import type { SaveNote } from '../../shared/form';
import type { SaveOptions, SaveOutcome, SettingsDocument } from '../settings/document';
import { sameLabel } from '../settings/servers';
import { parkPlan, restorePlan, sameOnService } from './plans';

/** Where parked servers are kept. What it throws is an Error in words for the user, without secrets. */
export interface ParkedStore {
  /** Keeps all of it, or throws and keeps nothing. */
  park(baseUrl: string, server: ParkableServer, wire: Json): Promise<ParkedServer>;
  /** Reads without removing. Throws when the secrets can not be read now, although they may be there. */
  take(baseUrl: string, id: string): Promise<TakenServer | undefined>;
  remove(baseUrl: string, id: string): Promise<void>;
}

/** What parking and restoring work with. */
export interface Parking {
  document: SettingsDocument;
  store: ParkedStore;
  baseUrl: string;
  options?: Pick<SaveOptions, 'sandboxKeyConfirmed'>;
  signal?: AbortSignal;
}

/** A save that stored nothing, for the caller to tell of as of any other. */
export type NotSaved = Exclude<SaveOutcome, { kind: 'saved' }>;

/**
 * How parking or restoring ended. A server is at one place, or where that is not sure at both, but never at none. What
 * `message` and `notes` say is for the user.
 */
export type ParkingOutcome =
  /** It is where it should be. Without a document the settings have to be read again to be shown. */
  | { kind: 'done'; document: SettingsDocument | undefined; parked: ParkedServer; notes: string[] }
  /** It is parked, and the service holds it too, or may do so. `isOperators`: the service's operator puts it there. */
  | {
      kind: 'both';
      document: SettingsDocument | undefined;
      parked: ParkedServer;
      message: string;
      isOperators?: true;
    }
  /** Nothing was done. */
  | { kind: 'refused'; message: string; isOperators?: true }
  /** Nothing was stored. `notes` tells what else is to be known. */
  | { kind: 'notSaved'; save: NotSaved; notes: string[] };

/**
 * Parks a server: keeps it here, takes it off the service, and keeps it at both places where it is not known whether that
 * happened. Nothing else is saved.
 *
 * @param server as it stands in the form; with its unsaved changes it is parked
 */
export async function parkServer(parking: Parking, server: McpServer): Promise<ParkingOutcome> {
  const { document, store, baseUrl } = parking;
  const plan = parkPlan(document, server);
  if ('refused' in plan) return { kind: 'refused', message: plan.refused };
  let parked: ParkedServer;
  try {
    parked = await store.park(baseUrl, plan.server, plan.wire);
  } catch (error) {
    return { kind: 'refused', message: wordsOf(error) };
  }
  if (plan.edits === undefined) return { kind: 'done', document, parked, notes: [] };

  const save = await document.save(plan.edits, parking.options ?? {}, parking.signal);
  if (save.kind === 'saved') {
    const stays = returned(save, document, server);
    if (stays === undefined)
      return { kind: 'done', document: save.document, parked, notes: words(save.notes) };
    const message = sentences(...words([stays.note]));
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
 * Brings a parked server back: puts it on the service, makes sure by what was read back that it is there, and only then
 * forgets it here. Nothing else is saved.
 */
export async function restoreServer(parking: Parking, id: string): Promise<ParkingOutcome> {
  const { document, store, baseUrl } = parking;
  let taken: TakenServer | undefined;
  try {
    taken = await store.take(baseUrl, id);
  } catch (error) {
    return { kind: 'refused', message: wordsOf(error) };
  }
  if (taken === undefined)
    return { kind: 'refused', message: l10n.t('This server is not parked here any more.') };
  const { server: parked } = taken;
  if (sameOnService(document, taken)) {
    // Parking or restoring was interrupted. A save without changes only reads.
    const look = await document.save({ values: {}, secrets: {}, mcpServers: null }, {}, parking.signal);
    if (look.kind !== 'saved') return { kind: 'notSaved', save: look, notes: [] };
    if (sameOnService(look.document, taken)) return restored(parking, taken, look.document, []);
    return restoreServer({ ...parking, document: look.document }, id);
  }

  const plan = restorePlan(document, taken);
  if ('refused' in plan) return { kind: 'refused', message: plan.refused };
  const save = await document.save(plan.edits, parking.options ?? {}, parking.signal);
  if (save.kind === 'saved') {
    const held = save.document.model.mcpServers.find((one) => sameLabel(one, plan.server));
    const about = save.notes.filter(
      ({ target }) => target.at === 'mcp' && (target.id === held?.id || target.id === plan.server.id),
    );
    if (held !== undefined && about.length === 0)
      return restored(parking, taken, save.document, words(save.notes), plan.lost);
    const message = sentences(...words(about), l10n.t('{0} stays parked here as well.', labelOf(parked)));
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
    const names = nameList(lost.map((name) => plainText(name, 80)));
    notes.push(
      l10n.t(
        'The secrets of {0} were gone from this computer. They are not set; enter them again: {1}.',
        label,
        names,
      ),
    );
  }
  try {
    await store.remove(baseUrl, parked.id);
  } catch {
    const message = l10n.t('{0} is back, but could not be removed from the parked servers.', label);
    return { kind: 'both', document, parked, message: sentences(...notes, message) };
  }
  return { kind: 'done', document, parked, notes };
}

/** The server that somebody else's configuration puts on the service again, with the note that says so. */
function returned(
  { document, notes }: Extract<SaveOutcome, { kind: 'saved' }>,
  former: SettingsDocument,
  server: McpServer,
): { note: SaveNote } | undefined {
  const before = former.model.mcpServers.find(({ id }) => id === server.id);
  const note = notes.find(({ kind, target }) => {
    const held = document.model.mcpServers.find(({ id }) => target.at === 'mcp' && id === target.id);
    return kind === 'returned' && before !== undefined && held !== undefined && sameLabel(held, before);
  });
  return note && { note };
}

/** Removes the copy of a server that is still on the service; in words what came of it, if not all was well. */
async function takeBack({ store, baseUrl }: Parking, parked: ParkedServer): Promise<string[]> {
  try {
    await store.remove(baseUrl, parked.id);
    return [];
  } catch {
    return [l10n.t('{0} is still on the service, and a copy of it stays parked.', labelOf(parked))];
  }
}

const labelOf = (parked: ParkedServer) => plainText(mcpLabel(parked), 200);

const words = (notes: readonly SaveNote[]) => notes.map(({ message }) => plainText(message, 400));

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const answerLost = () => l10n.t('The service’s answer was lost on the way, but it has stored this.');

function unsure(parked: ParkedServer): string {
  return l10n.t(
    'It is not known whether the service stored this. {0} stays parked here, and may be on the service too.',
    labelOf(parked),
  );
}
