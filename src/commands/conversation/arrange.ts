import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { askPick } from '../../platform/inputs';
import { type Grouping, groupings, type Order, orders } from '../../state/arrangement';
import type { CommandDependencies, Handler } from '../dependencies';

type Needs = Pick<CommandDependencies, 'arrangement'>;

/** Group Conversations…: what they are put under, remembered for the workspace. */
export function group({ arrangement }: Needs): Handler {
  return async () => {
    const chosen = await choose(
      l10n.t('Group conversations'),
      l10n.t('Choose what conversations are put under'),
      groupings,
      arrangement.group,
      groupWords,
    );
    if (chosen) await arrangement.choose({ group: chosen });
  };
}

/** Sort Conversations…: what stands first, remembered for the workspace. */
export function sort({ arrangement }: Needs): Handler {
  return async () => {
    const chosen = await choose(
      l10n.t('Sort conversations'),
      l10n.t('Choose the order; those that wait for you stay first'),
      orders,
      arrangement.order,
      orderWords,
    );
    if (chosen) await arrangement.choose({ order: chosen });
  };
}

interface Item<T> extends vscode.QuickPickItem {
  choice: T;
}

async function choose<T>(
  title: string,
  placeholder: string,
  choices: readonly T[],
  present: T,
  words: (choice: T) => string,
): Promise<T | undefined> {
  const items = choices.map((choice): Item<T> => ({
    choice,
    label: words(choice),
    ...(choice === present && { description: l10n.t('present choice') }),
  }));
  const picked = await askPick<Item<T>>({ title, placeholder, items });
  return typeof picked === 'object' ? picked.choice : undefined;
}

function groupWords(grouping: Grouping): string {
  switch (grouping) {
    case 'none':
      return l10n.t('No groups');
    case 'sandbox':
      return l10n.t('By sandbox');
    case 'repository':
      return l10n.t('By repository');
    case 'state':
      return l10n.t('By state');
  }
}

function orderWords(order: Order): string {
  switch (order) {
    case 'created':
      return l10n.t('Newest first');
    case 'updated':
      return l10n.t('Last active first');
    case 'title':
      return l10n.t('By title');
  }
}
