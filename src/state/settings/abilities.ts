import { currentLacks } from '../../api/service/current/places';
import type { Generation } from '../../api/service/generation';
import type { PlainField, SecretField } from '../../shared/settings';

/** What the settings of a service can and can't do, by its generation. */
export interface Abilities {
  /** A save replaces the whole record: what it lacks is reset to its default. Otherwise it only changes what it has. */
  readonly replaces: boolean;
  /** The fields of the form that the service doesn't have. */
  readonly lacks: readonly (PlainField | SecretField)[];
  /** A git provider keeps its token when it gets another host. */
  readonly movesTokens: boolean;
}

const abilities: Readonly<Record<Exclude<Generation, 'agentServer'>, Abilities>> = {
  first: { replaces: true, lacks: [], movesTokens: true },
  current: { replaces: false, lacks: currentLacks, movesTokens: false },
};

/** The abilities of a service whose settings were read. */
export function abilitiesOf(generation: Generation | undefined): Abilities {
  return abilities[generation === 'current' ? generation : 'first'];
}
