import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { age } from '../../../shared/age';
import { plainText } from '../../../shared/plainText';
import { parseUrl } from '../../../shared/url';
import { exposedUrlName } from './exposedUrl';
import { conversationName, sandboxLabel, sandboxRepository } from '../../../core/lists/names';
import { conversationState } from '../../../core/lists/status';
import { conversationStateWords, sandboxStateWords } from '../../../core/lists/stateWords';

/** The most conversations in the document; the Conversations view has them all. */
const mostConversations = 50;

/**
 * A sandbox as readable text. Contains only what is known to be harmless: an unknown member or the query of an exposed
 * URL could contain a secret.
 *
 * @param now milliseconds since the epoch
 */
export function detailsOf(sandbox: Sandbox, conversations: readonly Conversation[], now: number): string {
  const { id, status_detail, sandbox_spec_id, created_at, created_by_user_id, exposed_urls } = sandbox;
  const within = conversations.filter(({ sandbox_id }) => sandbox_id === id);
  return [
    sandboxLabel(sandbox, conversations),
    '',
    ...aligned([
      [l10n.t('State'), sandboxStateWords(sandbox)],
      [l10n.t('Details'), plainText(status_detail ?? '', 300)],
      [l10n.t('Repository'), sandboxRepository(sandbox, conversations) ?? ''],
      [l10n.t('Image'), plainText(sandbox_spec_id ?? '', 300)],
      [l10n.t('Started'), joined(dateWords(created_at), age(created_at, now))],
      [l10n.t('Started by'), plainText(created_by_user_id ?? '', 100)],
      [l10n.t('ID'), plainText(id, 512)],
    ]),
    ...section(
      l10n.t('Conversations'),
      within
        .slice(0, mostConversations)
        .map((one) => [conversationStateWords(conversationState(one)) ?? '', conversationName(one, now)]),
    ),
    ...section(
      l10n.t('Exposed URLs'),
      (exposed_urls ?? []).map(({ name, url }) => [exposedUrlName(name), addressWords(url)]),
    ),
    '',
  ].join('\n');
}

type Line = [label: string, value: string];

function section(title: string, lines: readonly Line[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...aligned(lines).map((line) => `  ${line}`)];
}

/** One line per value, with the values aligned. Lines without a value are omitted. */
function aligned(lines: readonly Line[]): string[] {
  const known = lines.filter(([, value]) => value !== '');
  const width = Math.max(0, ...known.map(([label]) => label.length)) + 3;
  return known.map(([label, value]) => `${label.padEnd(width)}${value}`);
}

function dateWords(iso: string | null | undefined): string | undefined {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time)
    ? undefined
    : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function addressWords(url: string): string {
  const parsed = parseUrl(url);
  return parsed ? plainText(`${parsed.origin}${parsed.pathname}`, 300) : l10n.t('invalid address');
}
