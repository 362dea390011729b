/** The two generations of the service; every suite that talks to one runs with both. */
export const profiles = ['observed', 'documented'] as const;

export type Profile = (typeof profiles)[number];

/** The profiles of the host tests. */
export const hostProfiles = [...profiles, 'current'] as const;
