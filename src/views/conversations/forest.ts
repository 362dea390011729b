import type { Conversation } from '../../api/schemas/conversation';
import { derived } from '../../state/derived';
import { waitsForUser } from '../../state/status';

/** A conversation with those that its agent began. */
export interface Branch {
  readonly conversation: Conversation;
  readonly children: Branch[];
  /** True when the agent of this one, or of one below it, waits for the user. */
  waits: boolean;
  /** Milliseconds since the epoch; 0 when unknown. */
  readonly created: number;
  readonly updated: number;
  /** In lower case, to sort by; the id where there is none. */
  readonly title: string;
}

/** What begins deeper than this stands beside the one that began it. */
const deepest = 8;

/** The same UUID may be written with hyphens in one place and without them in another. */
const bare = (id: string) => id.replaceAll('-', '').toLowerCase();
const time = (iso: string | null | undefined) => Date.parse(iso ?? '') || 0;

/**
 * Puts conversations under the one that each belongs to. One whose parent is not among them stands by itself, and a
 * circle is cut open: each conversation is there exactly once, whatever the service says.
 */
export const forest = derived((conversations: readonly Conversation[]): Branch[] => {
  const branches = new Map<string, Branch>();
  const claimed = new Map<string, string>();
  for (const conversation of conversations) {
    const { created_at, updated_at } = conversation;
    branches.set(bare(conversation.id), {
      conversation,
      children: [],
      waits: waitsForUser(conversation),
      created: time(created_at),
      updated: time(updated_at ?? created_at),
      title: ((conversation.title ?? '') || conversation.id).slice(0, 120).toLowerCase(),
    });
    for (const sub of conversation.sub_conversation_ids ?? []) claimed.set(bare(sub), bare(conversation.id));
  }

  const parentOf = (id: string): string | undefined => {
    const parent = branches.get(id)?.conversation.parent_conversation_id;
    const known = parent ? bare(parent) : claimed.get(id);
    return known !== undefined && branches.has(known) ? known : undefined;
  };

  const placed = new Map<string, { parent: string | undefined; depth: number }>();
  const place = (start: string) => {
    const path: string[] = [];
    const onPath = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && !placed.has(id) && !onPath.has(id)) {
      path.push(id);
      onPath.add(id);
      id = parentOf(id);
    }
    // A circle ends where it was met again: there the last of the path becomes a root.
    let above = id !== undefined && placed.has(id) ? id : undefined;
    for (const one of path.reverse()) {
      const depth: number = above === undefined ? 0 : (placed.get(above)?.depth ?? 0) + 1;
      if (depth > deepest && above !== undefined) above = placed.get(above)?.parent;
      placed.set(one, { parent: above, depth: Math.min(depth, deepest) });
      above = one;
    }
  };

  const roots: Branch[] = [];
  for (const [id, branch] of branches) {
    if (parentOf(id) === undefined) {
      roots.push(branch);
      continue;
    }
    place(id);
    const parent = placed.get(id)?.parent;
    (parent === undefined ? roots : branches.get(parent)?.children)?.push(branch);
  }
  for (const [id, branch] of branches) {
    if (!waitsForUser(branch.conversation)) continue;
    for (let up = placed.get(id)?.parent; up !== undefined; up = placed.get(up)?.parent) {
      const above = branches.get(up);
      if (above) above.waits = true;
    }
  }
  return roots;
});
