import * as l10n from '@vscode/l10n';
import { describeError } from '../../../editor/errorText';
import { knownProviders } from '../../../shared/fields';
import {
  type Conflict,
  type ConflictChoice,
  type ErrorTarget,
  type FormEdits,
  type FormModel,
  type SecretTarget,
  identityOf,
} from '../shared/form';
import { nameList, sentences } from '../../../shared/joined';
import { mcpLabel, wholeServer } from '../../../shared/mcp';
import { plainText } from '../../../shared/plainText';
import { fieldLabel, secretFields, type SecretField } from '../../../shared/settings';
import { placeOfTarget } from '../model/destinations';
import type { StoredDraft, RestoredEdits } from '../model/draft';
import type { SaveOutcome } from '../model/document';

const longestName = 80;

/** A field by its label, a server by its name, and its member by the label in its editor. */
function targetLabel(target: ErrorTarget, label: string): string {
  if (target.at === 'field') return fieldLabel(target.field);
  if (target.at === 'form' || target.at === 'more' || target.member === wholeServer)
    return plainText(label, 200);
  const server = label.slice(
    0,
    label.lastIndexOf(Object.hasOwn(memberLabels, target.member) ? ': ' : envMark),
  );
  return `${plainText(server, 200)}: ${memberLabel(target.member, label)}`;
}

const mostNames = 10;

/** What changes or conflicts are about, each once; of many only the first are named. */
export function targetNames(list: readonly { target: ErrorTarget; label: string }[]): string {
  const all = [...new Set(list.map(({ target, label }) => targetLabel(target, label)))];
  const more = all.length - mostNames;
  const shown = nameList(all.slice(0, mostNames));
  return more > 0 ? l10n.t('{0} and {1} more', shown, more) : shown;
}

const memberLabels: Readonly<Record<string, () => string>> = {
  [wholeServer]: () => l10n.t('Server'),
  kind: () => l10n.t('Kind'),
  url: () => l10n.t('URL'),
  apiKey: () => l10n.t('API key'),
  timeout: () => l10n.t('Timeout'),
  name: () => l10n.t('Name'),
  command: () => l10n.t('Command'),
  args: () => l10n.t('Arguments'),
  enabled: () => l10n.t('State'),
};
/** Between a server and one of its variables, in the labels of the state. */
const envMark = ': env.';

/** A server's member by the label in its editor; a variable's name is the end of the change's `label`. */
export function memberLabel(member: string, label: string): string {
  const known = Object.hasOwn(memberLabels, member) ? memberLabels[member] : undefined;
  if (known) return known();
  const name = label.slice(label.lastIndexOf(envMark) + envMark.length);
  return l10n.t('Variable {0}', plainText(name, 200));
}

/** Conflicts as the form shows them. */
export function conflictChoices(conflicts: readonly Conflict[]): ConflictChoice[] {
  return conflicts.map(({ key, target, label, mine, theirs, previous }) => ({
    key,
    label: targetLabel(target, label),
    mine,
    theirs,
    previous,
  }));
}

/** News about a restored draft; `restored` is undefined where nothing of it is left to save. */
export function restoredNotices(restored: RestoredEdits | undefined, draft: StoredDraft): string[] {
  const notices: string[] = [];
  if (restored) {
    notices.push(l10n.t('Your unsaved changes from {0} are back.', new Date(draft.savedAt).toLocaleString()));
  }
  const dropped = new Set([...draft.dropped, ...(restored?.dropped ?? [])]);
  if (dropped.size > 0) notices.push(droppedWords([...dropped]));
  return [...notices, ...(restored ? overlapNotices(restored) : [])];
}

/** Values that the form can't show now, so that they can be entered again. */
export function unplacedNotices({ unplaced }: Pick<RestoredEdits, 'unplaced'>): string[] {
  if (unplaced.length === 0) return [];
  const names = plainText(nameList(unplaced), 2_000);
  return [
    l10n.t(
      'The service no longer reports these settings, so your changes to them aren’t in the form: {0}.',
      names,
    ),
  ];
}

