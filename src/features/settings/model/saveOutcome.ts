import type { ApiError } from '../../../api/http/errors';
import type { Conflict, Resolution, SaveNote, ErrorTarget } from '../shared/form';
import type { Problem } from '../shared/messages';
import { type Doubt, isServers, unsaid } from './doubts';
import * as l10n from '@vscode/l10n';
import { fieldTable } from '../../../shared/fields';
import {
  plainFields,
  secretFields,
  shownFields,
  type SecretField,
  type SecretPresence,
} from '../../../shared/settings';
import { same } from '../../../shared/same';
import type { Meant } from './saveRequest';
import { member, type JsonObject, canonical, type Json } from '../../../shared/json';
import type { Merged, Snapshot } from './merge';
import { moreValues } from './moreSettings';
import { plainValuesOf, samePlain, unknownFields } from './record';
import { mcpKinds, mcpLabel, wholeServer, type McpKind } from '../../../shared/mcp';
import { holds, misses, sameLabel, type HeldServer } from './servers';
import { asServiceShows } from './hiddenSecrets';
import { lastingIds, withIds } from './snapshot';
import { looksMasked } from './secrets';

/** How a save of a document ended. Unless `saved`, the caller keeps the edits. */
export type OutcomeOf<Document> =
  /** Stored, read back and compared; `document` is what the service has now. */
  | { kind: 'saved'; document: Document; notes: SaveNote[] }
  /** Nothing was posted: someone else changed the same values. Save again with a resolution for every key. */
  | { kind: 'conflict'; conflicts: Conflict[]; document: Document }
  /** Nothing was stored: the form or the service refused a value. */
  | { kind: 'invalid'; errors: Problem[] }
  /** Nothing was posted: the user has to agree first. Save again with the doubt in `confirmed`. */
  | ({ kind: 'needsConfirmation' } & Doubt)
  /**
   * A request failed; `applied` says, from reading back, whether the save took place anyway. Before the post, two
   * reasons come from this client: `busy`, and `noneSaved`, after which only the user can say that the settings are
   * really gone (`SeenSettings.delete`).
   */
  | { kind: 'failed'; error: ApiError; applied: SaveApplied };

/** The user's decisions about earlier outcomes of the save. */
export interface SaveOptions {
  resolution?: Resolution;
  /** What the user has agreed to. */
  confirmed?: readonly Doubt[];
}

/** Whether a save took effect, as far as reading back shows. */
export type SaveApplied = 'yes' | 'no' | 'partly' | 'unknown';

/** Differences between what was sent and what was read back, with the ids that new servers have from now on. */
export function compare(meant: Meant, after: Snapshot): SaveNote[] {
  return [...fieldNotes(meant, after), ...secretNotes(meant, after), ...serverNotes(meant, after.servers)];
}

function fieldNotes({ merged, post }: Meant, after: Snapshot): SaveNote[] {
  const before = merged.fresh.record;
  const sentValues = plainValuesOf(post.body as JsonObject);
  const noteOf = (target: ErrorTarget, label: string, kept: boolean): SaveNote =>
    kept
      ? { kind: 'kept', target, label, message: l10n.t('The service kept the previous value of {0}.', label) }
      : changedNote(target, label);

  const plain = plainFields.flatMap((field) => {
    const [sent, held] = [sentValues[field], after.values[field]];
    const kept = samePlain(held, merged.fresh.values[field]);
    // The service may fill in its default where null asks for it.
    if (samePlain(sent, held) || (sent === null && !kept)) return [];
    return [noteOf({ at: 'field', field }, field, kept)];
  });
  const more = Object.entries(merged.more).flatMap(([path, sent]) => {
    const [previous, held] = [merged.fresh.more, after.more].map(({ fields }) =>
      fields.find((field) => field.path === path),
    );
    if (held?.value === sent) return [];
    return [noteOf({ at: 'more', path }, previous?.label ?? path, held?.value === previous?.value)];
  });
  // Where a save sends only what changes, nothing else can have been lost by it.
  if (!merged.fresh.abilities.replaces) return [...plain, ...more];
  const others = [...shownFields, ...unknownFields(before)].flatMap((name) => {
    const [previous, held] = [before, after.record].map((record) => member(record, name) ?? null);
    return same(previous, held) ? [] : [noteOf({ at: 'form' }, name, false)];
  });
  return [...plain, ...others];
}

