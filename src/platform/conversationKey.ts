import type * as vscode from 'vscode';
import { bareId } from '../api/http/ids';

/**
 * The memento key of what is kept for a conversation, however its id is written. Earlier versions used the id as given:
 * what they kept moves as soon as there's nothing in its place.
 */
export function conversationKey(
  memento: Pick<vscode.Memento, 'get' | 'update'>,
  keyOf: (service: string, id: string) => string,
  service: string,
  id: string,
): string {
  const [given, key] = [keyOf(service, id), keyOf(service, bareId(id))];
  const kept = memento.get(given);
  if (kept !== undefined && memento.get(key) === undefined) {
    void memento.update(key, kept);
    void memento.update(given, undefined);
  }
  return key;
}
