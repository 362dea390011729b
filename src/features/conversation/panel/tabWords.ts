import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';
import type { Execution } from '../../../shared/transcript';

/** Icons of states that need a look; any other state has that of a conversation. */
export const iconOf: Readonly<Partial<Record<Execution, string>>> = {
  running: 'conversation-working',
  waiting_for_confirmation: 'conversation-waiting',
  error: 'conversation-failed',
  stuck: 'conversation-failed',
};

/** The title of the editor with what a step changed. */
export function diffTitle(path: string): string {
  return l10n.t('{0} (before and after the step)', shortName(path));
}

/** The last part of a path. */
export const shortName = (path: string) => plainText(path.split('/').at(-1) ?? path, 80);
