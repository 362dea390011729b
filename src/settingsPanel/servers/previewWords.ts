import * as l10n from '@vscode/l10n';
import { nameList } from '../../shared/joined';
import { mcpLabel, type McpKind } from '../../shared/mcp';
import { plainText } from '../../shared/plainText';
import type { Duplicate } from '../../state/mcpImport/duplicates';
import type { FilledServer, ParsedServer, RejectedServer, ServerPreview } from '../../state/mcpImport/types';
import type { Choice } from './ports';

const longestName = 80;
const longestLine = 200;
/** What a file brings along has no end; a notice has. */
const mostNotices = 30;

/** A server by the name that its file has for it, or by what the service will know it by. */
export function sourceLabel(preview: ServerPreview): string {
  return plainText(preview.sourceName || mcpLabel(preview), longestName) || l10n.t('Server without a name');
}

/** A row of the preview: what the server is, and all that is to be known before it is taken. */
export function previewChoice(parsed: ParsedServer, duplicate: Duplicate | null): Choice<ParsedServer> {
  const { preview } = parsed;
  const { kind, url, command, args, inputs, cannotCarry, problems } = preview;
  const what = kind === 'stdio' ? [command, ...args].join(' ') : url;
  const details = [
    ...(duplicate === null ? [] : [duplicateWords(duplicate)]),
    ...problems.map(({ message }) => message),
    ...(cannotCarry.length > 0 ? [l10n.t('Cannot be carried: {0}', nameList(cannotCarry))] : []),
    ...(inputs.length > 0
      ? [l10n.t('Will ask for: {0}', nameList(inputs.map(({ name }) => plainText(name, longestName))))]
      : []),
    ...secretWords(preview),
  ];
  return {
    label: sourceLabel(preview),
    description: `${kindWords(kind)} · ${plainText(what, longestLine)}`,
    detail: plainText(details.join(' · '), 600),
    picked: duplicate === null,
    value: parsed,
  };
}

export function kindWords(kind: McpKind): string {
  const words = { shttp: l10n.t('HTTP'), sse: l10n.t('SSE'), stdio: l10n.t('Command') };
  return words[kind];
}

function duplicateWords({ of, label }: Duplicate): string {
  const name = plainText(label, longestName);
  return of === 'existing'
    ? l10n.t('Duplicate: {0} is in your list already', name)
    : l10n.t('Duplicate: {0} is further up in this file', name);
}

function secretWords({ hasApiKey, env }: ServerPreview): string[] {
  const variables = nameList(env.map((name) => plainText(name, longestName)));
  return [
    ...(hasApiKey ? [l10n.t('with key')] : []),
    ...(env.length > 0 ? [l10n.t('Variables: {0}', variables)] : []),
  ];
}

/** What the form says after an import: what came, and what did not. */
export function importNotices(
  taken: readonly { parsed: ParsedServer; filled: FilledServer }[],
  rejected: readonly RejectedServer[],
): string[] {
  const about = taken.flatMap(({ parsed: { preview }, filled }) => {
    const name = sourceLabel(preview);
    const { cannotCarry } = preview;
    const messages = [...preview.problems, ...filled.problems].map(({ message }) => message);
    const lost =
      cannotCarry.length > 0 ? [l10n.t('{0}: not carried over: {1}.', name, nameList(cannotCarry))] : [];
    return [...lost, ...[...messages, ...filled.notes].map((words) => `${name}: ${words}`)];
  });
  const refused = rejected.map(({ sourceName, reason }) =>
    l10n.t('Left out: {0}: {1}', plainText(sourceName, longestName), reason),
  );
  const came =
    taken.length === 1
      ? l10n.t('1 server was imported into this list. It is not saved yet: look it over, then save.')
      : l10n.t(
          '{0} servers were imported into this list. They are not saved yet: look them over, then save.',
          taken.length,
        );
  const all = [came, ...about, ...refused].map((words) => plainText(words, 600));
  const more = all.length - mostNotices;
  return more > 0 ? [...all.slice(0, mostNotices), l10n.t('and {0} more remarks', more)] : all;
}
