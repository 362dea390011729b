import { agentServerLacks, currentLacks } from '../../../api/service/current/places';
import type { Generation } from '../../../api/service/generation';
import type { PlainField, SecretField } from '../../../shared/settings';
import type { JsonObject } from './json';

/** What the settings of a service can and can't do, by its generation. */
export interface Abilities {
  /** A save replaces the whole record: what it lacks is reset to its default. Otherwise it only changes what it has. */
  readonly replaces: boolean;
  /** An MCP server keeps the secrets that a save of others, or of its other members, doesn't name. */
  readonly keepsHidden: boolean;
  /** The fields of the form that the service doesn't have. */
  readonly lacks: readonly (PlainField | SecretField)[];
  /** It tests MCP servers itself, also those that are commands. */
  readonly testsServers: boolean;
  /** It keeps tokens of git providers. */
  readonly hasProviders: boolean;
  /** A git provider keeps its token when it gets another host. */
  readonly movesTokens: boolean;
}

const merging = {
  replaces: false,
  keepsHidden: false,
  testsServers: false,
  hasProviders: true,
  movesTokens: false,
};

/** The abilities of a service whose settings were read. */
export function abilitiesOf(generation: Generation | undefined, record: JsonObject): Abilities {
  switch (generation) {
    case 'agentServer':
      return {
        ...merging,
        keepsHidden: true,
        testsServers: true,
        hasProviders: false,
        lacks: agentServerLacks(record),
      };
    case 'current':
      return { ...merging, lacks: currentLacks };
    case 'first':
    case undefined:
      return { ...merging, replaces: true, lacks: [], movesTokens: true };
  }
}
