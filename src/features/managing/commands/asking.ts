import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askPick, confirmed, type PickStep } from '../../../editor/inputs';
import { parseUrl } from '../../../shared/url';
import type { Change } from './manage';

/** A row of a list or a menu: asks for the rest of a change. Undefined if the user leaves. */
export interface ChangeItem<G = unknown> extends vscode.QuickPickItem {
  id?: string;
  ask: () => Promise<Change<G> | undefined> | Change<G> | undefined;
}

/** Shows a list, or a menu of what to do, and asks what the selected row asks. */
export async function askChange<G>(
  question: Omit<PickStep<ChangeItem<G>>, 'placeholder'> & { placeholder?: string },
): Promise<Change<G> | undefined> {
  const picked = await askPick<ChangeItem<G>>({ placeholder: l10n.t('Select what to do'), ...question });
  return typeof picked === 'object' ? picked.ask() : undefined;
}

/** The row of a list that adds something. */
export function addItem<G>(label: string, ask: ChangeItem<G>['ask']): ChangeItem<G> {
  return { label, iconPath: new vscode.ThemeIcon('add'), ask };
}

/** Says that what is shown as `name` is only listed. */
export function tellOwn(name: string): undefined {
  void vscode.window.showInformationMessage(
    l10n.t('“{0}” belongs to Agent Canvas. It can’t be changed here.', name),
  );
}

/** Changes what is shown as `name`. */
export function altering<G>(name: string, make: Change<G>['make']): Change<G> {
  return { progress: l10n.t('Changing {0}…', name), failed: l10n.t('Couldn’t change “{0}”.', name), make };
}

/** Saves what is shown as `name`. */
export function saving<G>(name: string, make: Change<G>['make']): Change<G> {
  return { progress: l10n.t('Saving…'), failed: l10n.t('Couldn’t save “{0}”.', name), make };
}

/** Deletes what is shown as `name`, once the user agrees to the consequences in `detail`. */
export async function askDelete<G>(
  name: string,
  detail: string,
  make: Change<G>['make'],
): Promise<Change<G> | undefined> {
  const agreed = await confirmed(l10n.t('Delete “{0}”?', name), detail, l10n.t('Delete'));
  if (!agreed) return undefined;
  return { progress: l10n.t('Deleting {0}…', name), failed: l10n.t('Couldn’t delete “{0}”.', name), make };
}

/** The question for the address of a model’s API; empty for the provider’s own. */
export const modelAddress = () => ({
  prompt: l10n.t('Address of the model’s API. Leave it empty for the provider’s own.'),
  validate: (text: string) => {
    const url = parseUrl(text.trim());
    if (text.trim() === '' || url?.protocol === 'https:' || url?.protocol === 'http:') return undefined;
    return l10n.t('Enter an address that starts with http:// or https://, or leave the field empty.');
  },
});
