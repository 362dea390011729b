import { isJsonObject } from './json';
import type { PendingAction } from './transcript';

/** Members by name: a copy that was sent may have them in another order. */
const inOrder = (_name: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** A short mark for an action with all that is shown of it. */
export function markOf(action: PendingAction): string {
  const text = JSON.stringify(action, inOrder);
  let [one, two] = [1, 2];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    two = Math.imul(((two << 5) | (two >>> 27)) ^ code, 0x5f356495);
  }
  return `${action.id} ${one} ${two}`;
}
