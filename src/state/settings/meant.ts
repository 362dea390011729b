import * as l10n from '@vscode/l10n';
import type { ErrorTarget, SaveNote } from '../../shared/form';
import type { SettingsPost } from './body';
import type { Merged } from './merge';

/** The intended result of a save, to compare with what is read back. */
export interface Meant {
  readonly merged: Merged;
  readonly post: SettingsPost;
}

/** Notes that a secret is set but shouldn't be, or the reverse. */
export function secretNote(target: ErrorTarget, label: string, isSet: boolean): SaveNote {
  const message = isSet
    ? l10n.t('The service has a value for {0}, but it should have none.', label)
    : l10n.t('The service no longer has a value for {0}. Enter it again.', label);
  return { kind: 'secret', target, label, message };
}
