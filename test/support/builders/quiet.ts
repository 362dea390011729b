import { systemClock, type Clock } from '../../../src/api/http/clock';

const clock: Clock = { ...systemClock, after: () => () => undefined };

/** For a `ServiceModel` that reads nothing by itself. */
export const quiet = { intervalMs: () => 0, watchMs: () => 0, clock };
