import { plainText } from '../shared/plainText';

/** The parts that are there, as one description. */
export function joined(...parts: (string | null | undefined)[]): string {
  return lines(...parts).join(' · ');
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
