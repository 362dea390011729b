import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { age } from '../shared/age';
import type { FormEdits } from '../shared/form';
import { withIntention } from '../shared/intentions';
import { nameList } from '../shared/joined';
import type { DraftOffer } from '../shared/messages';
import type { SettingsDocument } from '../state/settings/document';
import { fingerprint, makeDraft, parseDraft, restoreEdits, type StoredDraft } from '../state/settings/draft';
import { isEmpty, type FormHost, type OpenForm } from './formHost';
import type { FormPorts } from './ports';
import { droppedWords, restoredNotices, targetLabel } from './words';

/** A draft that the user has not decided on. */
export interface OfferedDraft {
  id: string;
  draft: StoredDraft;
}

/** Whoever leaves more drafts than this undecided has forgotten the oldest. */
const mostOffers = 3;
const mostNames = 10;

/** Keeps the edits of the form, and the drafts that it offers, until the next time. */
export function storeDrafts(ports: FormPorts, { client, document, edits, offers }: OpenForm): void {
  const current = isEmpty(edits) ? null : makeDraft(document.model, edits, new Date());
  const earlier = offers.map(({ draft }) => draft);
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
    open.notices = restoredNotices(hasChanges ? restored : undefined, current);
  }
  const drafts = [...(current && !isOwn ? [current] : []), ...earlier];
  open.offers = drafts
    .filter((draft) => draft.dropped.length > 0 || changes(document, draft).length > 0)
    .slice(0, mostOffers)
    .map((draft) => ({ id: randomUUID(), draft }));
}

function readDrafts(stored: unknown): { current: StoredDraft | undefined; earlier: StoredDraft[] } {
  const { current, earlier } = Object(stored) as { current?: unknown; earlier?: unknown };
  const list: unknown[] = Array.isArray(earlier) ? earlier : [];
  return { current: parseDraft(current), earlier: list.flatMap((draft) => parseDraft(draft) ?? []) };
}

function changes(document: SettingsDocument, draft: StoredDraft) {
  return document.review(document.restore(draft.edits, draft.base).edits);
}

/** An offer in words. */
export function offerOf({ id, draft }: OfferedDraft, document: SettingsDocument, now: Date): DraftOffer {
  const { overlaps } = document.restore(draft.edits, draft.base);
  const names = (list: readonly Parameters<typeof targetLabel>[]) => {
    const all = [...new Set(list.map(([target, label]) => targetLabel(target, label)))];
    const more = all.length - mostNames;
    const shown = nameList(all.slice(0, mostNames));
    return more > 0 ? l10n.t('{0} and {1} more', shown, more) : shown;
  };
  const changed = changes(document, draft);
  const words = [
    l10n.t(
      'You left unsaved changes {0} ({1}).',
      age(draft.savedAt, now.getTime()) ?? '',
      new Date(draft.savedAt).toLocaleString(),
    ),
  ];
  if (changed.length > 0) {
    words.push(l10n.t('They change: {0}.', names(changed.map(({ target, label }) => [target, label]))));
  }
  if (overlaps.length > 0) {
    const list = names(overlaps.map(({ target, label }) => [target, label]));
    words.push(l10n.t('The service has changed since, and of these too: {0}.', list));
  } else if (draft.fingerprint === fingerprint(document.model)) {
    words.push(l10n.t('The service’s settings have not changed since.'));
  } else {
    words.push(l10n.t('The service’s settings have changed since, but nothing that the draft changes.'));
  }
  if (draft.dropped.length > 0) words.push(droppedWords(draft.dropped));
  return { id, words };
}

/** Puts the draft’s edits on those of the form; where both change the same, the draft’s are taken. */
export function restoreDraft(host: FormHost, id: string): void {
  const { open } = host;
  const offer = open?.offers.find((candidate) => candidate.id === id);
  if (!open || !offer || open.saving) return;
  const { document, edits: present } = open;
  const held = document.model.mcpServers;
  const { draft } = offer;
  // Servers that were edited in the meantime are what the draft's changes of servers come upon.
  const shown = { ...document.model, mcpServers: present.mcpServers ?? held };
  const restored = restoreEdits(draft.edits, draft.base, shown);
  const merged: FormEdits = {
    values: { ...present.values, ...restored.edits.values },
    secrets: { ...present.secrets, ...restored.edits.secrets },
    mcpServers: restored.edits.mcpServers ?? present.mcpServers,
  };
  open.offers = open.offers.filter((other) => other !== offer);
  open.notices = restoredNotices(restored, draft);
  host.setEdits(
    open.decided.reduce(
      (edits, { target, intention }) => withIntention(edits, held, target, intention),
      merged,
    ),
  );
  host.show(open);
}

/** Forgets the draft. */
export function discardDraft(host: FormHost, id: string): void {
  const { open } = host;
  if (!open) return;
  open.offers = open.offers.filter((offer) => offer.id !== id);
  host.setEdits(open.edits);
  host.show(open);
}
