import type { Control } from '../../../shared/fieldKinds';
import { fieldTable, sections } from '../../../shared/fields';
import type { ErrorTarget, FormEdits, FormModel } from '../shared/form';
import type { McpServer } from '../../../shared/mcp';
import type { Problem, ShownForm } from '../shared/messages';
import type { MoreValue, MoreValues } from '../../../shared/moreFields';
import { refusal } from '../../../shared/refusal';
import { same } from '../../../shared/same';
import {
  fieldSection,
  plainFields,
  secretFields,
  type PlainField,
  type PlainValues,
  type SecretField,
} from '../../../shared/settings';
import { isNumber, moreChanges, moreFormProblems, withMoreValue, type HeldMore } from './more';
import {
  isUnreadable,
  notANumber,
  parseNumber,
  rowProblems,
  type FoundProblem,
  isReordered,
  changeRow,
  editedServers,
  rowsOf,
  rowState,
  type McpRow,
} from './rows';

/** The form: what the service has and what the user changed. Immutable; every function returns a new one. */
export interface Form {
  readonly document: string;
  /** How many of the extension host's own changes are in it. */
  readonly steps: number;
  readonly model: FormModel;
  readonly values: Partial<PlainValues>;
  /** New values of fields that the service describes, by path. */
  readonly more: MoreValues;
  /** The text in inputs, as typed, where it differs from how the value is written: by field or path. */
  readonly texts: Readonly<Record<string, string>>;
  readonly secrets: FormEdits['secrets'];
  readonly rows: readonly McpRow[];
  /** Problems the service found in the last save; each goes when its control is changed. */
  readonly refused: readonly Problem[];
}

/** Fields with one type of value. */
export type FieldOf<Value> = { [F in PlainField]: PlainValues[F] extends Value ? F : never }[PlainField];

export function openForm(shown: ShownForm, texts: Form['texts'] = {}): Form {
  const { document, steps, model, edits } = shown;
  return {
    document,
    steps,
    model,
    values: edits.values,
    more: edits.more ?? {},
    texts,
    secrets: edits.secrets,
    rows: rowsOf(model.mcpServers, edits.mcpServers),
    refused: [],
  };
}

/** The form with edits that the extension host changed; what is half typed in other places stays. */
export function withEdits(form: Form, { steps, edits }: Pick<ShownForm, 'steps' | 'edits'>): Form {
  if (same(editsOf(form), edits)) return { ...form, steps };
  const { values, secrets, more = {} } = edits;
  const isSame = (field: string) =>
    same(form.values[field as PlainField], values[field as PlainField]) &&
    form.more[field] === more[field] &&
    form.secrets[field as SecretField] === secrets[field as SecretField];
  const texts = Object.fromEntries(Object.entries(form.texts).filter(([field]) => isSame(field)));
  const rows = rowsOf(form.model.mcpServers, edits.mcpServers).map((row) => {
    const previous = form.rows.find(({ server }) => server.id === row.server.id);
    const isTyped = previous?.timeoutText !== undefined && previous.server.timeout === row.server.timeout;
    return isTyped ? { ...row, timeoutText: previous.timeoutText } : row;
  });
  const isRefused = ({ target }: Problem) => {
    if (target.at === 'field') return isSame(target.field);
    if (target.at === 'more') return isSame(target.path);
    return target.at === 'mcp' && same(serverOf(form.rows, target.id), serverOf(rows, target.id));
  };
  return { ...form, steps, values, more, secrets, texts, rows, refused: form.refused.filter(isRefused) };
}

function serverOf(rows: readonly McpRow[], id: string): McpServer | undefined {
  return rows.find(({ server }) => server.id === id)?.server;
}

/** Carries unreadable numbers over to another reading, though they aren't edits. */
export function withUnreadable(form: Form, previous: Form): Form {
  const texts = Object.fromEntries(Object.entries(previous.texts).filter(([, text]) => isUnreadable(text)));
  const rows = form.rows.map((row) => {
    const timeoutText = previous.rows.find(({ server }) => server.id === row.server.id)?.timeoutText;
    return timeoutText !== undefined && isUnreadable(timeoutText) ? { ...row, timeoutText } : row;
  });
  return { ...form, texts, rows };
}

export function valueOf<F extends PlainField>(form: Form, field: F): PlainValues[F] {
  const edited = form.values[field];
  return edited === undefined ? form.model.values[field] : edited;
}

/** The text in the input of a text or number. */
export function inputText(form: Form, field: PlainField): string {
  return form.texts[field] ?? String(valueOf(form, field) ?? '');
}

/** Sets a value; the value the service already has is no edit. */
export function setValue<F extends PlainField>(form: Form, field: F, value: PlainValues[F]): Form {
  const { [field]: _before, ...rest } = form.values;
  const before = form.model.values[field];
  const isSame = value === before || (isEmpty(value) && isEmpty(before));
  const values = isSame ? (rest as Partial<PlainValues>) : { ...form.values, [field]: value };
  return forget({ ...form, values }, (target) => target.at === 'field' && target.field === field);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '';
}

/** The `inputmode` of each control that text is typed into; all but `text` are for numbers. */
export const inputModes = {
  text: 'text',
  suggestions: 'text',
  wholeNumber: 'numeric',
  amount: 'decimal',
} as const satisfies Record<Exclude<Control, 'flag' | 'optionalFlag'>, string>;

