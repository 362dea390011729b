import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { joined } from '../shared/joined';
import { back, runFlow, type Answer } from './flow';

export { back, runFlow, type Answer };

export interface InputStep {
  title: string;
  /** Place in the flow, from 1. */
  step?: number;
  totalSteps?: number;
  /** Whether there is a Back button; by default from the second step on. */
  canGoBack?: boolean;
}

export interface TextStep extends InputStep {
  prompt: string;
  placeholder?: string;
  value?: string;
  password?: boolean;
  /** Whether what is pasted may have several lines, which the editor’s box makes spaces of. */
  lines?: boolean;
  /** Called at every keystroke; returns a sentence if the value can't be accepted. */
  validate?: (value: string) => string | undefined;
  /** Called at every keystroke; returns a sentence that warns about a value that can be accepted. */
  warn?: (value: string) => string | undefined;
  /** Called at every keystroke; returns a sentence about a value that can be accepted, unless there's a warning. */
  note?: (value: string) => string | undefined;
  /** Called on Enter; a sentence keeps the box and its text open. */
  accept?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Ends the question without an answer. */
  until?: AbortSignal;
}

/** Asks for one line of text. */
export function askText(options: TextStep): Promise<Answer<string>> {
  const box = vscode.window.createInputBox();
  box.prompt = options.prompt;
  box.placeholder = options.placeholder ?? '';
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  const leaving = new AbortController();
  const { Info, Warning } = vscode.InputBoxValidationSeverity;
  const remark = (value: string) => {
    const warning = options.warn?.(value);
    const message = warning ?? options.note?.(value);
    return message === undefined ? undefined : { message, severity: warning === undefined ? Info : Warning };
  };
  box.validationMessage = remark(box.value);
  return ask<string>(box, options, (resolve) => {
    box.onDidChangeValue((value) => (box.validationMessage = options.validate?.(value) ?? remark(value)));
    box.onDidAccept(async () => {
      const { value } = box;
      const problem = options.validate?.(value);
      box.validationMessage = problem ?? remark(value);
      if (problem !== undefined || box.busy) return;
      if (options.accept) {
        box.busy = true;
        const refusal = await options.accept(value, leaving.signal);
        box.busy = false;
        if (leaving.signal.aborted) return;
        // The text changed during the check, so the result no longer applies.
        box.validationMessage = box.value === value ? (refusal ?? remark(value)) : undefined;
        if (refusal !== undefined || box.value !== value) return;
      }
      resolve(options.lines ? await withLines(value) : value);
    });
    box.onDidHide(() => leaving.abort());
    options.until?.addEventListener('abort', () => box.hide());
  });
}

/** What was pasted, such as a private key, as it was; the value if that wasn’t pasted. */
async function withLines(value: string): Promise<string> {
  if (!value.includes(' ')) return value;
  const copied = await vscode.env.clipboard.readText().then(undefined, () => '');
  const pasted = copied.replaceAll(/\r\n?/g, '\n');
  const isIt = /\n./.test(pasted) && pasted.replace(/\n+$/, '').replaceAll('\n', ' ') === value;
  return isIt ? pasted : value;
}

/**
 * Asks for several lines of text in turn. Back keeps what was typed; all but passwords are trimmed.
 * @param isFine whether the texts will do; otherwise, the last question comes back
 * @returns undefined if the user leaves
 */
