import { isJsonObject } from './json';

/**
 * The members of an object that another version may have stored; none where something else was stored: that is damage,
 * and is dropped by the next write.
 */
export function membersOf(stored: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(stored) ? stored : {};
}
