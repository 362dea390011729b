import * as z from 'zod/mini';
import { behaviourSchema, delaysSchema, type Behaviour } from './behaviour';
import { makeConversation, makeSandbox, makeSettings, makeSpec, makeStartTask, type State } from './records';

const records = z.optional(z.array(z.looseObject({ id: z.string() })));
const ids = z.optional(z.array(z.string()));
const tokens = z.record(
  z.string(),
  z.strictObject({
    token: z.nullable(z.string()),
    user_id: z.nullable(z.string()),
    host: z.nullable(z.string()),
  }),
);

/** A change to the service's state and behavior, sent by a test in another process. */
export const patchSchema = z.strictObject({
  /** Merged into the stored settings or the defaults; null means that nothing was ever saved. */
  settings: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  /** Replaces all tokens. */
  providerTokens: z.optional(tokens),
  /** Replaces all repositories. */
  repositories: z.optional(
    z.array(
      z.strictObject({ full_name: z.string(), git_provider: z.string(), branches: z.array(z.string()) }),
    ),
  ),
  /** Merged into the record with that id, or into a new one with defaults. The types of fields aren't checked. */
  specs: records,
  sandboxes: records,
  conversations: records,
  startTasks: records,
  /** Ids of records to remove. */
  remove: z.optional(z.strictObject({ specs: ids, sandboxes: ids, conversations: ids, startTasks: ids })),
  behaviour: z.optional(
    z.extend(z.partial(behaviourSchema), { delays: z.optional(z.partial(delaysSchema)) }),
  ),
});
export type Patch = z.infer<typeof patchSchema>;

/** Applies a patch in place. */
export function applyPatch(patch: Patch, state: State, behaviour: Behaviour): void {
  if (patch.settings === null) state.settings = null;
  else if (patch.settings) state.settings = { ...(state.settings ?? makeSettings()), ...patch.settings };
  if (patch.providerTokens) state.providerTokens = { ...patch.providerTokens };
  if (patch.repositories) state.repositories = patch.repositories;
  upsert(state.specs, patch.specs, makeSpec);
  upsert(state.sandboxes, patch.sandboxes, makeSandbox);
  upsert(state.conversations, patch.conversations, makeConversation);
  upsert(state.startTasks, patch.startTasks, makeStartTask);
  for (const kind of ['specs', 'sandboxes', 'conversations', 'startTasks'] as const)
    for (const id of patch.remove?.[kind] ?? []) state[kind].delete(id);
  const { delays, ...rest } = patch.behaviour ?? {};
  Object.assign(behaviour, rest);
  Object.assign(behaviour.delays, delays);
}

function upsert<T extends { id: string }>(
  records: Map<string, T>,
  changes: { id: string }[] | undefined,
  make: (fields: T) => T,
): void {
  for (const change of changes ?? []) {
    const record = records.get(change.id);
    if (record) Object.assign(record, change);
    else records.set(change.id, make(change as T));
  }
}

/** The state as JSON, for a test in another process. */
export const stateAsJson = (state: State) => ({
  settings: state.settings,
  providerTokens: state.providerTokens,
  specs: [...state.specs.values()],
  sandboxes: [...state.sandboxes.values()],
  conversations: [...state.conversations.values()],
  startTasks: [...state.startTasks.values()],
  profiles: Object.fromEntries(state.profiles),
  secrets: Object.fromEntries(state.secrets),
});
