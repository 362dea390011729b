import * as l10n from '@vscode/l10n';
import { nameList } from '../../../../shared/joined';
import { kindLabel, mcpLabel } from '../../../../shared/mcp';
import { plainText } from '../../../../shared/plainText';
import type { Duplicate } from '../../model/import/duplicates';
import type { FilledServer, ParsedServer, RejectedServer, ServerPreview } from '../../model/import/types';
import type { SelectItem } from './ports';

const longestName = 80;
const longestLine = 200;
/** A file may have any number of problems. */
const mostNotices = 30;

/** A server's name in its file, else its label on the service. */
export function sourceLabel(preview: ServerPreview): string {
  return plainText(preview.sourceName || mcpLabel(preview), longestName) || l10n.t('Unnamed server');
}

/** A row of the preview: the server, and what to know before importing it. */
export function previewChoice(parsed: ParsedServer, duplicate: Duplicate | null): SelectItem<ParsedServer> {
  const { preview } = parsed;
  const { kind, from, url, command, args, inputs, cannotCarry, disabled, problems } = preview;
  const what = kind === 'stdio' ? [command, ...args].join(' ') : url;
  const details = [
    ...(duplicate === null ? [] : [duplicateWords(duplicate)]),
    ...(disabled ? [l10n.t('Disabled in the file: will be parked')] : []),
    ...problems.map(({ message }) => message),
    ...(cannotCarry.length > 0 ? [l10n.t('Not imported: {0}', nameList(cannotCarry))] : []),
    ...(inputs.length > 0
      ? [l10n.t('Will ask for: {0}', nameList(inputs.map(({ name }) => plainText(name, longestName))))]
      : []),
    ...secretWords(preview),
  ];
  return {
    label: sourceLabel(preview),
    description: [kindLabel(kind), plainText(from, longestName), plainText(what, longestLine)]
      .filter((part) => part !== '')
      .join(' · '),
    detail: plainText(details.join(' · '), 600),
    picked: duplicate === null,
    value: parsed,
  };
}

function duplicateWords({ of, label }: Duplicate): string {
  const name = plainText(label, longestName);
  return of === 'existing'
    ? l10n.t('Duplicate: {0} is already in your list', name)
    : l10n.t('Duplicate: {0} appears earlier in this file', name);
}

function secretWords({ hasApiKey, env }: ServerPreview): string[] {
  const variables = nameList(env.map((name) => plainText(name, longestName)));
  return [
    ...(hasApiKey ? [l10n.t('with key')] : []),
    ...(env.length > 0 ? [l10n.t('Variables: {0}', variables)] : []),
  ];
}

/** What became of a server that is disabled in its file; `refusal` says why it couldn't be parked, if so. */
export function parkedWords({ preview }: ParsedServer, refusal: string | undefined): string {
  const name = sourceLabel(preview);
  return refusal === undefined
    ? l10n.t('{0} is disabled in the file, so it was parked. Restore it to use it.', name)
    : l10n.t('{0} is disabled in the file and couldn’t be parked, so it wasn’t imported. {1}', name, refusal);
}

/** Notices after an import: what was imported, and what wasn't; of disabled servers, only what was left out. */
export function importNotices(
  taken: readonly { parsed: ParsedServer; filled: FilledServer }[],
  rejected: readonly RejectedServer[],
): string[] {
  const about = taken.flatMap(({ parsed: { preview }, filled }) => {
    const name = sourceLabel(preview);
    const { cannotCarry } = preview;
    const messages = [...preview.problems, ...filled.problems].map(({ message }) => message);
    const lost =
      cannotCarry.length > 0 ? [l10n.t('{0}: not imported: {1}.', name, nameList(cannotCarry))] : [];
    return [...lost, ...[...messages, ...filled.notes].map((words) => `${name}: ${words}`)];
  });
  const refused = rejected.map(({ sourceName, reason }) =>
    l10n.t('{0} wasn’t imported: {1}', plainText(sourceName, longestName), reason),
  );
  const added = taken.filter(({ parsed }) => !parsed.preview.disabled).length;
  const came =
    added === 1
      ? l10n.t('1 server imported. It isn’t saved yet: review it, then save.')
      : l10n.t('{0} servers imported. They aren’t saved yet: review them, then save.', added);
  return boundedWords([...(added > 0 ? [came] : []), ...about, ...refused]);
}

/** Notices, as many and as long as the form shows. */
export function boundedWords(notices: readonly string[]): string[] {
  const all = notices.map((words) => plainText(words, 600));
  const more = all.length - mostNotices;
  return more > 0 ? [...all.slice(0, mostNotices), l10n.t('and {0} more messages', more)] : all;
}
