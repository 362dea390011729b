import * as l10n from '@vscode/l10n';
import { plainText } from '../shared/plainText';

/** The parts that are there, as one description. */
export function joined(...parts: (string | null | undefined)[]): string {
  return lines(...parts).join(' · ');
}

/** A status that this client does not know, shown as it comes. */
export function unknownStatus(status: string | null | undefined): string {
  return status ?? l10n.t('State unknown');
}

/** The parts that are there. */
export function lines(...parts: (string | null | undefined)[]): string[] {
  return parts.filter((part): part is string => part !== undefined && part !== null && part !== '');
}

/** Longer ids than this hide what stands beside them in a narrow side bar. */
const longestId = 20;

/** An id as a label: of a long one only its last part, which tells it from the others. */
export function shortId(id: string): string {
  const whole = plainText(id, 200);
  if (whole.length <= longestId) return whole;
  const last = /[-_/.:]([^-_/.:]{6,12})$/.exec(whole)?.[1] ?? Array.from(whole).slice(-10).join('');
  return `…${last}`;
}
