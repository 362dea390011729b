import * as l10n from '@vscode/l10n';
import type { FormEdits, Provider } from '../shared/form';
import { asSentence, nameList, sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { fieldLabel, plainFields, type PlainField } from '../../../shared/settings';
import type { Destination } from '../model/destinations';
import type { Doubt } from '../model/doubts';
import type { SaveOutcome, SettingsDocument } from '../model/document';
import type { FormPorts } from './ports';
import { providerLabel } from './words';
import { knownProviders } from '../../../shared/fields';

/** What asking needs: the editor's question, and where the answer counts. */
export type Asking = Pick<FormPorts, 'confirm' | 'safeguards'>;

type Failed = Pick<Extract<SaveOutcome, { kind: 'failed' }>, 'error' | 'applied'>;

/**
 * Saves, asks about whatever the save needs the user's consent for, and saves again. Undefined if the user doesn't
 * agree.
 *
 * @param outcomeOf gets the save's outcome from the result of `save`, if there was one
 * @param agreed what the user already agreed to
 */
export async function saveAsking<T>(
  asking: Asking,
  baseUrl: string,
  save: (confirmed: readonly Doubt[]) => Promise<T>,
  outcomeOf: (result: T) => SaveOutcome | undefined,
  agreed: readonly Doubt[] = [],
): Promise<T | undefined> {
  const confirmed = [...agreed];
  for (;;) {
    const result = await save(confirmed);
    const outcome = outcomeOf(result);
    if (outcome?.kind === 'needsConfirmation') {
      if (!(await agreesTo(asking, outcome))) return undefined;
      confirmed.push(outcome);
    } else if (
      outcome?.kind !== 'failed' ||
      !isAboutNoneSaved(outcome) ||
      !(await agreesToEmpty(asking, baseUrl, 'save'))
    ) {
      return result;
    }
  }
}

/**
 * Asks about all that is known before a save that changes where secrets go: one question, though the sandbox API key may
 * be deleted as well. Returns what the user agreed to besides; undefined if the user doesn't agree.
 *
 * @param agreed keys of moves that aren't asked about again
 */
export async function agreesToMoves(
  { confirm }: Pick<Asking, 'confirm'>,
  document: SettingsDocument,
  sent: { moved: readonly Destination[]; saved: FormEdits },
  action: string,
  agreed = new Set<string>(),
): Promise<Doubt[] | undefined> {
  const moves = unagreed(movesOf(sent.moved), agreed);
  const mayLoseKey = moves.length > 0 && document.sandboxKeyAtRisk(sent.saved);
  const besides = mayLoseKey ? sentences(asSentence(keyMayGo()), keyDetail()) : '';
  if (!(await secretsMayGo({ confirm }, moves, action, agreed, besides))) return undefined;
  return mayLoseKey ? [{ about: 'sandboxApiKey' }] : [];
}

const keyMayGo = () => l10n.t('This save may delete the sandbox API key');
const keyDetail = () =>
  l10n.t(
    'The service doesn’t say whether it has a sandbox API key, and drops it on every save that doesn’t include it. If one is in use, cancel and enter it again with Replace.',
  );

/** True for a change that was not sent, because the service says that no settings are saved although some were seen. */
export function isAboutNoneSaved({ error, applied }: Failed): boolean {
  return error.reason === 'noneSaved' && applied === 'no';
}

/** Asks whether the settings that were seen are really gone. After a yes, the service is believed. */
export async function agreesToEmpty(
  { confirm, safeguards }: Asking,
  baseUrl: string,
  wanted: 'save' | 'open',
): Promise<boolean> {
  const doubt = l10n.t(
    'The service says that no settings are saved, but saved settings were seen there before. Nothing was sent. If this is a temporary error, cancel and try again later.',
  );
  const agreed = await (wanted === 'save'
    ? confirm(
        l10n.t('Save to empty settings?'),
        sentences(
          doubt,
          l10n.t(
            'If the settings were reset, only this change is saved and everything else starts at its default.',
          ),
        ),
        l10n.t('Save to Empty Settings'),
      )
    : confirm(
        l10n.t('Start with empty settings?'),
        sentences(doubt, l10n.t('If the settings were reset, the form opens with the defaults.')),
        l10n.t('Start with Empty Settings'),
      ));
  if (agreed) safeguards.seen.delete(baseUrl);
  return agreed;
}

function agreesTo({ confirm }: Asking, doubt: Doubt): Promise<boolean> {
  switch (doubt.about) {
    case 'destinations':
      return secretsMayGo({ confirm }, movesOf(doubt.destinations), l10n.t('Save'));
    case 'sandboxApiKey':
      return confirm(keyMayGo(), keyDetail(), l10n.t('Save Anyway'));
    case 'missing':
      return confirm(
        l10n.t('Reset values that the service no longer shows?'),
        l10n.t(
          'The service showed these when the form was opened, and leaves them out now: {0}. Saving sets them to their defaults. If this is a temporary error, cancel and try again later.',
          namesOf(doubt.names),
        ),
        l10n.t('Save Anyway'),
      );
    case 'masked':
      return confirm(
        l10n.t('Save without hidden values?'),
        l10n.t(
          'The service shows only a mask for these: {0}. A mask is never sent back, so they are left out, and the service may delete them.',
          namesOf(doubt.names),
        ),
        l10n.t('Save Without Them'),
      );
    case 'maskedServers':
      return confirm(
        l10n.t('Save masked values of MCP servers?'),
        l10n.t(
          'These look like masks, not like real values: {0}. Saving stores them as they are shown. If the service hides the real ones, cancel and enter them again with Replace.',
          namesOf(doubt.names),
        ),
        l10n.t('Save Anyway'),
      );
  }
}

function namesOf(names: readonly string[]): string {
  const label = (name: string) => {
    if (plainFields.includes(name as PlainField)) return fieldLabel(name as PlainField);
    return name.startsWith('mcp_config') ? l10n.t('MCP servers') : plainText(name, 120);
  };
  return nameList([...new Set(names.map(label))]);
}

/** Asks before a change after which the service has only the tokens of `kept`, whatever it has now. */
export function otherTokensMayGo({ confirm }: Asking, kept: readonly Provider[]): Promise<boolean> {
  const unknown = l10n.t('The service doesn’t say which git provider tokens it has.');
  const rest =
    kept.length === 0
      ? l10n.t('This change deletes all of them.')
      : l10n.t(
          'This change keeps only: {0}. Any others are deleted.',
          nameList(kept.map(({ name }) => providerLabel(name))),
        );
  return confirm(
    l10n.t('This may delete other git provider tokens'),
    sentences(unknown, rest),
    l10n.t('Change Anyway'),
  );
}

/** A secret that would go to a new place, in words. */
interface Move {
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
const unagreed = (moves: readonly Move[], agreed: ReadonlySet<string>): Move[] =>
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
