import type { FormEdits } from '../../shared/form';
import { withIntention } from '../../shared/intentions';
import { restoreEdits } from '../../state/settings/restore';
import type { FormHost } from './formHost';
import { restoredNotices } from './words';

/** Adds the draft’s edits to the form; if both change the same value, the draft wins. */
export function restoreDraft(host: FormHost, id: string): void {
  const { open } = host;
  const offer = open?.offers.find((candidate) => candidate.id === id);
  if (!open || !offer || open.saving) return;
  const { document, edits: present } = open;
  const held = document.model.mcpServers;
  const { draft } = offer;
  // The draft's server changes are merged with servers edited since.
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