export async function askTexts<Name extends string>(
  title: string,
  parts: Record<Name, Omit<TextStep, keyof InputStep>>,
  isFine: (texts: Record<Name, string>) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Record<Name, string> | undefined> {
  const names = Object.keys(parts) as Name[];
  const texts: Partial<Record<Name, string>> = {};
  const steps = names.map((name, index) => async () => {
    const part = parts[name];
    const place = { title, step: index + 1, totalSteps: names.length };
    const answer = await askText({ ...part, ...place, value: texts[name] ?? part.value ?? '' });
    if (typeof answer === 'string') texts[name] = part.password ? answer : answer.trim();
    return answer;
  });
  const all = texts as Record<Name, string>;
  return (await runFlow([...steps, async () => (await isFine(all)) || back])) === true ? all : undefined;
}

export interface PickStep<T extends vscode.QuickPickItem> extends InputStep {
  placeholder: string;
  items: readonly T[];
  /** The item in use: marked, and selected at first. */
  isCurrent?: (item: T) => boolean;
  /** Makes an item from typed text, where free text is allowed. */
  fromText?: (text: string) => T | undefined;
  /** Looks for more items, until the user types more; those found are added to the others. */
  search?: (text: string, add: (items: readonly T[]) => void, signal: AbortSignal) => Promise<void>;
  /** Shows other items as they become known: those that weren’t there, below the others. */
  update?: (show: (items: readonly T[]) => void, signal: AbortSignal) => Promise<void>;
}

/** Asks for one of several items. */
export function askPick<T extends vscode.QuickPickItem>(options: PickStep<T>): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<T>();
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const leaving = new AbortController();
  const marked = (items: readonly T[]) =>
    items.map((item) => (options.isCurrent?.(item) ? withCurrentMark(item) : item));
  let items = marked(options.items);
  let typedAt = items.length;
  let found: readonly T[] = [];
  const show = () => {
    const text = pick.value.trim();
    const typed = text === '' ? undefined : options.fromText?.(text);
    const isNew = typed && !items.some(({ label }) => label === typed.label);
    pick.items = isNew ? items.toSpliced(typedAt, 0, typed) : [...items, ...found];
  };
  let searching = new AbortController();
  const search = async () => {
    searching.abort();
    const { signal } = (searching = new AbortController());
    found = [];
    const text = pick.value.trim();
    pick.busy = text !== '';
    if (text === '') return;
    const add = (more: readonly T[]) => {
      if (signal.aborted || more.length === 0) return;
      found = [...found, ...more];
      show();
    };
    await options.search?.(text, add, signal);
    if (!signal.aborted) pick.busy = false;
  };
  show();
  const current = items.find((item) => options.isCurrent?.(item));
  if (current) pick.activeItems = [current];
  return ask<T>(pick, options, (resolve) => {
    if (options.fromText)
      pick.onDidChangeValue(() => {
        typedAt = items.length;
        show();
      });
    if (options.search) pick.onDidChangeValue(() => void search());
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item) resolve(item);
    });
    pick.onDidHide(() => {
      leaving.abort();
      searching.abort();
    });
    if (!options.update) return;
    pick.busy = true;
    void options
      .update((later) => {
        if (leaving.signal.aborted) return;
        // New items would move the selection back to the first one.
        const active = pick.activeItems[0]?.label;
        // What is there stays under the pointer; what is new comes below.
        const places = new Map(items.map(({ label }, at) => [label, at]));
        const placeOf = ({ label }: T) => places.get(label) ?? places.size;
        items = marked(later).toSorted((a, b) => placeOf(a) - placeOf(b));
        // The typed item keeps its place: the editor sends only the place of the item that the user selects, and may
        // have sent it before it sees the new items.
        show();
        const same = pick.items.find(({ label }) => label === active);
        if (same) pick.activeItems = [same];
      }, leaving.signal)
      .finally(() => (pick.busy = false));
  });
}

function withCurrentMark<T extends vscode.QuickPickItem>(item: T): T {
  const description = joined(item.description, l10n.t('current'));
  return { ...item, description };
}

export interface PickManyStep<T extends vscode.QuickPickItem> extends InputStep {
  placeholder: string;
  /** Those that are `picked` are selected at first. */
  items: readonly T[];
}

/** Asks for any of several items; the answer is empty if none is selected. */
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
  { title, step, totalSteps, canGoBack = (step ?? 1) > 1 }: InputStep,
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

/** Asks before something that can't be undone; true if the user agreed. */
export async function confirmed(message: string, detail: string, action: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, action)) === action;
}

/** Asks before something that is only about to happen: nothing is lost by it. True if the user agreed. */
export async function agreedTo(message: string, detail: string, action: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(message, { modal: true, detail }, action)) === action;
}

/** Names for a question about several things, one per line. */
export function listed(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).join('\n');
  return names.length > most ? `${shown}\n${l10n.t('and {0} more', names.length - most)}` : shown;
}

/** Refuses an answer without any text. */
export const needsText = (text: string) => (text.trim() === '' ? l10n.t('Enter a value.') : undefined);
