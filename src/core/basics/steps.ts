import { nextTurn } from './nextTurn';

/** Work in steps, between which something else may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps without a break. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Lets everything else that’s waiting run between the steps. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}
