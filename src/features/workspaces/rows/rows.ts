import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { attemptName, conversationLabel } from '../../../core/lists/names';
import { rowLabel } from '../../../shared/isolated';
import { plainText } from '../../../shared/plainText';
import type { ListState } from '../../../core/lists/resourceList';
import type { Workspace } from '../../../core/lists/serviceLists';
import { conversationRow, type ConversationRowState } from '../../targets';
import { childrenAtMost, loadMoreRow, moreRows } from '../../../core/rows/moreRow';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import { allIn, type Folder, foldersOf } from './folders';

export interface WorkspacesState extends ConversationRowState {
  workspaces: ListState<Workspace>;
  conversations: readonly Conversation[];
  /** What a conversation was started to differ in from others at the same message. */
  differenceOf?: (conversation: Conversation) => string | undefined;
}

/** The rows of Workspaces. */
export function* workspaceRows(state: WorkspacesState): Generator<Row> {
  const { workspaces, conversations } = state;
  const folders = foldersOf(workspaces.items, conversations);
  for (const folder of folders.slice(0, workspaces.limit)) yield folderRow(folder, state);
  if (folders.length > workspaces.limit) yield loadMoreRow('workspaces');
}

function folderRow(folder: Folder, state: WorkspacesState): Row {
  const { path, name, isSaved, isWorktree, conversations, worktrees } = folder;
  const id = `workspace/${path}`;
  const ref = { kind: 'workspace', path } as const;
  const all = allIn(folder);
  const waiting = all.filter(({ waits }) => waits).length;
  const waitingWords =
    waiting === 0
      ? undefined
      : waiting === 1
        ? l10n.t('1 waiting for you')
        : l10n.t('{0} waiting for you', waiting);
  const count = all.length === 1 ? l10n.t('1 conversation') : l10n.t('{0} conversations', all.length);
  const kind = isWorktree ? l10n.t('Worktree') : undefined;
  const where = plainText(path, 300);
  const [only] = all.length === 1 && isWorktree ? conversations : [];
  // Worktrees of one repository have the same name.
  const what =
    only && attemptName(conversationLabel(only.conversation), state.differenceOf?.(only.conversation));
  const description = joined(waitingWords, kind, all.length === 0 ? where : (what ?? count));
  const children = [
    ...conversations
      .slice(0, childrenAtMost)
      .map((branch) => conversationRow(branch, state, { idPrefix: `${id}/` })),
    ...moreRows(ref, `${id}/more`, conversations.length - childrenAtMost, l10n.t('in Conversations')),
    ...worktrees.slice(0, childrenAtMost).map((one) => folderRow(one, state)),
    ...moreRows(ref, `${id}/worktrees`, worktrees.length - childrenAtMost, l10n.t('worktrees')),
  ];
  return {
    ref,
    id,
    label: rowLabel(name),
    description,
    tooltip: tooltip(name, [
      [l10n.t('Folder'), where],
      [undefined, waitingWords],
      [undefined, kind],
      [undefined, isSaved ? l10n.t('Saved on the server') : l10n.t('Known from its conversations')],
    ]),
    icon: { name: isWorktree ? 'git-branch' : 'folder' },
    contextValue: isSaved ? 'workspace.saved' : 'workspace',
    accessibilityLabel: l10n.t('Folder {0}, {1}', name, description),
    children,
  };
}
