import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** The user asked for the step before. */
export const back = Symbol('back');
/** The step has nothing to ask this time. */
export const skipped = Symbol('skipped');
/** What a step of a flow ends with; undefined when the user left the flow. */
export type Answer<T> = T | typeof back | undefined;

interface Step {
  title: string;
  /** Place in the flow, from 1; no Back button at 1. */
  step?: number;
  totalSteps?: number;
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

function ask<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, totalSteps }: Step,
  listen: (resolve: (answer: T) => void) => void,
): Promise<Answer<T>> {
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  if (step !== undefined && step > 1) input.buttons = [vscode.QuickInputButtons.Back];
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

/** Runs the steps one after the other, going back when asked; false when the user left. */
export async function runFlow(steps: readonly (() => Promise<unknown>)[]): Promise<boolean> {
  let index = 0;
  let direction = 1;
  for (let step = steps[index]; step; step = steps[index]) {
    const answer = await step();
    if (answer === undefined) return false;
    if (answer === back) direction = -1;
    else if (answer !== skipped) direction = 1;
    index = Math.max(0, index + direction);
  }
  return true;
}

/** Names, one a line, for a question about several things. */
export function listed(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).join('\n');
  return names.length > most ? `${shown}\n${l10n.t('and {0} more', names.length - most)}` : shown;
}
