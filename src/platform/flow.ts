/** The user pressed Back. */
export const back = Symbol('back');
/** The result of a step; undefined if the user left the flow. */
export type Answer<T> = T | typeof back | undefined;

/**
 * Runs the steps in order and goes back when asked; false if the user left. The steps are the editor's inputs, or whatever
 * stands in for them.
 */
export async function runFlow(steps: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  let index = 0;
  for (let step = steps[index]; step; step = steps[index]) {
    const answer = await step();
    if (answer === undefined) return false;
    index = answer === back ? Math.max(0, index - 1) : index + 1;
  }
  return true;
}
