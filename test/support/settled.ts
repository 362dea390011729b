/** Resolves when pending work has gone as far as it can without time or input. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
