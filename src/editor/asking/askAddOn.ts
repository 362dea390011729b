import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AddOnKind, AddOnSource, SkillCalls } from '../../api/service/skills';
import { joined } from '../../shared/joined';
import { plainText } from '../../shared/plainText';
import { askPick, confirmed, type Answer, type InputStep } from '../inputs';

type Item = vscode.QuickPickItem & { from: AddOnSource; isChosen: boolean };

/**
 * Asks where to get a skill or plugin: one of the server’s catalog, any other by its address, or one of those chosen
 * before.
 */
export async function askAddOn(
  server: Pick<SkillCalls, 'listOffered'>,
  kind: AddOnKind,
  { chosen = [], ...step }: InputStep & { chosen?: readonly AddOnSource[] },
): Promise<Answer<{ from: AddOnSource; isChosen: boolean }>> {
  const before = chosen.map((from): Item => ({
    label: plainText(from.source, 120),
    description: l10n.t('selected – choose it again to leave it out'),
    iconPath: new vscode.ThemeIcon('check'),
    from,
    isChosen: true,
  }));
  return askPick<Item>({
    ...step,
    placeholder: l10n.t(
      'Select one, or enter github:owner/repository, a Git address, or a folder on the server',
    ),
    items: before,
    fromText: (source) => ({ label: source, from: { source }, isChosen: false }),
    update: async (show, signal) => {
      const listed = await server.listOffered(kind, signal).catch(() => []);
      const others = listed.map(({ name, description, isInstalled, source, ref, repoPath }): Item => ({
        label: plainText(name, 80),
        description: joined(l10n.t('from the catalog'), isInstalled ? l10n.t('installed') : ''),
        detail: plainText(description || source, 200),
        from: { source, ref, repoPath },
        isChosen: false,
      }));
      if (others.length > 0) show([...before, ...others]);
    },
  });
}

/** Asks before something that comes from elsewhere tells agents what to do. */
export const agreesToAddOn = (question: string, action: string): Promise<boolean> =>
  confirmed(
    question,
    l10n.t(
      'It tells agents what to do, and can run commands on the server’s computer. Install only what you trust.',
    ),
    action,
  );
