import { bareId } from '../../../api/http/ids';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { derived } from '../../../core/basics/derived';
import { conversationLabel } from '../../../core/lists/names';
import { lastActive, waitsForUser } from '../../../core/lists/status';

/** A conversation and the ones that its agent started. What they are sorted by is made when asked for, for a long list. */
export class Branch {
  readonly children: Branch[] = [];
  /** True if the agent of this conversation, or of one below, is waiting for the user. */
  waits: boolean;
  private knownCreated: number | undefined;
  private knownUpdated: number | undefined;
  private knownTitle: string | undefined;

  constructor(readonly conversation: Conversation) {
    this.waits = waitsForUser(conversation);
  }

  /** Milliseconds since the epoch; 0 when unknown. */
  get created(): number {
    return (this.knownCreated ??= time(this.conversation.created_at));
  }

  get updated(): number {
    return (this.knownUpdated ??= lastActive(this.conversation));
  }

  /** The label in lower case. */
  get title(): string {
    return (this.knownTitle ??= conversationLabel(this.conversation).toLowerCase());
  }
}

/** Below this level, a conversation is placed beside the one that started it. */
const deepest = 8;

interface Place {
  parent: string | undefined;
  depth: number;
}

const time = (iso: string | null | undefined) => Date.parse(iso ?? '') || 0;

/**
 * Puts each conversation under its parent. Conversations with a missing parent become roots, and cycles are broken, so
 * that each conversation appears exactly once, whatever the service says.
 */
export const forest = derived((conversations: readonly Conversation[]): Branch[] => {
  // One UUID may be written with and without hyphens.
  const branches = new Map<string, Branch>();
  const claimed = new Map<string, string>();
  for (const conversation of conversations) {
    branches.set(bareId(conversation.id), new Branch(conversation));
    for (const sub of conversation.sub_conversation_ids ?? [])
      claimed.set(bareId(sub), bareId(conversation.id));
  }

  const parentOf = (id: string): string | undefined => {
    const parent = branches.get(id)?.conversation.parent_conversation_id;
    const known = parent ? bareId(parent) : claimed.get(id);
    return known !== undefined && branches.has(known) ? known : undefined;
  };

  const placed = new Map<string, Place>();
  const place = (start: string) => {
    const path: string[] = [];
    const onPath = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && !placed.has(id) && !onPath.has(id)) {
      path.push(id);
      onPath.add(id);
      id = parentOf(id);
    }
    // A cycle is broken where it closes: the last of the path becomes a root.
    let above = id !== undefined && placed.has(id) ? id : undefined;
    for (const one of path.reverse()) {
      const over: Place | undefined = above === undefined ? undefined : placed.get(above);
      const below = { parent: above, depth: over ? over.depth + 1 : 0 };
      placed.set(one, over?.depth === deepest ? over : below);
      above = one;
    }
  };

  const roots: Branch[] = [];
  for (const [id, branch] of branches) {
    // Most have none above them, and this runs at each refresh.
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
  // If there are very many, only the first are shown. The waiting ones must be among them.
  for (const { children } of branches.values()) {
    children.sort((a, b) => Number(b.waits) - Number(a.waits));
  }
  return roots;
});
