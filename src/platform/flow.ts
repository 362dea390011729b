/** The user asked for the step before. */
export const back = Symbol('back');
/** The step has nothing to ask this time. */
export const skipped = Symbol('skipped');
/** What a step of a flow ends with; undefined when the user left the flow. */
export type Answer<T> = T | typeof back | undefined;

/** Runs the steps one after the other, going back when asked; false when the user left. */
export async function runFlow(steps: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  let index = 0;
  let direction = 1;
  for (let step = steps[index]; step; step = steps[index]) {
    const answer = await step();
    if (answer === undefined) return false;
    if (answer === back) direction = -1;
    else if (answer !== skipped) direction = 1;
    index = Math.max(0, index + direction);
  }
  return true;
}
