import * as l10n from '@vscode/l10n';
import { fieldTable } from '../../../shared/fields';
import type { ErrorTarget, SaveNote } from '../shared/form';
import {
  plainFields,
  secretFields,
  shownFields,
  type SecretField,
  type SecretPresence,
} from '../../../shared/settings';
import { same } from '../../../shared/same';
import type { Meant } from './body';
import { changedNote, secretNote, serverNotes, serverResults } from './compareServers';
import { isServers, unsaid } from './doubts';
import { member, type JsonObject } from './json';
import type { Merged, Snapshot } from './merge';
import { moreValues } from './moreSettings';
import { plainValuesOf, samePlain, unknownFields } from './record';

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
