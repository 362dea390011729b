import type { TooltipLine } from './row';

/** Joins the parts that aren't empty into one description. */
export function joined(...parts: (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}

/** A tooltip: the title, then the facts that are known. */
export function tooltip(
  title: string,
  facts: readonly (readonly [label: string | undefined, value: string | null | undefined])[],
): TooltipLine[] {
  const known = facts.flatMap(([label, value]): TooltipLine[] =>
    value ? [{ ...(label && { label }), value }] : [],
  );
  return [{ value: title }, ...known];
}
