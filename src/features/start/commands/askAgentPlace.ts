import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { WorktreeBase } from '../../../api/service/agentServerStart';
import type { FolderState } from '../../../api/service/serverFolders';
import { askServerFolder } from '../../../editor/asking/askServerFolder';
import { askPick, askText, back, type Answer } from '../../../editor/inputs';
import { joined } from '../../../shared/joined';
import { lastPart } from '../../../shared/lastPart';
import { plainText } from '../../../shared/plainText';
import { cloneAddress, cloneName, folderProblem } from '../model/agentFolder';
import type { AgentChoice } from '../model/choice';
import type { Offer } from './agentStartParts';

export async function askFolder(offer: Offer, choice: AgentChoice): Promise<Answer<unknown>> {
  const folder = await askServerFolder(offer.server, offer, choice.folder);
  if (typeof folder === 'string') choice.folder = folder;
  return folder;
}

type CloneItem = vscode.QuickPickItem & { address: string | undefined };

/** Asks for a repository to clone: one that GitHub lists for the server, or any other by its address. */
export async function askClone({ server, home }: Offer, choice: AgentChoice): Promise<Answer<unknown>> {
  const itemOf = (address: string, label: string): CloneItem => ({
    label,
    iconPath: new vscode.ThemeIcon('repo-clone'),
    address,
  });
  const none = { label: l10n.t('None, the folder as it is'), address: undefined };
  const kept = choice.clone === undefined ? [] : [itemOf(choice.clone, plainText(choice.clone, 200))];
  const picked = await askPick<CloneItem>({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Enter owner/name on GitHub, or an address without a password'),
    items: [none, ...kept],
    isCurrent: ({ address }) => address === choice.clone,
    fromText: (text) => {
      const address = cloneAddress(text);
      return address === undefined ? undefined : { ...itemOf(address, text), description: l10n.t('clone') };
    },
    update: async (show, signal) => {
      const listed = await server.listRepositories('', signal).catch(() => undefined);
      const more = (listed?.names ?? []).flatMap((name): CloneItem[] => {
        const address = cloneAddress(name);
        const isThere = address === undefined || address === choice.clone;
        return isThere ? [] : [itemOf(address, plainText(name, 120))];
      });
      if (more.length > 0) show([none, ...kept, ...more]);
    },
  });
  if (typeof picked !== 'object') return picked;
  if (picked.address !== undefined && picked.address !== choice.clone)
    choice.folder = posix.join(home, cloneName(picked.address));
  choice.clone = picked.address;
  return picked;
}

type WhereItem = vscode.QuickPickItem &
  Pick<AgentChoice, 'isWorktree' | 'runtime'> & { base?: WorktreeBase | 'other' };

/** Asks where in or beside the folder the agent works. */
export async function askWhere(offer: Offer, choice: AgentChoice): Promise<Answer<unknown>> {
  const { hasBases, hasContainers } = offer;
  const runtime = hasContainers ? ('local' as const) : undefined;
  const inWorktree = { isWorktree: true, runtime };
  const worktree = l10n.t(
    'On its own branch. Some releases delete the worktree with its conversation, including uncommitted changes.',
  );
  const bases: WhereItem[] = hasBases
    ? [
        {
          label: l10n.t('In a new worktree, from what is checked out'),
          detail: l10n.t('Without uncommitted changes'),
          ...inWorktree,
          base: { kind: 'head' },
        },
        { label: l10n.t('In a new worktree, from another branch…'), ...inWorktree, base: 'other' },
      ]
    : [];
  const container: WhereItem = {
    label: l10n.t('In a new container'),
    detail: l10n.t('Has the folder, but nothing else of the server’s computer. Can be paused and resumed.'),
    isWorktree: false,
    runtime: 'docker',
  };
  const picked = await askPick<WhereItem>({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Select where the agent works'),
    items: [
      { label: l10n.t('In the folder itself'), isWorktree: false, runtime },
      {
        label: hasBases ? l10n.t('In a new worktree, from the default branch') : l10n.t('In a new worktree'),
        detail: worktree,
        ...inWorktree,
        ...(hasBases && { base: { kind: 'defaultBranch' as const } }),
      },
      ...bases,
      ...(hasContainers ? [container] : []),
    ],
    isCurrent: (item) =>
      item.runtime === 'docker'
        ? choice.runtime === 'docker'
        : choice.runtime !== 'docker' &&
          item.isWorktree === choice.isWorktree &&
          isBase(item.base, choice.worktreeBase),
  });
  if (typeof picked !== 'object') return picked;
  const { isWorktree, runtime: where, base } = picked;
  const worktreeBase = base === 'other' ? await askBase(choice) : base;
  if (worktreeBase === back || (base === 'other' && worktreeBase === undefined)) return worktreeBase;
  Object.assign(choice, { isWorktree, runtime: where, worktreeBase });
  return picked;
}

