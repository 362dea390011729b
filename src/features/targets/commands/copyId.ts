import * as vscode from 'vscode';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';

/** Copies the ids of what is selected, or else of what `choose` asks for, one per line. */
export function copyId(kind: 'sandbox' | 'conversation', choose: () => Promise<{ id: string }[]>): Handler {
  return async (argument, selection) => {
    const selected = Array.isArray(selection) && selection.length > 0 ? (selection as unknown[]) : [argument];
    const ids = selected.flatMap((one) => {
      const ref = refOf(one);
      return ref?.kind === kind ? [ref.id] : [];
    });
    const chosen = ids.length > 0 ? ids : (await choose()).map(({ id }) => id);
    if (chosen.length > 0) await vscode.env.clipboard.writeText(chosen.join('\n'));
  };
}
