/**
 * How services in production behave, and what the specification says. Suites of the client and of the editor's host run
 * with both; suites in the browser only where they differ.
 */
export const profiles = ['observed', 'documented'] as const;

export type Profile = (typeof profiles)[number];

/** The profiles of the host tests. */
export const hostProfiles = [...profiles, 'current'] as const;

/** The profile that stands for the others where there is time for one only, or where they make no difference. */
export const mainProfile = 'observed';
