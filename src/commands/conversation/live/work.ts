import { withProgress } from '../../../platform/progress';
import type { ConversationModel } from '../../../state/transcript/model';
import { onceRead } from '../../../state/transcript/onceRead';

/** Works on a conversation that was just read, with progress; undefined if the user or the connection ends the wait. */
export function workOn<T>(
  model: ConversationModel,
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T | undefined> {
  return withProgress(title, (report, signal) => onceRead(model, signal, () => work(signal, report)));
}
