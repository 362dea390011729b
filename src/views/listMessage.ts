import * as l10n from '@vscode/l10n';
import { describeError } from '../platform/errorText';
import type { ListState } from '../state/resourceList';
import type { Session } from '../state/session';

/**
 * The sentence above a list: why its rows may be out of date, or why there are none. Undefined when all is well, and
 * when the view's welcome text says it already.
 */
export function listMessage(session: Session, list: ListState<unknown>): string | undefined {
  const sessionError = 'error' in session ? session.error : undefined;
  if (list.items.length === 0 && sessionError) return undefined;
  const error = sessionError ?? list.error;
  if (!error) return undefined;
  const { message, nextStep } = describeError(error);
  return list.loaded
    ? l10n.t('Not up to date: {0} {1}', message, nextStep)
    : l10n.t('Not read yet: {0} {1}', message, nextStep);
}
