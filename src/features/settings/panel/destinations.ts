import * as l10n from '@vscode/l10n';
import { knownProviders } from '../../../shared/fields';
import { nameList } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import type { Destination } from '../model/destinations';
import type { FormPorts } from './ports';
import { providerLabel } from './words';

/** A secret that would go to a new place, in words. */
export interface Move {
  /** Identifies it, whatever its words leave out. */
  key: string;
  secret: string;
  from: string;
  to: string;
}

/** A longer list would run off the screen. */
const mostInQuestion = 8;

/**
 * Asks in the editor's own dialog before a secret goes where it didn't go before. The page can't answer for the user:
 * what it shows and sends may not be theirs.
 * @param action the verb of the button
 * @param agreed keys of what was agreed to and isn't asked again, such as while a form is open
 * @param besides what else the user agrees to with the last question, in words
 */
export async function secretsMayGo(
  { confirm }: Pick<FormPorts, 'confirm'>,
  moves: readonly Move[],
  action: string,
  agreed = new Set<string>(),
  besides = '',
): Promise<boolean> {
  const open = unagreed(moves, agreed);
  for (let start = 0; start < open.length; start += mostInQuestion) {
    const asked = open.slice(start, start + mostInQuestion);
    const [first] = asked;
    const more = start + mostInQuestion < open.length ? '' : besides;
    const question =
      more !== ''
        ? l10n.t('Continue with these changes to secrets?')
        : first && asked.length === 1
          ? l10n.t('Send a secret to {0}?', first.to)
          : l10n.t('Send {0} secrets to new addresses?', asked.length);
    const detail = [...asked.map(moveWords), ...(more === '' ? [] : [more])].join('\n');
    if (!(await confirm(question, detail, action))) return false;
    for (const move of asked) agreed.add(move.key);
  }
  return true;
}

/** The moves that the user hasn't agreed to yet. */
export const unagreed = (moves: readonly Move[], agreed: ReadonlySet<string>): Move[] =>
  moves.filter(({ key }) => !agreed.has(key));

function moveWords({ secret, from, to }: Move): string {
  return l10n.t('{0}: used for {1} until now, for {2} from now on.', secret, from, to);
}

/** New destinations of a save or a test, in words. */
export function movesOf(destinations: readonly Destination[]): Move[] {
  return destinations.map((destination) => {
    const { of, from, to } = destination;
    const isModel = of.at === 'field';
    return {
      key: JSON.stringify(destination),
      secret: isModel
        ? l10n.t('The model’s API key')
        : l10n.t(
            '{0} of {1}',
            nameList(of.names.map(secretLabel)),
            plainText(of.label, 200) || l10n.t('a server without a name'),
          ),
      from: placeWords(from, isModel),
      to: placeWords(to, isModel),
    };
  });
}

/** An address or a command line. A long one could hide its end. */
function placeWords(place: string, isModel: boolean): string {
  if (place === '') return isModel ? l10n.t('the model provider’s own address') : l10n.t('no address yet');
  return place.length <= 600
    ? plainText(place, 600)
    : `${plainText(place, 300)} ${plainText(place.slice(-300), 300)}`;
}

function secretLabel(name: string): string {
  return name === 'api_key' ? l10n.t('API key') : plainText(name.replace(/^env\./, ''), 80);
}

/** A git provider's token that would go to another host; `host` is undefined if its current one isn't known. */
export function providerMove(
  { name, host }: { name: string; host?: string | null },
  to: string | null,
): Move {
  const hostWords = (at: string | null) =>
    plainText(at ?? '', 300) ||
    (knownProviders.find((known) => known.name === name)?.host ?? l10n.t('its public host'));
  return {
    key: JSON.stringify([name, host, to]),
    secret: l10n.t('Token for {0}', providerLabel(name)),
    from: host === undefined ? l10n.t('an unknown host') : hostWords(host),
    to: hostWords(to),
  };
}
