/** Nothing was done; the message tells people why. */
export class Refusal extends Error {}
