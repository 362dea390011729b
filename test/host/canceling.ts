import * as vscode from 'vscode';
import { anError } from '../support/builders/client';

/** Until restored, the user cancels all progress as soon as it shows. */
export function cancelingProgress(): { shown: string[]; restore: () => void } {
  const { withProgress } = vscode.window;
  const shown: string[] = [];
  const canceling: typeof withProgress = ({ title = '' }, task) => {
    shown.push(title);
    const source = new vscode.CancellationTokenSource();
    const work = task({ report: () => undefined }, source.token);
    source.cancel();
    return work;
  };
  Object.assign(vscode.window, { withProgress: canceling });
  return { shown, restore: () => void Object.assign(vscode.window, { withProgress }) };
}

/** A request that is only answered by canceling it. */
export function untilCanceled(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const cancel = () => reject(anError('canceled'));
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
  });
}
