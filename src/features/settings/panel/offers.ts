import type { FormEdits } from '../shared/form';
import { intentionsOf, withIntention } from '../shared/intentions';
import { restoreEdits } from '../model/restore';
import { storeDrafts } from './drafts';
import type { FormHost } from './formHost';
import { overlaid, type OpenForm, type EditsStep } from './openForm';
import { restoredNotices, unplacedNotices } from './words';

/** Adds the draft’s edits to the form; if both change the same value, the draft wins, but no typed secret is lost. */
export function restoreDraft(host: FormHost, open: OpenForm, id: string): void {
  const offer = open.offers.find((candidate) => candidate.id === id);
  if (!offer || open.working !== null) return;
  const { model } = open.document;
  const { draft } = offer;
  // The draft's server changes are merged with servers edited since.
  const restoredOn = (present: FormEdits) =>
    restoreEdits(draft.edits, draft.base, { ...model, mcpServers: present.mcpServers ?? model.mcpServers });
  const step: EditsStep = (present) =>
    intentionsOf(present).reduce(
      (edits, { target, intention }) => withIntention(edits, model.mcpServers, target, intention),
      overlaid(present, restoredOn(present).edits),
    );
  open.offers = open.offers.filter((other) => other !== offer);
  const restored = restoredOn(open.edits);
  open.notices = [...restoredNotices(restored, draft), ...unplacedNotices(restored)];
  host.step(step);
}

/** Forgets the draft. */
export function discardDraft(host: FormHost, open: OpenForm, id: string): void {
  open.offers = open.offers.filter((offer) => offer.id !== id);
  storeDrafts(host.ports, open);
  host.show();
}
