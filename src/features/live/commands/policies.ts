import * as l10n from '@vscode/l10n';
import type { SettablePolicy } from '../../../shared/transcript';

/** The policies that can be set, from the most to the least cautious. */
export const policies: Readonly<Record<SettablePolicy, () => string>> = {
  always: () => l10n.t('Ask before each action'),
  riskyLow: () => l10n.t('Ask from low risk'),
  riskyMedium: () => l10n.t('Ask from medium risk'),
  riskyHigh: () => l10n.t('Ask at high risk only'),
  never: () => l10n.t('Never ask'),
};
