import * as z from 'zod/mini';

/** Stands in for a secret that the service hides. */
export const mask = '**********';

/** True for what some services show in place of a secret: `**********`. It must never be sent back. */
export function isMasked(value: string): boolean {
  return /^[*•●∙]+$/.test(value);
}

const notMasked = (shortest: number) =>
  z.refine<string>((value) => value.length < shortest || !isMasked(value), { error: 'a masked value' });

/** A secret to send: `""` clears it. */
export const outgoingSecret = z.string().check(notMasked(1));

/** The value of an environment variable to send, where a single `*` can be meant. */
export const outgoingEnvValue = z.string().check(notMasked(3));
