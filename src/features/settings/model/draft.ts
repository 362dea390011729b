import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import {
  formEdits,
  type FormEdits,
  type FormModel,
  type Conflict,
  identityOf,
  renamed,
} from '../shared/form';
import { mcpLabel, type McpServer, type McpSecret, type McpEnvEntry } from '../../../shared/mcp';
import { plainFields, secretFields } from '../../../shared/settings';
import { canonical } from '../../../shared/json';
import { moreValues, withMore, mergeMore, unplacedMore } from './moreSettings';
import { same } from '../../../shared/same';
import { Judge } from './conflicts';
import { matchServers } from './snapshot';
import { mergeValues } from './merge';
import { mergeServers } from './mergeServers';
import { contentOf, writeServer, type HeldServer } from './servers';
import { mask } from '../../../api/service/schemas/secret';
import { withoutStrays, type MyServer, type WantedEntry } from './secrets';

const { secrets: _, ...plainEdits } = formEdits.shape;

const storedDraft = z.strictObject({
  version: z.literal(1),
  /** ISO 8601. */
  savedAt: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  /** `fingerprint` of the model that the edits were made on. */
  fingerprint: z.string(),
  edits: formEdits,
  /** The part of the service's settings that the edits are based on. */
  base: z.strictObject(plainEdits),
  dropped: z.array(z.string()),
});

/** Unsaved edits kept after the window closes. Contains no secrets; `dropped` names those that were typed. */
export type StoredDraft = z.infer<typeof storedDraft>;

/** Makes a draft of the edits to `model`. */
export function makeDraft(model: FormModel, edits: FormEdits, now: Date): StoredDraft {
  const values = Object.fromEntries(
    plainFields.filter((field) => field in edits.values).map((field) => [field, model.values[field]]),
  );
  const { more: edited = {} } = edits;
  const held = Object.entries(moreValues(model.more));
  const more = Object.fromEntries(held.filter(([path]) => Object.hasOwn(edited, path)));
  const { kept, dropped } = withoutTyped(edits);
  return {
    version: 1,
    savedAt: now.toISOString(),
    fingerprint: fingerprint(model),
    edits: kept,
    base: withMore({ values, mcpServers: edits.mcpServers === null ? null : model.mcpServers }, more),
    dropped,
  };
}

/** Reads a stored draft; undefined if it's unreadable. */
export function parseDraft(stored: unknown): StoredDraft | undefined {
  const parsed = storedDraft.safeParse(stored);
  return parsed.success ? parsed.data : undefined;
}

/** Identifies a state of the service, as far as the form shows it. */
export function fingerprint(model: FormModel): string {
  const servers = model.mcpServers.map(({ id: _id, ...server }) => server);
  return createHash('sha256')
    .update(canonical({ ...model, mcpServers: servers }))
    .digest('hex');
}

/** The edits without replacements of secrets, whose typed values are lost. */
function withoutTyped(edits: FormEdits): { kept: FormEdits; dropped: string[] } {
  const dropped: string[] = secretFields.filter((field) => edits.secrets[field] === 'replace');
  const cleared = secretFields.filter((field) => edits.secrets[field] === 'clear');
  const servers = edits.mcpServers?.map((server): McpServer => {
    const keep = <S extends McpServer['apiKey']>(secret: S, name: string): S => {
      if (secret.intention !== 'replace') return secret;
      dropped.push(`${mcpLabel(server)}: ${name}`);
      return { ...secret, intention: 'keep' };
    };
    return {
      ...server,
      apiKey: keep(server.apiKey, 'api_key'),
      env: server.env.map((entry) => keep(entry, `env.${entry.name}`)),
    };
  });
  const secrets = Object.fromEntries(cleared.map((field) => [field, 'clear'] as const));
  const kept = withMore({ values: edits.values, secrets, mcpServers: servers ?? null }, edits.more ?? {});
  return { kept, dropped };
}

/** The service's values that the edits were based on. */
export type EditsBase = Omit<FormEdits, 'secrets'>;

/** Edits carried over to another reading of the settings. */
export interface RestoredEdits {
  edits: FormEdits;
  /** Values that both the user and the service changed; the edits have the user's. */
  overlaps: Conflict[];
  /** Labels of the secrets whose values are lost: typed ones, and those of a server that is gone. */
  dropped: string[];
  /** Values of fields that the service doesn’t describe now, in words: they can’t be edited. */
  unplaced: string[];
}

/** Three-way merge of the user's changes with what `model` shows now. */
export function restoreEdits(edits: FormEdits, base: EditsBase, model: FormModel): RestoredEdits {
  const { kept, dropped } = withoutTyped(edits);
  const judge = new Judge();
  const previous = { ...model.values, ...base.values };
  const values = mergeValues(kept.values, previous, model.values, model.lacks, judge);
  const more = mergeMore(kept.more, { ...moreValues(model.more), ...base.more }, model.more, judge);
  const restored =
    kept.mcpServers === null || base.mcpServers === null
      ? null
      : restoreServers(base.mcpServers, kept.mcpServers, model.mcpServers, judge);
  return {
    edits: withMore({ values, secrets: kept.secrets, mcpServers: restored?.servers ?? null }, more),
    unplaced: unplacedMore(kept.more, model.more),
    overlaps: judge.conflicts,
    dropped: [...new Set([...dropped, ...(restored?.lost ?? [])])],
  };
}

