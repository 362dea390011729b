/** The user pressed Back. */
export const back = Symbol('back');
/** The result of a step; undefined if the user left the flow. */
export type Answer<T> = T | typeof back | undefined;

/**
 * Runs the steps in order and goes back when asked, out of the flow from the first one. The steps are the editor's inputs,
 * or whatever stands in for them.
 */
export async function runFlow(steps: readonly (() => Promise<unknown>)[]): Promise<Answer<true>> {
  let index = 0;
  for (let step = steps[index]; step; step = steps[index]) {
    const answer = await step();
    if (answer === undefined || (answer === back && index === 0)) return answer;
    index += answer === back ? -1 : 1;
  }
  return true;
}
