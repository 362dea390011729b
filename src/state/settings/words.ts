import * as l10n from '@vscode/l10n';
import type { Json } from '../../shared/json';
import type { SecretIntention, SecretPresence } from '../../shared/settings';

/** A value for people to read; null is what the service's default is told by. */
export function valueWords(value: Json): string {
  if (value === null) return l10n.t('Service default');
  if (value === true) return l10n.t('On');
  if (value === false) return l10n.t('Off');
  if (value === '') return l10n.t('Empty');
  if (Array.isArray(value)) return value.length === 0 ? l10n.t('None') : value.map(argumentWords).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** One of a list of arguments, in quotes where it could be taken for several. */
function argumentWords(value: Json): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** What is known of a secret. */
export function presenceWords(presence: SecretPresence): string {
  switch (presence) {
    case 'set':
      return l10n.t('Set');
    case 'notSet':
      return l10n.t('Not set');
    case 'unknown':
      return l10n.t('Unknown');
  }
}

/** What the user wants of a secret. */
export function intentionWords(intention: SecretIntention): string {
  switch (intention) {
    case 'keep':
      return l10n.t('Kept');
    case 'replace':
      return l10n.t('Replaced');
    case 'clear':
      return l10n.t('Cleared');
  }
}
