import type { Figure } from './figures';

/** A part of the bench that can be run by itself. */
export interface Section {
  title: string;
  /** @param runs how often to measure; undefined means the section's own default */
  measure: (runs: number | undefined) => Promise<Figure[]>;
}