/** Values that changed on the service after the user changed them. */
export function overlapNotices({ overlaps }: RestoredEdits): string[] {
  return overlaps.map(({ target, label, mine, theirs }) =>
    l10n.t(
      '{0} also changed on the service, to “{1}”. Saving replaces it with your “{2}”.',
      targetLabel(target, label),
      plainText(theirs, 200),
      plainText(mine, 200),
    ),
  );
}

/** Which typed secrets a draft couldn't keep, by wire name or “server: member”. */
export function droppedWords(dropped: readonly string[]): string {
  return l10n.t('Secrets aren’t kept with unsaved changes. Enter these again: {0}.', secretLabels(dropped));
}

/** Names of secrets given by wire name or “server: member”. */
export function secretLabels(labels: readonly string[]): string {
  const known: readonly string[] = secretFields;
  return nameList(
    labels.map((label) =>
      known.includes(label) ? fieldLabel(label as SecretField) : plainText(label, longestName),
    ),
  );
}

type FailedSave = Extract<SaveOutcome, { kind: 'failed' }>;

/** Why a change failed and, where the reading before it failed, that nothing was sent. */
export function unsavedWords({ error, applied }: Pick<FailedSave, 'error' | 'applied'>): string {
  const { message, nextStep } = describeError(error, applied === 'yes' ? undefined : applied);
  const unsent = applied === 'no' && error.method === 'GET' ? l10n.t('Nothing was sent.') : '';
  return sentences(message, unsent, nextStep);
}

/** Why a save failed, and what happened to the data. */
export function failureWords(outcome: FailedSave, edits: FormEdits, model: FormModel): string {
  const { applied } = outcome;
  const words = sentences(unsavedWords(outcome), suspectWords(outcome, edits, model));
  const kept = l10n.t('Your changes are still here.');
  if (applied !== 'partly') return sentences(words, kept);
  return sentences(l10n.t('Only some changes were saved.'), words, kept);
}

/** Services describe the type of a value and not its limits, and some fail on a wrong one without naming it. */
function suspectWords({ error, applied }: FailedSave, { more = {} }: FormEdits, model: FormModel): string {
  const labels = model.more.fields.filter(({ path }) => path in more).map(({ label }) => label);
  if (error.status !== 500 || applied !== 'no' || labels.length === 0) return '';
  const names = nameList(labels.map((label) => plainText(label, longestName)));
  return l10n.t('It may have failed on a value that it can’t use. Check {0}.', names);
}

/** Title and prompt of the question for a secret; says where the value goes. */
export function secretQuestion(
  target: SecretTarget,
  edits: FormEdits,
  model: FormModel,
): { title: string; prompt: string } {
  const place = plainText(placeOfTarget(target, edits, model), 300);
  const prompt =
    place === ''
      ? l10n.t('Stays in memory until you save. Then it goes to the service.')
      : l10n.t('For {0}. Stays in memory until you save. Then it goes to the service.', place);
  if (target.at === 'field') return { title: l10n.t('Replace {0}', fieldLabel(target.field)), prompt };
  const server = (edits.mcpServers ?? model.mcpServers).find(({ id }) => id === target.id);
  const label = plainText(server === undefined ? '' : mcpLabel(server), longestName) || l10n.t('New server');
  if (target.at === 'mcpApiKey') return { title: l10n.t('Replace the API key of {0}', label), prompt };
  const name = server?.env.find((entry) => identityOf(entry) === target.name)?.name ?? '';
  const variable = plainText(name, longestName) || l10n.t('the variable');
  return { title: l10n.t('Replace {0} of {1}', variable, label), prompt };
}

/** After an update of the service to a generation that doesn't take some values along. */
export function updateWords(): string {
  return l10n.t(
    'The service was updated and keeps some settings in another place now. Model, base URL, agent, and MCP servers may show their defaults. Check them and save again.',
  );
}

/** A git provider's display name. */
export function providerLabel(name: string): string {
  return knownProviders.find((known) => known.name === name)?.label ?? plainText(name, longestName);
}
