import { unlessCanceled } from '../../../editor/progress';
import type { ConversationModel } from '../model/model';
import { onceRead } from '../model/onceRead';

/**
 * Works on a conversation that was just read, and shows progress; undefined if the user cancels, or if the connection
 * ends before it begins.
 */
export function workOn<T>(
  model: ConversationModel,
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T | undefined> {
  return unlessCanceled(title, (report, signal) => onceRead(model, signal, () => work(signal, report)));
}