function secretNotes({ merged }: Meant, after: Snapshot): SaveNote[] {
  return secretFields.flatMap((field) => {
    const [meant, held] = [meantPresence(merged, field), after.secrets[field]];
    if (meant === held || meant === 'unknown' || held === 'unknown') return [];
    return [secretNote({ at: 'field', field }, field, held === 'set')];
  });
}

function meantPresence({ fresh, secrets }: Merged, field: SecretField): SecretPresence {
  const sent = secrets[field];
  if (sent === undefined) return fresh.secrets[field];
  return sent === '' ? 'notSet' : 'set';
}

/**
 * Whether a save with an unknown outcome took effect, judging by the values it should have changed. Values that the
 * service may keep, fill in or leave out prove nothing, and neither do replaced secrets.
 */
export function applied(meant: Meant, after: Snapshot): SaveApplied {
  const leftOut = unsaid(after.record, meant.merged.fresh.record);
  const results = [
    ...fieldResults(meant, after, leftOut),
    ...moreResults(meant, after),
    ...secretResults(meant, after),
    ...(leftOut.some(isServers) ? [] : serverResults(meant, after)),
  ];
  if (results.length === 0) return 'unknown';
  if (results.every((done) => done)) return 'yes';
  return results.some((done) => done) ? 'partly' : 'no';
}

function fieldResults({ merged }: Meant, after: Snapshot, leftOut: readonly string[]): boolean[] {
  return plainFields.flatMap((field) => {
    const sent = merged.values[field];
    const held = after.values[field];
    if (sent === undefined || leftOut.includes(field)) return [];
    const done = samePlain(sent, held);
    const isPrevious = samePlain(held, merged.fresh.values[field]);
    const shows = done || sent !== null || (isPrevious && !fieldTable[field].isFinal);
    return shows ? [done] : [];
  });
}

function moreResults({ merged }: Meant, after: Snapshot): boolean[] {
  const held = moreValues(after.more);
  return Object.entries(merged.more).map(([path, sent]) => held[path] === sent);
}

function secretResults({ merged }: Meant, after: Snapshot): boolean[] {
  return secretFields.flatMap((field) => {
    const [previous, meant, held] = [
      merged.fresh.secrets[field],
      meantPresence(merged, field),
      after.secrets[field],
    ];
    const shows = previous !== meant && previous !== 'unknown' && held !== 'unknown';
    return shows ? [held === meant] : [];
  });
}

/** Differences between the MCP servers that were sent and those that were read back, with the ids of `lastingIds`. */
function serverNotes({ merged, post }: Meant, after: readonly HeldServer[]): SaveNote[] {
  const ids = lastingIds(after);
  const meant = withIds(Object.values(post.posted).flat(), ids);
  const open = new Set(withIds(after, ids));
  const take = (same: (held: HeldServer) => boolean) => {
    const held = [...open].find(same);
    if (held) open.delete(held);
    return held;
  };
  const exact = new Map(meant.map((server) => [server, take((held) => holds(server, held))]));
  const notes = meant.flatMap((server) => {
    if (exact.get(server)) return [];
    const held = take((other) => sameLabel(other, server));
    return held ? memberNotes(server, held) : [missing(server)];
  });
  const returned = [...open].filter(
    (held) =>
      merged.fresh.servers.some((server) => sameLabel(server, held)) &&
      !meant.some((server) => holds(server, held)),
  );
  const renamed = merged.renamed.map(({ server, wanted }) =>
    renamedNote({ ...server, id: ids.get(server.id) ?? server.id }, wanted),
  );
  return [...renamed, ...notes, ...returned.map(comeBack)];
}

