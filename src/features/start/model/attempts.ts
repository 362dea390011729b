import * as z from 'zod/mini';
import { bareId } from '../../../api/http/ids';
import { tagPrefix } from '../../../api/service/agentServer';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ChoiceStore } from '../../../core/basics/choiceStore';
import { derived } from '../../../core/basics/derived';
import { Emitter } from '../../../core/basics/emitter';
import { StoredList } from '../../../core/basics/storedList';
import type { AgentChoice, ConversationChoice } from './choice';

/** How many attempts one message starts, and how many conversations are compared. */
export const attempts = { least: 2, most: 8 } as const;

/** Whether there are enough conversations to compare, and not too many. */
export const areComparable = (count: number) => count >= attempts.least && count <= attempts.most;

export const attemptSchema = z.object({
  /** The same for all attempts of a message. */
  group: z.string(),
  /** What distinguishes it, for people; empty if nothing does. */
  label: z.string(),
});

/** What makes a conversation one of several attempts. */
export type Attempt = Readonly<z.infer<typeof attemptSchema>>;

/** What distinguishes one of several attempts. */
export interface Variant {
  readonly label: string;
  readonly model?: string;
  readonly modelProfile?: string;
  readonly profile?: AgentChoice['profile'];
}

/** The choice for an attempt: in a sandbox or worktree of its own, whatever was selected for all. */
export function attemptChoice(choice: ConversationChoice, variant: Variant): ConversationChoice {
  const { label, model, modelProfile, profile } = variant;
  const { agent, place, title } = choice;
  return {
    ...choice,
    place: { kind: 'new', ...(place.kind === 'new' && { specId: place.specId }) },
    ...(model !== undefined && { model }),
    ...(title !== undefined && label !== '' && { title: `${title} – ${label}` }),
    ...(agent && {
      agent: {
        ...agent,
        isWorktree: true,
        ...(agent.runtime === 'docker' && { runtime: 'local' }),
        ...(profile && { profile, modelProfile: undefined, agentModel: undefined }),
        ...(modelProfile !== undefined && { modelProfile }),
      },
    }),
  };
}

const tags = { group: `${tagPrefix}attempts`, label: `${tagPrefix}attempt` } as const;

/** The tags of an attempt, by which every client recognizes it. */
export const attemptTags = ({ group, label }: Attempt): Record<string, string> => ({
  [tags.group]: group,
  ...(label !== '' && { [tags.label]: label }),
});

const keptSchema = z.object({ ...attemptSchema.shape, id: z.string() });
type Kept = z.infer<typeof keptSchema>;

/** How many attempts of a service are remembered here. */
const mostKept = 200;

/** Which conversations are attempts: by their tags, or as this computer remembers where the service keeps none. */
export class Attempts {
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ChoiceStore,
    private readonly keyOf: (service: string) => string,
  ) {}

  of(service: string, { id, tags: own }: Pick<Conversation, 'id' | 'tags'>): Attempt | undefined {
    const { [tags.group]: group, [tags.label]: label } = own ?? {};
    if (typeof group === 'string' && group !== '')
      return { group, label: typeof label === 'string' ? label : '' };
    const stored = this.store.get(this.keyOf(service));
    return Array.isArray(stored) ? keptIn(stored).get(bareId(id)) : undefined;
  }

  /** Remembers an attempt on this computer. */
  keep(service: string, conversationId: string, { group, label }: Attempt): void {
    const key = this.keyOf(service);
    const list = new StoredList<Kept>(
      keptSchema,
      {
        read: () => this.store.get(key),
        write: (value) => void this.store.update(key, value),
      },
      ({ id }) => id,
    );
    const id = bareId(conversationId);
    const others = list.all.filter((one) => one.id !== id);
    list.write([{ id, group, label }, ...others].slice(0, mostKept));
    this.changed.fire(undefined);
  }
}

const keptIn = derived(
  (stored: readonly unknown[]) =>
    new Map(
      stored.flatMap((one) => {
        const { data } = keptSchema.safeParse(one);
        return data ? [[data.id, data] as const] : [];
      }),
    ),
);
