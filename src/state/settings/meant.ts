import * as l10n from '@vscode/l10n';
import type { ErrorTarget, SaveNote } from '../../shared/form';
import type { SettingsPost } from './body';
import type { Merged } from './merge';

/** A save as it was meant, to hold against what was read back. */
export interface Meant {
  readonly merged: Merged;
  readonly post: SettingsPost;
}

/** Says that a secret is there and should not be, or the other way round. */
export function secretNote(target: ErrorTarget, label: string, isSet: boolean): SaveNote {
  const message = isSet
    ? l10n.t('The service holds a value of {0}, although it should hold none.', label)
    : l10n.t('The service holds no value of {0} any more. Enter it again.', label);
  return { kind: 'secret', target, label, message };
}
