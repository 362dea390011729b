import * as z from 'zod/mini';

/** The confirmation policies that a conversation can be started with. */
export const startPolicySchema = z.enum(['never', 'always', 'riskyLow', 'riskyMedium', 'riskyHigh']);
