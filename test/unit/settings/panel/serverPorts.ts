import assert from 'node:assert/strict';
import type { Answer } from '../../../../src/editor/flow';
import type {
  SelectItem,
  ChoiceQuestion,
  ExportFile,
  ServerPorts,
  ServerSource,
  TextQuestion,
} from '../../../../src/features/settings/panel/ports';
import type { Position } from '../../../../src/features/settings/model/import/types';

/** The user's reply to a question, which may depend on the question. */
export type Reply =
  { pick: string } | { tick?: string[]; untick?: string[] } | { type: string } | { answer: Answer<never> };

/** A user with prepared answers, in a fake editor that records its questions. */
export class FakeServerPorts implements ServerPorts {
  readonly asked: (ChoiceQuestion<unknown> | TextQuestion)[] = [];
  readonly told: string[] = [];
  readonly opened: (Position | null)[] = [];
  readonly shown: string[] = [];
  readonly sources: ServerSource[] = [];
  readonly files: MemoryFile[] = [];
  environment: Record<string, string> = {};
  clipboardText = '';
  /** Why typed texts were refused. */
  readonly refused: string[] = [];
  /** The pages that were opened. */
  readonly pages: string[] = [];
  /** The action selected in messages and questions; none if undefined. */
  action: string | undefined;
  chosenFile: MemoryFile | undefined;
  test: ServerPorts['test'] = () => Promise.reject(new Error('no test was expected'));

  constructor(readonly replies: Reply[] = []) {}

  chooseOne<T>(question: ChoiceQuestion<T>): Promise<Answer<T>> {
    const reply = this.next(question);
    if ('answer' in reply) return Promise.resolve(reply.answer);
    assert.ok('pick' in reply, JSON.stringify(question));
    return Promise.resolve(choiceOf(question, reply.pick).value);
  }

  chooseMany<T>(question: ChoiceQuestion<T>): Promise<Answer<T[]>> {
    const reply = this.next(question);
    if ('answer' in reply) return Promise.resolve(reply.answer);
    assert.ok(!('pick' in reply) && !('type' in reply), JSON.stringify(question));
    const { tick = [], untick = [] } = reply;
    for (const label of [...tick, ...untick]) choiceOf(question, label);
    const chosen = question.choices.filter(
      ({ label, picked }) => tick.includes(label) || (picked === true && !untick.includes(label)),
    );
    return Promise.resolve(chosen.map(({ value }) => value));
  }

  async askText(question: TextQuestion): Promise<Answer<string>> {
    const reply = this.next(question);
    if ('answer' in reply) return reply.answer;
    assert.ok('type' in reply, JSON.stringify(question));
    const problem =
      question.validate?.(reply.type) ?? (await question.accept?.(reply.type, new AbortController().signal));
    if (problem === undefined) return reply.type;
    this.refused.push(problem);
    return undefined;
  }

  private next(question: ChoiceQuestion<unknown> | TextQuestion): Reply {
    this.asked.push(question);
    const reply = this.replies.shift();
    assert.ok(reply, `nobody answers ${JSON.stringify(question)}`);
    return reply;
  }

  tell(_kind: string, message: string, ...actions: string[]): Promise<string | undefined> {
    this.told.push(message);
    return Promise.resolve(actions.find((action) => action === this.action));
  }

  ask(message: string, action: string): Promise<string | undefined> {
    return this.tell('warning', message, action);
  }

  /** An existing file. */
  offer(label: string, text: string): void {
    this.sources.push({
      label,
      place: `/somewhere/${label}`,
      read: () => Promise.resolve({ ok: true, text }),
      open: (position) => {
        this.opened.push(position);
        return Promise.resolve();
      },
    });
  }

  findSources = () => Promise.resolve(this.sources);
  chooseSource = () => Promise.resolve(this.sources[0]);
  openAddress = (page: URL) => {
    this.pages.push(page.href);
    return Promise.resolve();
  };
  clipboard = () => Promise.resolve(this.clipboardText);
  workspaceFiles = () => this.files;
  chooseTarget = () => Promise.resolve(this.chosenFile);
  showNew = (text: string) => {
    this.shown.push(text);
    return Promise.resolve();
  };
}

export class MemoryFile implements ExportFile {
  readonly opened: (Position | null)[] = [];

  constructor(
    readonly label: string,
    public text?: string,
    readonly isDirty = false,
  ) {}

  read = () => Promise.resolve(this.text);
  write = (text: string) => {
    this.text = text;
    return Promise.resolve(!this.isDirty);
  };
  open = (position: Position | null) => {
    this.opened.push(position);
    return Promise.resolve();
  };
}

function choiceOf<T>(question: ChoiceQuestion<T>, label: string): SelectItem<T> {
  const choice = question.choices.find((one) => one.label === label);
  assert.ok(choice, `no "${label}" among ${question.choices.map((one) => one.label).join(' | ')}`);
  return choice;
}
