import * as vscode from 'vscode';

interface Answering {
  /** Questions and messages. */
  said: string[];
  /** What questions say below. */
  details: string[];
  /** The rows of each picker when it was answered. */
  rows: string[][];
  /** The row of each that Enter would have taken, where one was selected at first. */
  first: (string | undefined)[];
  restore: () => void;
}

/** Typed into a picker, whose row `pick` is then awaited and selected. */
interface Typed {
  type: string;
  pick: string;
}

/** Presses Back in an input. */
export const goBack = Symbol('goBack');
/** Cancels a question. */
export const declining = Symbol('declining');

/** What to type into a box, which may depend on what is in it. */
type Text = string | ((before: string) => string);

/**
 * Gives the answers in order, as a row’s label, the text for a box, or a question’s button, then cancels whatever is asked
 * next. Other questions are agreed to.
 */
export function answering(answers: (Text | Typed | typeof goBack | typeof declining)[]): Answering {
  const { createQuickPick, createInputBox, showWarningMessage, showInformationMessage } = vscode.window;
  const said: string[] = [];
  const details: string[] = [];
  const rows: string[][] = [];
  const first: (string | undefined)[] = [];
  const input = (accepts: (text: string) => object | undefined) => {
    const onAccept: (() => unknown)[] = [];
    const onHide: (() => unknown)[] = [];
    const onType: ((text: string) => unknown)[] = [];
    const onButton: ((button: vscode.QuickInputButton) => unknown)[] = [];
    const accept = (text: string) => {
      first.push(made.activeItems[0]?.label);
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
      onDidTriggerButton: (listener: (button: vscode.QuickInputButton) => unknown) => onButton.push(listener),
      hide,
      dispose: () => undefined,
      show: () => setImmediate(answerIt),
      /** What is refused is answered again. */
      set validationMessage(problem: unknown) {
        if (typeof problem !== 'string') return;
        said.push(problem);
        setImmediate(answerIt);
      },
    };
    const answerIt = () => {
      const answer = answers.shift();
      if (answer === undefined || answer === declining) hide();
      else if (answer === goBack) onButton.forEach((listener) => listener(vscode.QuickInputButtons.Back));
      else if (typeof answer === 'object') {
        made.value = answer.type;
        onType.forEach((listener) => listener(answer.type));
        acceptRow(answer.pick);
      } else accept(typeof answer === 'string' ? answer : answer(made.value));
    };
    return made;
  };
  const replaced = {
    createQuickPick: () => {
      const pick = input((label) => ({ selectedItems: pick.items.filter((item) => item.label === label) }));
      return pick;
    },
    createInputBox: () => input((value) => ({ value })),
    showWarningMessage: (message: string, options?: { detail?: string }, ...actions: string[]) => {
      said.push(message);
      details.push(options?.detail ?? '');
      const [answer] = answers;
      const action = actions.find((one) => one === answer);
      if (answer !== declining && action === undefined) return Promise.resolve(actions[0]);
      answers.shift();
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
  return { said, details, rows, first, restore };
}
