import * as l10n from '@vscode/l10n';

/** The parts that are there, as one description. */
export function joined(...parts: (string | null | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== null && part !== '').join(' · ');
}

/** A status that this client does not know, shown as it comes. */
export function unknownStatus(status: string | null | undefined): string {
  return status ?? l10n.t('State unknown');
}
