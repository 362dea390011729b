import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { back, runFlow, skipped, type Answer } from './flow';

export { back, runFlow, skipped, type Answer };

interface Step {
  title: string;
  /** Place in the flow, from 1. */
  step?: number;
  totalSteps?: number;
  /** Whether there is a Back button; unless told, from the second step on. */
  canGoBack?: boolean;
}

export interface TextStep extends Step {
  prompt: string;
  placeholder?: string;
  value?: string;
  password?: boolean;
  /** Checked at every keystroke: a sentence when the value cannot be accepted. */
  validate?: (value: string) => string | undefined;
  /** Checked on Enter; a sentence keeps the box open and everything typed in it. */
  accept?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Asks for one line of text. */
export function askText(options: TextStep): Promise<Answer<string>> {
  const box = vscode.window.createInputBox();
  box.prompt = options.prompt;
  box.placeholder = options.placeholder ?? '';
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  const leaving = new AbortController();
  return ask<string>(box, options, (resolve) => {
    box.onDidChangeValue((value) => (box.validationMessage = options.validate?.(value)));
    box.onDidAccept(async () => {
      const { value } = box;
      const problem = options.validate?.(value);
      box.validationMessage = problem;
      if (problem !== undefined || box.busy) return;
      if (options.accept) {
        box.busy = true;
        const refusal = await options.accept(value, leaving.signal);
        box.busy = false;
        if (leaving.signal.aborted) return;
        // What was typed meanwhile was not checked.
        box.validationMessage = box.value === value ? refusal : undefined;
        if (refusal !== undefined || box.value !== value) return;
      }
      resolve(value);
    });
    box.onDidHide(() => leaving.abort());
  });
}

export interface PickStep<T extends vscode.QuickPickItem> extends Step {
  placeholder: string;
  items: readonly T[];
  /** Makes an item of what is typed, where free text is possible. */
  fromText?: (text: string) => T | undefined;
  /** Offers the items again as they become known. */
  update?: (show: (items: readonly T[]) => void, signal: AbortSignal) => Promise<void>;
}

/** Asks for one of several items. */
export function askPick<T extends vscode.QuickPickItem>(options: PickStep<T>): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<T>();
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const leaving = new AbortController();
  let items = options.items;
  const show = () => {
    const text = pick.value.trim();
    const typed = text === '' ? undefined : options.fromText?.(text);
    pick.items = typed && !items.some(({ label }) => label === typed.label) ? [...items, typed] : items;
  };
  show();
  return ask<T>(pick, options, (resolve) => {
    if (options.fromText) pick.onDidChangeValue(show);
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item) resolve(item);
    });
    pick.onDidHide(() => leaving.abort());
    if (!options.update) return;
    pick.busy = true;
    void options
      .update((later) => {
        if (leaving.signal.aborted) return;
        items = later;
        show();
      }, leaving.signal)
      .finally(() => (pick.busy = false));
  });
}

export interface PickManyStep<T extends vscode.QuickPickItem> extends Step {
  placeholder: string;
  /** Those that are `picked` are ticked at first. */
  items: readonly T[];
}

/** Asks which of several items; the answer is empty when none is ticked. */
export function askMany<T extends vscode.QuickPickItem>(options: PickManyStep<T>): Promise<Answer<T[]>> {
  const pick = vscode.window.createQuickPick<T>();
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.canSelectMany = true;
  pick.items = options.items;
  pick.selectedItems = options.items.filter(({ picked }) => picked);
  return ask<T[]>(pick, options, (resolve) => pick.onDidAccept(() => resolve([...pick.selectedItems])));
}

function ask<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, totalSteps, canGoBack = (step ?? 1) > 1 }: Step,
  listen: (resolve: (answer: T) => void) => void,
): Promise<Answer<T>> {
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  if (canGoBack) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise<Answer<T>>((resolve) => {
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) resolve(back);
    });
    input.onDidHide(() => resolve(undefined));
    listen(resolve);
    input.show();
  }).finally(() => input.dispose());
}

/** Asks before something that cannot be taken back; true when the user agreed. */
export async function confirmed(message: string, detail: string, action: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, action)) === action;
}

/** Names, one a line, for a question about several things. */
export function listed(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).join('\n');
  return names.length > most ? `${shown}\n${l10n.t('and {0} more', names.length - most)}` : shown;
}
