import { systemClock, type Clock } from '../../../src/api/http/clock';

const clock: Clock = { ...systemClock, after: () => () => undefined };

/** Options for a `ServiceModel` that reads nothing on its own. */
export const quiet = { intervalMs: () => 0, watchMs: () => 0, clock };
