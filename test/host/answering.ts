import * as vscode from 'vscode';

interface Answering {
  /** Questions and messages. */
  said: string[];
  /** The rows of each picker when it was answered. */
  rows: string[][];
  restore: () => void;
}

/** Typed into a picker, whose row `pick` is then awaited and selected. */
interface Typed {
  type: string;
  pick: string;
}

/** Gives the answers in order, as a row’s label or the text for a box, then cancels whatever is asked next. */
export function answering(answers: (string | (() => string) | Typed)[]): Answering {
  const { createQuickPick, createInputBox, showWarningMessage, showInformationMessage } = vscode.window;
  const said: string[] = [];
  const rows: string[][] = [];
  const input = (accepts: (text: string) => object | undefined) => {
    const onAccept: (() => unknown)[] = [];
    const onHide: (() => unknown)[] = [];
    const onType: ((text: string) => unknown)[] = [];
    const accept = (text: string) => {
      rows.push(
        made.items.map(({ label, description = '', detail = '' }) =>
          `${label}: ${description} ${detail}`.trimEnd(),
        ),
      );
      Object.assign(made, accepts(text));
      onAccept.forEach((listener) => listener());
    };
    /** Accepts the row once it's there. */
    const acceptRow = (label: string) => {
      if (made.items.some((item) => item.label === label)) accept(label);
      else setImmediate(acceptRow, label);
    };
    const hide = () => onHide.forEach((listener) => listener());
    const made = {
      items: [] as { label: string; description?: string; detail?: string }[],
      activeItems: [] as { label: string }[],
      value: '',
      onDidAccept: (listener: () => unknown) => onAccept.push(listener),
      onDidHide: (listener: () => unknown) => onHide.push(listener),
      onDidChangeValue: (listener: (text: string) => unknown) => onType.push(listener),
      onDidTriggerButton: () => undefined,
      hide,
      dispose: () => undefined,
      show: () =>
        setImmediate(() => {
          const answer = answers.shift();
          if (answer === undefined) hide();
          else if (typeof answer === 'object') {
            made.value = answer.type;
            onType.forEach((listener) => listener(answer.type));
            acceptRow(answer.pick);
          } else accept(typeof answer === 'string' ? answer : answer());
        }),
    };
    return made;
  };
  const replaced = {
    createQuickPick: () => {
      const pick = input((label) => ({ selectedItems: pick.items.filter((item) => item.label === label) }));
      return pick;
    },
    createInputBox: () => input((value) => ({ value })),
    showWarningMessage: (message: string, _options: object, action: string) => {
      said.push(message);
      return Promise.resolve(action);
    },
    showInformationMessage: (message: string) => {
      said.push(message);
      return Promise.resolve(undefined);
    },
  };
  Object.assign(vscode.window, replaced);
  const restore = () =>
    void Object.assign(vscode.window, {
      createQuickPick,
      createInputBox,
      showWarningMessage,
      showInformationMessage,
    });
  return { said, rows, restore };
}
