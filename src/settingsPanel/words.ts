import * as l10n from '@vscode/l10n';
import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import { describeCheck } from '../platform/checkText';
import { describeError } from '../platform/errorText';
import { fieldLabel, knownProviders } from '../shared/fields';
import type { Conflict, ErrorTarget, FormEdits, SecretTarget } from '../shared/form';
import { identityOf } from '../shared/intentions';
import { nameList, sentences } from '../shared/joined';
import { mcpLabel, wholeServer, type McpServer } from '../shared/mcp';
import type { ConflictChoice } from '../shared/messages';
import { plainText } from '../shared/plainText';
import { secretFields, type SecretField } from '../shared/settings';
import type { RestoredEdits, StoredDraft } from '../state/settings/draft';
import type { SaveOutcome } from '../state/settings/document';

const longestName = 80;

/** What an error means, and what to do. */
export function errorWords(error: unknown): string {
  const { message, nextStep } = describeError(error);
  return sentences(message, nextStep);
}

/** A field by its label, a server by what the state calls it, and its member by what its editor does. */
export function targetLabel(target: ErrorTarget, label: string): string {
  if (target.at === 'field') return fieldLabel(target.field);
  if (target.at === 'form' || target.member === wholeServer) return plainText(label, 200);
  const server = label.slice(
    0,
    label.lastIndexOf(Object.hasOwn(memberLabels, target.member) ? ': ' : envMark),
  );
  return `${plainText(server, 200)}: ${memberLabel(target.member, label)}`;
}

const memberLabels: Readonly<Record<string, () => string>> = {
  [wholeServer]: () => l10n.t('Server'),
  kind: () => l10n.t('Kind'),
  url: () => l10n.t('URL'),
  apiKey: () => l10n.t('API key'),
  timeout: () => l10n.t('Time-out'),
  name: () => l10n.t('Name'),
  command: () => l10n.t('Command'),
  args: () => l10n.t('Arguments'),
};
/** Between a server and one of its variables, in the labels of the state. */
const envMark = ': env.';

/** A member of a server as its editor calls it; a variable’s name is the end of the change’s `label`. */
export function memberLabel(member: string, label: string): string {
  const known = Object.hasOwn(memberLabels, member) ? memberLabels[member] : undefined;
  if (known) return known();
  const name = label.slice(label.lastIndexOf(envMark) + envMark.length);
  return l10n.t('Variable {0}', plainText(name, 200));
}

/** Conflicts as the form shows them. */
export function conflictChoices(conflicts: readonly Conflict[]): ConflictChoice[] {
  return conflicts.map(({ key, target, label, mine, theirs, former }) => ({
    key,
    label: targetLabel(target, label),
    mine,
    theirs,
    former,
  }));
}

/** What the user is told when a draft comes back; `restored` is undefined where nothing of it is left to save. */
export function restoredNotices(restored: RestoredEdits | undefined, draft: StoredDraft): string[] {
  const notices: string[] = [];
  if (restored) {
    notices.push(l10n.t('Your unsaved changes of {0} are back.', new Date(draft.savedAt).toLocaleString()));
  }
  if (draft.dropped.length > 0) notices.push(droppedWords(draft.dropped));
  return [...notices, ...(restored ? overlapNotices(restored) : [])];
}

/** What the service holds otherwise than when the user changed it. */
export function overlapNotices({ overlaps }: RestoredEdits): string[] {
  return overlaps.map(({ target, label, mine, theirs }) =>
    l10n.t(
      '{0} was changed on the service meanwhile, to “{1}”. You have “{2}”, which a save puts there instead.',
      targetLabel(target, label),
      plainText(theirs, 200),
      plainText(mine, 200),
    ),
  );
}

/** Which typed secrets a draft could not keep, by wire name or “server: member”. */
export function droppedWords(dropped: readonly string[]): string {
  const known: readonly string[] = secretFields;
  const names = dropped.map((label) =>
    known.includes(label) ? fieldLabel(label as SecretField) : plainText(label, longestName),
  );
  return l10n.t('Secrets are never stored with unsaved changes. Enter these again: {0}.', nameList(names));
}

/** Why the settings could not be read. */
export async function loadFailureWords(
  client: ApiClient,
  error: unknown,
  signal: AbortSignal,
): Promise<{ message: string; nextStep: string }> {
  const isMissing =
    error instanceof ApiError && (error.reason === 'notFound' || error.reason === 'notService');
  if (!isMissing || !(await client.hasNewerSettings(signal))) return describeError(error);
  return describeCheck({ kind: 'newerGeneration', error }) ?? describeError(error);
}

/** How a save failed, and what became of the data. */
export function failureWords(outcome: Extract<SaveOutcome, { kind: 'failed' }>): string {
  const words = errorWords(outcome.error);
  const kept = l10n.t('Your changes are still here.');
  if (outcome.applied !== 'partly') return sentences(words, kept);
  return sentences(l10n.t('Only a part of it was stored.'), words, kept);
}

/** Title and prompt of the question for a secret; says where the value goes. */
export function secretQuestion(
  target: SecretTarget,
  edits: FormEdits,
  held: readonly McpServer[],
): { title: string; prompt: string } {
  const prompt = l10n.t('Kept in memory until you save, and then sent to the service.');
  if (target.at === 'field') return { title: l10n.t('Replace {0}', fieldLabel(target.field)), prompt };
  const server = (edits.mcpServers ?? held).find(({ id }) => id === target.id);
  const label = plainText(server === undefined ? '' : mcpLabel(server), longestName) || l10n.t('New server');
  if (target.at === 'mcpApiKey') return { title: l10n.t('Replace the API key of {0}', label), prompt };
  const name = server?.env.find((entry) => identityOf(entry) === target.name)?.name ?? '';
  const variable = plainText(name, longestName) || l10n.t('the variable');
  return { title: l10n.t('Replace {0} of {1}', variable, label), prompt };
}

/** A git provider as people know it. */
export function providerLabel(name: string): string {
  return knownProviders.find((known) => known.name === name)?.label ?? plainText(name, longestName);
}