/** Ids of earlier sessions match nothing, so the three sides get the ids of `base`, only for the merge. */
function restoreServers(
  base: readonly McpServer[],
  edited: readonly McpServer[],
  held: readonly McpServer[],
  judge: Judge,
) {
  const previous = base.map(comparable);
  const mine = edited.map((server) => comparableEdit(server, previous));
  const fresh = matchServers(previous, held.map(comparable), mine);
  const now = new Map(fresh.map(({ id }, index) => [id, held[index]]));
  const freshById = new Map(fresh.map((server) => [server.id, server]));
  const idOf = (id: string) => now.get(id)?.id ?? (id.startsWith('new-') ? id : `new-${id}`);
  const lost: string[] = [];
  const servers = mergeServers({ base: previous, mine, fresh }, judge).flatMap((merged): McpServer[] => {
    const [shown, wanted] = [now.get(merged.id), edited.find(({ id }) => id === merged.id)];
    if (shown === undefined) return wanted ? [asNew(wanted, idOf(wanted.id))] : [];
    const [before, after] = [base.find(({ id }) => id === merged.id), freshById.get(merged.id)];
    // What only one side changed is taken over as it is, half-typed text and all.
    if (wanted && before && looksTheSame(before, shown)) return [{ ...wanted, id: shown.id }];
    const isTheirs = after && contentOf(after) === contentOf(merged);
    return [wanted === undefined || isTheirs ? shown : onTopOf(wanted, before, shown)];
  });
  return { servers, lost };

  function lose(server: McpServer, names: readonly string[]) {
    lost.push(...names.map((name) => `${mcpLabel(server)}: ${name}`));
  }

  /** The user's server where the service's has changed too: half-typed text and all, with the secrets that it has now. */
  function onTopOf(wanted: McpServer, before: McpServer | undefined, shown: McpServer): McpServer {
    const over = <S extends McpSecret>(held: S, { intention }: McpSecret): S =>
      intention === 'clear' && isThere(held) ? { ...held, intention } : held;
    const env = wanted.env.map((entry): McpEnvEntry => {
      const identity = identityOf(entry);
      // Somebody else may have added a new one by now.
      const isNew = before?.env.every(({ name }) => name !== identity && name !== entry.name);
      const held = shown.env.find((other) => identityOf(other) === (isNew ? entry.name : identity));
      return held ? renamed(over(held, entry), entry.name) : { ...entry, ...notSet };
    });
    const result = { ...wanted, id: shown.id, apiKey: over(shown.apiKey, wanted.apiKey), env };
    const there = secretNames(result, isThere);
    lose(
      wanted,
      secretNames(wanted, isKept).filter((name) => !there.includes(name)),
    );
    return result;
  }

  /** A server that isn't or is no longer on the service: its secrets have to be entered again. */
  function asNew(server: McpServer, id: string): McpServer {
    const { copiedFrom, ...rest } = server;
    const source = copiedFrom === undefined ? undefined : now.get(copiedFrom)?.id;
    if (source !== undefined) return { ...rest, id, copiedFrom: source };
    lose(server, secretNames(server, isKept));
    return { ...rest, id, apiKey: { ...notSet }, env: server.env.map(({ name }) => ({ name, ...notSet })) };
  }
}

/** The wire names of a server's secrets of which `is` is true. */
function secretNames({ kind, apiKey, env }: McpServer, is: (secret: McpSecret) => boolean): string[] {
  if (kind !== 'stdio') return is(apiKey) ? ['api_key'] : [];
  return env.filter(is).map(({ name }) => `env.${name}`);
}

const isKept = ({ presence, intention }: McpSecret) => presence === 'set' && intention === 'keep';

/** True if nothing differs but the ids, not even what becomes of the secrets. */
function looksTheSame(one: McpServer, other: McpServer): boolean {
  return same({ ...one, id: other.id }, other);
}

const notSet = { presence: 'notSet', intention: 'keep' } as const;

/**
 * A server as the form shows it, with what the user intends, in the shape of the service's, so that edits merge the same
 * way without any secrets known. Each secret is represented by what identifies it, so two that look the same may still
 * differ.
 */
function comparable(server: McpServer): HeldServer {
  const env = server.env.map(
    (entry) => [entry.name, isThere(entry) ? valueOf(identityOf(entry)) : ''] as const,
  );
  const values = { ...withSwitch(server), apiKey: isThere(server.apiKey) ? mask : null, env: new Map(env) };
  return writeServer(server.id, values, undefined);
}

/** An edited server of a draft, whose typed secrets are lost; it's based on the one of `previous` with its id. */
function comparableEdit(server: McpServer, previous: readonly HeldServer[]): MyServer {
  const source = previous.find(({ id }) => id === server.id);
  const entries = server.env.map((entry): WantedEntry => {
    const identity = identityOf(entry);
    const held = source?.env.get(identity);
    // A new variable's value is lost. One that has this name by now may be the same.
    if (held === undefined) return { from: null, name: entry.name, value: valueOf(entry.name) };
    return { from: identity, name: entry.name, value: entry.intention === 'clear' ? '' : held };
  });
  const env = new Map(entries.map(({ name, value }) => [name, value ?? '']));
  const apiKey = isThere(server.apiKey) ? mask : null;
  const values = { ...withSwitch(server), apiKey, env };
  return { ...(source ? withoutStrays(values, source) : values), entries, source };
}

const withSwitch = (server: McpServer) => ({ ...server, enabled: server.enabled ?? null });

/** True if the next save leaves a value there. */
function isThere({ presence, intention }: McpSecret): boolean {
  return intention === 'replace' || (intention === 'keep' && presence === 'set');
}

/** Stands in for the value of a variable. */
const valueOf = (identity: string) => `value of ${identity}`;
