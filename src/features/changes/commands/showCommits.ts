import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { unlessCanceled } from '../../../editor/progress';
import { age } from '../../../shared/age';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { chooseLive, type Live } from '../../live/editor';
import type { Commit } from '../../sandboxChanges';
import { type ChangesNeeds, tellFailure } from './needs';
import { openChanges } from './openChanges';

/** Show Commits: the commits of an agent’s branch since its base, each with its changes in the editor for them. */
export function showCommits(needs: ChangesNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Show Commits');
    const live = await chooseLive(needs, argument, { title });
    if (!live) return;
    try {
      const found = await unlessCanceled(l10n.t('Reading commits…'), (report, signal) =>
        live.model.changes.commits(signal, () => report(l10n.t('Resuming the sandbox…'))),
      );
      if (!found) return;
      const items = found.flatMap(({ root, commits }) => commits.map((commit) => itemOf(root, commit)));
      if (items.length === 0) {
        void vscode.window.showInformationMessage(
          l10n.t('The agent’s branch has no commits of its own. Its other changes are in Show Changes.'),
        );
        return;
      }
      const picked = await askPick({
        title,
        placeholder: l10n.t('Select a commit to see its changes'),
        items,
      });
      if (typeof picked === 'object') await open(needs, live, picked.root, picked.commit);
    } catch (error) {
      await tellFailure(error);
    }
  };
}

function itemOf(root: string, commit: Commit) {
  const { sha, author, at, subject } = commit;
  const old = Number.isFinite(at) ? age(new Date(at).toISOString(), Date.now()) : undefined;
  return {
    root,
    commit,
    iconPath: new vscode.ThemeIcon('git-commit'),
    label: plainText(subject, 120) || sha.slice(0, 8),
    description: joined(sha.slice(0, 8), plainText(author, 80), old),
    detail: plainText(root, 200),
  };
}

async function open(
  { shownChanges }: ChangesNeeds,
  { model, service }: Live,
  root: string,
  { sha, subject }: Commit,
): Promise<void> {
  const source = await model.changes.repository(root, sha);
  const { files } = await source.list();
  if (files.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('This commit changes no files.'));
    return;
  }
  const { id } = model;
  const origin = { conversation: id, service, from: { commit: sha }, root };
  shownChanges.add(origin, source);
  const name = `${sha.slice(0, 8)} ${plainText(subject, 80)}`;
  await openChanges(l10n.t('Commit: {0}', name), { id, service }, [{ origin, files }]);
}
