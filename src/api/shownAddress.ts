import * as z from 'zod/mini';
import { withoutQuotedInput } from './http/errorBody';
import { maybeText } from './lenient';

/** An address that is only shown, without user name, password, and query: these carry secrets. Other texts stay. */
export const shownAddress = z.pipe(
  maybeText,
  z.transform((text) => text && withoutQuotedInput(text)),
);
