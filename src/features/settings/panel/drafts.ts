import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { age } from '../../../shared/age';
import type { DraftOffer } from '../shared/messages';
import { membersOf } from '../../../shared/membersOf';
import type { SettingsDocument } from '../model/document';
import { fingerprint, makeDraft, parseDraft, type StoredDraft } from '../model/draft';
import { isEmpty, type OfferedDraft, type OpenForm } from './openForm';
import type { FormPorts } from './ports';
import { droppedWords, restoredNotices, targetNames, unplacedNotices } from './words';

/** Maximum number of undecided drafts; older ones are dropped. */
const mostOffers = 3;

/** Stores the form's edits and the drafts it offers. */
export function storeDrafts(ports: FormPorts, { client, document, edits, offers }: OpenForm): void {
  const current = isEmpty(edits) ? null : makeDraft(document.model, edits, new Date());
  const stored = ports.drafts.read(client.baseUrl);
  const earlier = [...offers.map(({ draft }) => draft), ...unreadableDrafts(stored)];
  ports.drafts.write(client.baseUrl, current || earlier.length > 0 ? { current, earlier } : undefined);
}

/**
 * Takes what `storeDrafts` kept into a form that was just read. Edits that were the form's own are on it again at once,
 * and it says so; all else is offered.
 */
export function takeDrafts(open: OpenForm, stored: unknown, isOwn: boolean): void {
  const { current, earlier } = readDrafts(stored);
  const { document } = open;
  if (isOwn && current) {
    const restored = document.restore(current.edits, current.base);
    const hasChanges = document.review(restored.edits).length > 0;
    if (hasChanges) open.edits = restored.edits;
    open.notices = [
      ...restoredNotices(hasChanges ? restored : undefined, current),
      ...unplacedNotices(restored),
    ];
  }
  const drafts = [...(current && !isOwn ? [current] : []), ...earlier];
  open.offers = drafts
    .filter((draft) => {
      const { edits, unplaced } = document.restore(draft.edits, draft.base);
      return draft.dropped.length > 0 || unplaced.length > 0 || document.review(edits).length > 0;
    })
    .slice(0, mostOffers)
    .map((draft) => ({ id: randomUUID(), draft }));
}

function readDrafts(stored: unknown): { current: StoredDraft | undefined; earlier: StoredDraft[] } {
  const { current, earlier } = membersOf(stored);
  const list: unknown[] = Array.isArray(earlier) ? earlier : [];
  return { current: parseDraft(current), earlier: list.flatMap((draft) => parseDraft(draft) ?? []) };
}

/** Drafts that a later version of the extension stored; they're written back. */
function unreadableDrafts(stored: unknown): unknown[] {
  const { current, earlier } = membersOf(stored);
  const all: unknown[] = [current, ...(Array.isArray(earlier) ? (earlier as unknown[]) : [])];
  return all.filter((one) => Object.keys(membersOf(one)).length > 0 && !parseDraft(one));
}

/** An offer in words. */
export function offerOf({ id, draft }: OfferedDraft, document: SettingsDocument, now: Date): DraftOffer {
  const restored = document.restore(draft.edits, draft.base);
  const { overlaps } = restored;
  const changed = document.review(restored.edits);
  const words = [
    l10n.t(
      'You left unsaved changes {0} ({1}).',
      age(draft.savedAt, now.getTime()) ?? '',
      new Date(draft.savedAt).toLocaleString(),
    ),
  ];
  if (changed.length > 0) {
    words.push(l10n.t('They change: {0}.', targetNames(changed)));
  }
  if (overlaps.length > 0) {
    words.push(l10n.t('These have also changed on the service since: {0}.', targetNames(overlaps)));
  } else if (draft.fingerprint === fingerprint(document.model)) {
    words.push(l10n.t('The service’s settings haven’t changed since.'));
  } else {
    words.push(l10n.t('Other settings on the service have changed since.'));
  }
  if (draft.dropped.length > 0) words.push(droppedWords(draft.dropped));
  return { id, words: [...words, ...unplacedNotices(restored)] };
}
