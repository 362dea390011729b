/** Lets everything else that's waiting run first; for work that would block for long. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
