import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';

/** The first few paths, and how many more there are. */
export function shortList(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => plainText(path, 80));
  return paths.length > 3 ? l10n.t('{0} and {1} more', shown.join(', '), paths.length - 3) : shown.join(', ');
}
