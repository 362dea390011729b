import * as l10n from '@vscode/l10n';
import type { SettablePolicy } from '../../../shared/transcript';

/** The policies that can be set, from the most to the least cautious. */
export const policies: Readonly<Record<SettablePolicy, () => string>> = {
  always: () => l10n.t('Ask before each action'),
  riskyLow: () => l10n.t('Ask at low risk or higher'),
  riskyMedium: () => l10n.t('Ask at medium risk or higher'),
  riskyHigh: () => l10n.t('Ask at high risk only'),
  never: () => l10n.t('Never ask'),
};
