import * as l10n from '@vscode/l10n';
import type { Json } from '../../../shared/json';
import type { SecretIntention, SecretPresence } from '../../../shared/settings';

/** A value in words; null means the service's default. */
export function valueWords(value: Json): string {
  if (value === null) return l10n.t('Service default');
  if (value === true) return l10n.t('On');
  if (value === false) return l10n.t('Off');
  if (value === '') return l10n.t('Empty');
  if (Array.isArray(value)) return value.length === 0 ? l10n.t('None') : value.map(argumentWords).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An argument, in quotes if it could be read as several. */
function argumentWords(value: Json): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** Whether a secret is set, in words. */
export function presenceWords(presence: SecretPresence): string {
  return { set: l10n.t('Set'), notSet: l10n.t('Not set'), unknown: l10n.t('Unknown') }[presence];
}

/** What will happen to a secret, in words. */
export function intentionWords(intention: SecretIntention): string {
  return { keep: l10n.t('Kept'), replace: l10n.t('Replaced'), clear: l10n.t('Cleared') }[intention];
}

/** A secret in words, with what it is used for. */
export function usedForWords(secret: string, label: string, value: Json): string {
  return l10n.t('{0} ({1}: {2})', secret, label, valueWords(value));
}