const isBase = (offered: WhereItem['base'], chosen: WorktreeBase | undefined) =>
  offered === undefined ||
  (offered === 'other' ? chosen?.kind === 'ref' : offered.kind === (chosen?.kind ?? 'defaultBranch'));

/** What the server accepts as the name of a branch, tag, or commit. */
const refName = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;

async function askBase({ worktreeBase: now }: AgentChoice): Promise<Answer<WorktreeBase>> {
  const ref = await askText({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    prompt: l10n.t('Branch, tag, or commit that the worktree begins with'),
    value: now?.kind === 'ref' ? now.ref : '',
    validate: (text) =>
      refName.test(text.trim()) ? undefined : l10n.t('Enter the name of a branch, tag, or commit.'),
  });
  return typeof ref === 'string' ? { kind: 'ref', ref: ref.trim() } : ref;
}

/** What is known of the folder, for its detail. */
export function folderWords({ folder, clone }: AgentChoice, state: FolderState | undefined): string {
  const shown = plainText(folder, 200);
  if (clone !== undefined) return l10n.t('{0} – will be cloned here unless it already exists', shown);
  switch (state?.kind) {
    case 'repository':
      return l10n.t('{0} – {1}', shown, repositoryWords(state));
    case 'folder':
      return l10n.t('{0} – becomes a Git repository', shown);
    case 'missing':
      return l10n.t('{0} – will be created, as a Git repository', shown);
    case 'file':
      return folderProblem(folder, state, false) ?? '';
    case undefined:
      return l10n.t('{0} – becomes a Git repository if it isn’t in one', shown);
  }
}

const repositoryWords = (state: FolderState) =>
  joined(l10n.t('Git repository'), plainText(state.branch ?? '', 80), changedWords(state));

const changedWords = ({ changed = 0 }: FolderState) =>
  changed === 0
    ? ''
    : changed === 1
      ? l10n.t('1 file isn’t committed')
      : l10n.t('{0} files aren’t committed', changed);

/** Where the agent works, and any reason to select another place. */
export function whereWords(choice: AgentChoice, state: FolderState | undefined, isShared: boolean) {
  const { isWorktree, worktreeBase: base, runtime, clone } = choice;
  if (runtime === 'docker') return { description: l10n.t('New container with the folder'), detail: '' };
  if (isWorktree)
    return {
      description:
        base?.kind === 'ref'
          ? l10n.t('New worktree from {0}', plainText(base.ref, 80))
          : base?.kind === 'head'
            ? l10n.t('New worktree from what is checked out')
            : l10n.t('New worktree of the folder’s repository'),
      detail:
        state && clone === undefined ? (folderProblem(choice.folder, state, true) ?? changedLeft(state)) : '',
    };
  return {
    description: l10n.t('None, in the folder itself'),
    detail: isShared
      ? l10n.t(
          'An agent is already working in this folder. In a worktree, they don’t get in each other’s way.',
        )
      : state?.changed
        ? l10n.t('The agent works with the uncommitted changes. In a worktree, it doesn’t touch them.')
        : '',
  };
}

const changedLeft = (state: FolderState) =>
  state.changed ? joined(changedWords(state), l10n.t('not in the worktree')) : '';

/** The name of the selected folder, or of the repository that is cloned into it. */
export const folderLabel = ({ folder }: AgentChoice) => plainText(lastPart(folder) || folder, 80);
