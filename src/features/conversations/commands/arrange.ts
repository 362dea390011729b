import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { groupings, orders, type Arrangement } from '../model/arrangement';
import { groupWords, orderWords } from '../model/arrangementWords';

interface Needs {
  arrangement: Arrangement;
}

/** Group Conversations…: remembered for the workspace. */
export function group({ arrangement }: Needs): Handler {
  return async () => {
    const words = { title: l10n.t('Group Conversations'), placeholder: l10n.t('Group conversations by') };
    const chosen = await choose(words, groupings, arrangement.group, groupWords);
    if (chosen) await arrangement.choose({ group: chosen });
  };
}

/** Sort Conversations…: remembered for the workspace. */
export function sort({ arrangement }: Needs): Handler {
  return async () => {
    const words = {
      title: l10n.t('Sort Conversations'),
      placeholder: l10n.t('Sort conversations by (those waiting for you stay first)'),
    };
    const chosen = await choose(words, orders, arrangement.order, orderWords);
    if (chosen) await arrangement.choose({ order: chosen });
  };
}

async function choose<T>(
  words: { title: string; placeholder: string },
  choices: readonly T[],
  current: T,
  label: (choice: T) => string,
): Promise<T | undefined> {
  const items = choices.map((choice) => ({
    choice,
    label: label(choice),
    iconPath: new vscode.ThemeIcon(choice === current ? 'check' : 'blank'),
  }));
  const picked = await askPick({ ...words, items, isCurrent: ({ choice }) => choice === current });
  return typeof picked === 'object' ? picked.choice : undefined;
}
