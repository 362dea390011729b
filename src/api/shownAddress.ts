import * as z from 'zod/mini';
import { withoutQuotedInput } from './http/errorBody';

/** An address that is only shown, without user name, password, and query: these carry secrets. Other texts stay. */
export const shownAddress = z.optional(
  z.transform((value: unknown): string | null =>
    typeof value === 'string' ? withoutQuotedInput(value) : null,
  ),
);
