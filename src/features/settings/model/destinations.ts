import { type FormEdits, type FormModel, type SecretTarget, identityOf } from '../shared/form';
import { mcpLabel, type McpSecret, type McpServer } from '../../../shared/mcp';
import type { SecretField } from '../../../shared/settings';
import { goesElsewhere, modelPlace, type ModelPlace, placeName } from '../../../shared/modelProvider';
import { groupBy } from '../../../core/basics/groupBy';
import type { Merged } from './merge';
import { wantedServer, type TypedSecrets } from './secrets';
import { placeOfServer, unknownMembers, type HeldServer } from './servers';

/**
 * Where a secret goes: the origin of a URL, the provider of a model, the command line that gets a variable, or '' where
 * none is known. A URL that parsers read in different ways is a place of its own.
 */
export type DestinationText = string;

/** Secrets that would go where they didn't go before. */
export interface Destination {
  /** The field, or the server by its label and its secrets by their wire names. */
  of: { at: 'field'; field: SecretField } | { at: 'mcp'; label: string; names: string[] };
  /** '' where the secret isn't known to have gone anywhere. */
  from: DestinationText;
  to: DestinationText;
}

/** What the destinations of edits depend on. */
export interface DestinationSides {
  model: FormModel;
  typed: TypedSecrets;
  source: (server: McpServer) => HeldServer | undefined;
}

/** The secrets that a save of `edits`, or a test of their servers, would send to a new place. */
export function newDestinations(edits: FormEdits, sides: DestinationSides): Destination[] {
  const servers = (edits.mcpServers ?? []).flatMap((server) => serverDestinations(server, sides));
  return [...modelDestinations(edits, sides), ...servers];
}

/**
 * A typed key that a save would send elsewhere than the form shows: somebody else changed the model's address in the
 * meantime. A server comes out as one side has it, so its secrets go where that side sends them.
 */
export function strayDestinations(
  edits: FormEdits,
  { values, secrets, fresh }: Merged,
  model: FormModel,
): Destination[] {
  if (!secrets.llm_api_key) return [];
  return keyMove(placeIn({ ...model.values, ...edits.values }), placeIn({ ...fresh.values, ...values }));
}

/** Where the secret that `target` names goes, by the form's current values. */
export function placeOfTarget(target: SecretTarget, edits: FormEdits, model: FormModel): DestinationText {
  if (target.at === 'field')
    return target.field === 'llm_api_key' ? placeIn({ ...model.values, ...edits.values }).origin : '';
  const server = (edits.mcpServers ?? model.mcpServers).find(({ id }) => id === target.id);
  return server === undefined ? '' : placeOfServer(server);
}

const placeIn = ({ llm_model: model, llm_base_url: url }: FormModel['values']) => modelPlace(model, url);

/** The model's key goes to the model's address, else to its provider. */
function modelDestinations(edits: FormEdits, { model, typed }: DestinationSides): Destination[] {
  const intention = edits.secrets.llm_api_key ?? 'keep';
  if (intention === 'clear' || (intention === 'keep' && model.secrets.llm_api_key === 'notSet')) return [];
  const to = placeIn({ ...model.values, ...edits.values });
  if (intention === 'keep') return keyMove(placeIn(model.values), to);
  // Who types a key, and then chooses the model that it's for, isn't asked.
  return keyMove({ ...to, origin: typed.placeOf({ at: 'field', field: 'llm_api_key' }) ?? '' }, to);
}

const keyMove = (from: ModelPlace, to: ModelPlace): Destination[] =>
  goesElsewhere(from, to)
    ? [
        {
          of: { at: 'field', field: 'llm_api_key' },
          from: placeName(from),
          to: placeName(to),
        },
      ]
    : [];

function serverDestinations(server: McpServer, { typed, source }: DestinationSides): Destination[] {
  const held = source(server);
  const wanted = wantedServer(server, held, typed);
  const to = placeOfServer(wanted);
  const previous = held === undefined ? '' : placeOfServer(held);
  const { id } = server;
  const previousOf = ({ intention }: McpSecret, target: SecretTarget): DestinationText =>
    intention === 'replace' ? (typed.placeOf(target) ?? '') : previous;
  const secrets =
    server.kind === 'stdio'
      ? server.env.map((entry, index) => ({
          name: `env.${entry.name}`,
          isSent: Boolean(wanted.env[index]?.value),
          from: previousOf(entry, { at: 'mcpEnv', id, name: identityOf(entry) }),
        }))
      : [
          {
            name: 'api_key',
            isSent: Boolean(wanted.apiKey),
            from: previousOf(server.apiKey, { at: 'mcpApiKey', id }),
          },
        ];
  const others = unknownMembers(held).map((name) => ({ name, isSent: true, from: previous }));
  const moved = [...secrets, ...others].filter(({ isSent, from }) => isSent && from !== to);
  return [...groupBy(moved, ({ from }) => from)].map(([from, group]) => ({
    of: { at: 'mcp', label: mcpLabel(server), names: group.map(({ name }) => name) },
    from,
    to,
  }));
}
