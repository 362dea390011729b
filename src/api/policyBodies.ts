import type { SettablePolicy } from '../shared/transcript';

const risky = (threshold: string) => ({ kind: 'ConfirmRisky', threshold, confirm_unknown: true });

/** Each policy as it is sent. */
export const policyBodies: Record<SettablePolicy, object> = {
  never: { kind: 'NeverConfirm' },
  always: { kind: 'AlwaysConfirm' },
  riskyLow: risky('LOW'),
  riskyMedium: risky('MEDIUM'),
  riskyHigh: risky('HIGH'),
};
