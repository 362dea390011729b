import * as l10n from '@vscode/l10n';
import { askPick } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import type { ReadChanges } from '../../sandboxChanges';
import { ownRepositories } from '../model/ownRepositories';

interface Asking {
  title: string;
  /** The repository that the conversation is about, `owner/name`; it’s offered first. */
  own: string | null | undefined;
}

/** The conversation’s own repository, if only that has changes of it; otherwise, lets the user select one. */
export async function chooseRepository(
  repositories: readonly ReadChanges[],
  asking: Asking,
): Promise<ReadChanges | undefined> {
  const own = ownRepositories(repositories, asking.own);
  if (own.length === 1) return own[0];
  return (await choose(repositories, asking, []))?.[0];
}

/** The conversation’s own repositories; if they have no changes, lets the user select one of the others, or all. */
export async function chooseRepositories(
  repositories: readonly ReadChanges[],
  asking: Asking,
): Promise<readonly ReadChanges[] | undefined> {
  const own = ownRepositories(repositories, asking.own);
  return own.length > 0 ? own : chooseAmong(repositories, asking);
}

/** Lets the user select one of several repositories, or all of them. */
export function chooseAmong(
  repositories: readonly ReadChanges[],
  asking: Asking,
): Promise<readonly ReadChanges[] | undefined> {
  const count = repositories.reduce((sum, { changes }) => sum + changes.files.length, 0);
  const all = { read: repositories, label: l10n.t('All Repositories'), description: fileCount(count) };
  return choose(repositories, asking, [all]);
}

async function choose(
  repositories: readonly ReadChanges[],
  { title, own }: Asking,
  more: readonly { read: readonly ReadChanges[]; label: string; description: string }[],
): Promise<readonly ReadChanges[] | undefined> {
  if (repositories.length < 2) return repositories;
  const isOwn = ({ changes }: ReadChanges) => changes.repository.name === own?.split('/').at(-1);
  const sorted = repositories.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const items = sorted.map((read) => ({
    read: [read],
    label: plainText(read.changes.repository.name, 80),
    description: fileCount(read.changes.files.length),
    detail: plainText(read.changes.repository.root, 200),
  }));
  const placeholder = l10n.t('Select a repository');
  const picked = await askPick({ title, placeholder, items: [...items, ...more] });
  return typeof picked === 'object' ? picked.read : undefined;
}

/** A number of files, in words. */
export const fileCount = (count: number): string =>
  count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