/** Takes over the text of an input. */
export function setText(form: Form, field: FieldOf<string | number | null>, text: string): Form {
  const { control, emptied = null } = fieldTable[field];
  if (inputModes[control] === 'text') {
    return setValue(form, field, text === '' ? emptied : text);
  }
  const number = parseNumber(text);
  return {
    ...setValue(form, field, number === undefined ? form.model.values[field] : number),
    texts: { ...form.texts, [field]: text },
  };
}

/** Sets the value of a field that the service describes. */
export function setMore(form: Form, field: HeldMore, value: MoreValue): Form {
  const { path } = field;
  const next = { ...form, more: withMoreValue(form, field, value) };
  return forget(next, (target) => target.at === 'more' && target.path === path);
}

/** Takes over the text of its input; an empty one means the default. */
export function setMoreText(form: Form, field: HeldMore, text: string): Form {
  const { path } = field;
  const value = isNumber(field) ? parseNumber(text) : text === '' ? null : text;
  const next = setMore(form, field, value === undefined ? field.value : (value ?? field.default));
  const { [path]: _before, ...texts } = form.texts;
  return { ...next, texts: isNumber(field) || text === '' ? { ...texts, [path]: text } : texts };
}

/** Takes over the list of MCP servers, in which `changedId` was changed. */
export function setRows(form: Form, rows: readonly McpRow[], changedId: string): Form {
  return forget({ ...form, rows }, (target) => target.at === 'mcp' && target.id === changedId);
}

/** Changes a row of that list. */
export function setRow(form: Form, id: string, change: (row: McpRow) => Partial<McpRow>): Form {
  return setRows(form, changeRow(form.rows, id, change), id);
}

function forget(form: Form, about: (target: ErrorTarget) => boolean): Form {
  return { ...form, refused: form.refused.filter(({ target }) => !about(target) && target.at !== 'form') };
}

/** Everything that differs from the service and can be sent. */
export function editsOf(form: Form): FormEdits {
  return {
    values: form.values,
    secrets: form.secrets,
    mcpServers: editedServers(form.model.mcpServers, form.rows),
    ...(Object.keys(form.more).length > 0 && { more: form.more }),
  };
}

export function isChanged(form: Form, field: PlainField | SecretField): boolean {
  return field in form.values || field in form.secrets || isUnreadable(form.texts[field]);
}

type Change = Exclude<ErrorTarget, { at: 'form' }>;
const changesByForm = new WeakMap<Form, readonly Change[]>();

/**
 * What the user changed, in the order of the form: fields, secrets and servers. A new order of the servers counts once.
 * Several parts of the page ask for it at each drawing, so it is found once for each form.
 */
export function changesOf(form: Form): readonly Change[] {
  const changes = changesByForm.get(form) ?? findChanges(form);
  changesByForm.set(form, changes);
  return changes;
}

function findChanges(form: Form): Change[] {
  const held = form.model.mcpServers;
  const fields = [...plainFields, ...secretFields]
    .filter((field) => isChanged(form, field))
    .map((field) => ({ at: 'field', field }) as const)
    .toSorted((one, other) => placeOf(one.field) - placeOf(other.field));
  const rows = form.rows
    .filter((row) => rowState(held, row) !== 'same')
    .map(({ server, deleted }) => rowTarget(server.id, deleted));
  const [first] = form.rows;
  const order = first && isReordered(held, form.rows) ? [rowTarget(first.server.id, first.deleted)] : [];
  const before = fields.filter(({ field }) => placeOf(field) < sections.indexOf('mcp'));
  return [...before, ...rows, ...order, ...fields.slice(before.length), ...moreChanges(form)];
}

function placeOf(field: PlainField | SecretField): number {
  return sections.indexOf(fieldSection(field));
}

/** A row as a whole; of a deleted one only the button that keeps it takes the focus. */
function rowTarget(id: string, deleted: boolean) {
  return { at: 'mcp', id, member: deleted ? 'keep' : 'toggle' } as const;
}

export function changeCount(form: Form): number {
  return changesOf(form).length;
}

/** Everything wrong with the user's changes, in the order of the form. */
export function problemsOf(form: Form): FoundProblem[] {
  const fields = plainFields.flatMap((field): FoundProblem[] => {
    const message = isUnreadable(form.texts[field])
      ? notANumber()
      : field in form.values
        ? refusal(fieldTable[field].schema, form.values[field])
        : undefined;
    return message === undefined ? [] : [{ target: { at: 'field', field }, message, quiet: false }];
  });
  return [...fields, ...rowProblems(form.model.mcpServers, form.rows), ...moreFormProblems(form)];
}

/** The problems to show: those found here and those the service found. */
export function shownProblems(form: Form, saveWasTried: boolean): Problem[] {
  const found = problemsOf(form).filter((problem) => saveWasTried || !problem.quiet);
  return [...found, ...form.refused];
}

export function messagesFor(problems: readonly Problem[], about: (target: ErrorTarget) => boolean): string[] {
  return problems.filter(({ target }) => about(target)).map(({ message }) => message);
}

/** Where to go for the first of these problems: to a value if one is wrong, else to what all of them are about. */
export function firstPlace(problems: readonly Problem[]): ErrorTarget | undefined {
  return (problems.find(({ target }) => target.at !== 'form') ?? problems[0])?.target;
}
