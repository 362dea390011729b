/** The limit that a figure must not exceed. */
export interface Goal {
  atMost: number;
  /** Which value of the runs counts: the maximum for goals that say "never", otherwise the median. */
  of: 'median' | 'max';
}

/** One measurement: the spread of its values over the runs. */
export interface Figure {
  name: string;
  /** `ms`, `kB`, `x` for a ratio, `` for a count. */
  unit: string;
  runs: number;
  min: number;
  median: number;
  max: number;
  goal?: Goal;
  /** Whether the goal is met; absent without a goal. */
  met?: boolean;
}

/** Summarizes a measurement from its values, one per run. Throws if there are none. */
export function figure(name: string, unit: string, values: readonly number[], goal?: Goal): Figure {
  if (values.length === 0) throw new Error(`Nothing was measured for "${name}".`);
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const spread = {
    min: sorted[0]!,
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    max: sorted.at(-1)!,
  };
  return {
    name,
    unit,
    runs: values.length,
    ...spread,
    ...(goal && { goal, met: spread[goal.of] <= goal.atMost }),
  };
}

/** A goal for the median. */
export const atMost = (most: number): Goal => ({ atMost: most, of: 'median' });

/** A goal for every single run. */
export const never = (most: number): Goal => ({ atMost: most, of: 'max' });

/** One run of two things measured side by side, such as our client and a bare fetch. */
export interface Pair {
  ours: number;
  beside: number;
}

/** Figures for both sides, for their ratio within each run, and, given a goal for it, for their difference. */
export function pairFigures(
  name: string,
  beside: string,
  unit: string,
  pairs: readonly Pair[],
  goals: { ours?: Goal; ratio?: Goal; difference?: Goal } = {},
): Figure[] {
  return [
    figure(
      name,
      unit,
      pairs.map(({ ours }) => ours),
      goals.ours,
    ),
    figure(
      `  ${beside}`,
      unit,
      pairs.map((pair) => pair.beside),
    ),
    figure(
      '  ratio',
      'x',
      pairs.map((pair) => pair.ours / pair.beside),
      goals.ratio,
    ),
    ...(goals.difference
      ? [
          figure(
            '  difference',
            unit,
            pairs.map((pair) => pair.ours - pair.beside),
            goals.difference,
          ),
        ]
      : []),
  ];
}
