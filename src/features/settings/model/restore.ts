import type { Conflict, ErrorTarget, FormEdits, FormModel } from '../shared/form';
import { mcpLabel, type McpSecret, type McpServer } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { withoutTyped } from './draft';
import { Judge } from './judge';
import { matchServers } from './match';
import { mergeValues } from './merge';
import { mergeMore, moreValues, unplacedMore, withMore } from './moreSettings';
import { mergeServers } from './mergeServers';
import { contentOf } from './servers';
import { unveiled, veiled, veiledEdit } from './veiled';

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
    overlaps: judge.conflicts.map((conflict) => ({
      ...conflict,
      target: restored?.targetOf(conflict.target) ?? conflict.target,
    })),
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
  const previous = base.map(veiled);
  const mine = edited.map((server) => veiledEdit(server, previous));
  const fresh = matchServers(previous, held.map(veiled), mine);
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
    if (after && contentOf(after) === contentOf(merged)) return [shown];
    return [unveiled(merged, shown)];
  });
  const targetOf = (target: ErrorTarget): ErrorTarget =>
    target.at === 'mcp' ? { ...target, id: idOf(target.id) } : target;
  return { servers, targetOf, lost };

  /** A server that isn't or is no longer on the service: its secrets have to be entered again. */
  function asNew(server: McpServer, id: string): McpServer {
    const { copiedFrom, ...rest } = server;
    const source = copiedFrom === undefined ? undefined : now.get(copiedFrom)?.id;
    if (source !== undefined) return { ...rest, id, copiedFrom: source };
    lost.push(...keptSecrets(server).map((name) => `${mcpLabel(server)}: ${name}`));
    return { ...rest, id, apiKey: { ...notSet }, env: server.env.map(({ name }) => ({ name, ...notSet })) };
  }
}

/** The wire names of the secrets that a server has and keeps. */
function keptSecrets({ kind, apiKey, env }: McpServer): string[] {
  const isKept = ({ presence, intention }: McpSecret) => presence === 'set' && intention === 'keep';
  if (kind !== 'stdio') return isKept(apiKey) ? ['api_key'] : [];
  return env.filter(isKept).map(({ name }) => `env.${name}`);
}

/** True if nothing differs but the ids, not even what becomes of the secrets. */
function looksTheSame(one: McpServer, other: McpServer): boolean {
  return same({ ...one, id: other.id }, other);
}

const notSet = { presence: 'notSet', intention: 'keep' } as const;
