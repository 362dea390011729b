/** Lets everything else that waits have its turn; for work that would block for long. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