function renamedNote({ id, name }: HeldServer, wanted: string): SaveNote {
  const message = l10n.t('Another MCP server is called {0}, so yours was saved as {1}.', wanted, name);
  return { kind: 'changed', target: { at: 'mcp', id, member: 'name' }, label: `${name}: name`, message };
}

function missing(server: HeldServer): SaveNote {
  const label = mcpLabel(server);
  const message = l10n.t('The MCP server {0} was sent, but the service doesn’t have it.', label);
  return { kind: 'missing', target: { at: 'mcp', id: server.id, member: wholeServer }, label, message };
}

function comeBack(held: HeldServer): SaveNote {
  const label = mcpLabel(held);
  const message = l10n.t(
    'The MCP server {0} came back. It’s part of the service’s configuration, and only your administrator can remove it.',
    label,
  );
  return { kind: 'returned', target: { at: 'mcp', id: held.id, member: wholeServer }, label, message };
}

function memberNotes(meant: HeldServer, held: HeldServer): SaveNote[] {
  const label = mcpLabel(meant);
  return misses(meant, held).flatMap((miss): SaveNote[] => {
    const isVariable = miss.path?.startsWith('env.');
    const target = {
      at: 'mcp',
      id: meant.id,
      member: isVariable ? 'env' : (miss.path ?? wholeServer),
    } as const;
    const full = `${label}: ${miss.name}`;
    if (isVariable || miss.path === 'apiKey') {
      const isSet = !isNothing(miss.held);
      if (isSet === isNothing(miss.meant)) return [secretNote(target, full, isSet)];
      if (!isSet || looksMasked(miss.held)) return [];
    }
    return [changedNote(target, full)];
  });
}

const isNothing = (value: Json) => value === null || value === '';

/** Notes that the service holds something else. */
function changedNote(target: ErrorTarget, label: string): SaveNote {
  const message = l10n.t('The service has a different value for {0} than was sent.', label);
  return { kind: 'changed', target, label, message };
}

/** Notes that a secret is set but shouldn't be, or the reverse. */
function secretNote(target: ErrorTarget, label: string, isSet: boolean): SaveNote {
  const message = isSet
    ? l10n.t('The service has a value for {0}, but it should have none.', label)
    : l10n.t('The service no longer has a value for {0}. Enter it again.', label);
  return { kind: 'secret', target, label, message };
}

/**
 * Whether each server was added or removed as the save should have; a change counts as one of both. If only the order
 * should have changed, whether it did.
 */
export function serverResults({ merged, post }: Meant, { servers, hidesSecrets }: Snapshot): boolean[] {
  // A secret that doesn't show proves nothing, not even one that was filled in from what was sent.
  const seen = (list: readonly HeldServer[]) => (hidesSecrets ? list.map(asServiceShows) : list);
  const meant = seen(Object.values(post.posted).flat());
  const after = seen(servers);
  const before = seen(merged.fresh.servers);
  const isIn = (list: readonly HeldServer[], server: HeldServer) => list.some((held) => holds(server, held));
  const added = meant.filter((server) => !isIn(before, server));
  const removed = before.filter((server) => !isIn(meant, server));
  const arrived = (server: HeldServer): boolean[] => {
    if (isIn(after, server)) return [true];
    const isThere = (list: readonly HeldServer[]) => list.some((held) => sameLabel(held, server));
    // It was added, but not as it was sent.
    return !isThere(before) && isThere(after) ? [true, false] : [false];
  };
  // A server that is still there may be in the administrator's configuration, so no save can remove it.
  const gone = removed.flatMap((server) => (isIn(after, server) ? [] : [true]));
  const results = [...added.flatMap(arrived), ...gone];
  if (added.length + removed.length > 0) return results;
  return order(meant) === order(before) ? [] : [order(after) === order(meant)];
}

/** The labels of each list in order, without repetitions. */
function order(servers: readonly HeldServer[]): string {
  const labels = (kind: McpKind) => servers.filter((server) => server.kind === kind).map(mcpLabel);
  return canonical(mcpKinds.map((kind) => [...new Set(labels(kind))]));
}
