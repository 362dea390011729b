import type { TooltipLine } from './row';

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
