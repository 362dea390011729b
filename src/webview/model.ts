import { fieldTable } from '../shared/fields';
import type { ErrorTarget, FormEdits, FormModel, SecretTarget } from '../shared/form';
import type { Problem } from '../shared/messages';
import {
  plainFields,
  plainFieldSchemas,
  secretFields,
  type PlainField,
  type PlainValues,
  type SecretField,
  type SecretIntention,
} from '../shared/settings';
import { isUnreadable, notANumber, parseNumber } from './numbers';
import { refusal, rowProblems, type FoundProblem } from './rowProblems';
import { isReordered } from './moving';
import { editedServers, rowsOf, rowState, setRowSecret, type McpRow } from './rows';

/** The form: what the service holds and what the user made of it. Immutable; every function answers a new one. */
export interface Form {
  readonly document: string;
  readonly service: string;
  readonly model: FormModel;
  readonly values: Partial<PlainValues>;
  /** What is typed into the inputs of numbers, as it is written there. */
  readonly texts: Partial<Record<PlainField, string>>;
  readonly secrets: FormEdits['secrets'];
  readonly rows: readonly McpRow[];
  /** What the last save was refused for; a problem goes when its control is changed. */
  readonly refused: readonly Problem[];
}

/** Fields of one kind of value. */
export type FieldOf<Value> = { [F in PlainField]: PlainValues[F] extends Value ? F : never }[PlainField];

export function openForm(
  opened: { document: string; service: string; model: FormModel; edits: FormEdits },
  texts: Form['texts'] = {},
): Form {
  const { model, edits } = opened;
  return {
    document: opened.document,
    service: opened.service,
    model,
    values: edits.values,
    texts,
    secrets: edits.secrets,
    rows: rowsOf(model.mcpServers, edits.mcpServers),
    refused: [],
  };
}

/** Numbers that cannot be read are no edits, but come along to another reading all the same. */
export function withUnreadable(form: Form, former: Form): Form {
  const texts = Object.fromEntries(Object.entries(former.texts).filter(([, text]) => isUnreadable(text)));
  const rows = form.rows.map((row) => {
    const timeoutText = former.rows.find(({ server }) => server.id === row.server.id)?.timeoutText;
    return timeoutText !== undefined && isUnreadable(timeoutText) ? { ...row, timeoutText } : row;
  });
  return { ...form, texts, rows };
}

export function valueOf<F extends PlainField>(form: Form, field: F): PlainValues[F] {
  const edited = form.values[field];
  return edited === undefined ? form.model.values[field] : edited;
}

/** What stands in the input of a text or number. */
export function textOf(form: Form, field: PlainField): string {
  return form.texts[field] ?? String(valueOf(form, field) ?? '');
}

/** Sets a value; one that is what the service holds already is no edit. */
export function setValue<F extends PlainField>(form: Form, field: F, value: PlainValues[F]): Form {
  const { [field]: _before, ...rest } = form.values;
  const before = form.model.values[field];
  const same = value === before || (isEmpty(value) && isEmpty(before));
  const values = same ? (rest as Partial<PlainValues>) : { ...form.values, [field]: value };
  return forget({ ...form, values }, (target) => target.at === 'field' && target.field === field);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '';
}

/** Takes over what was typed into an input. */
export function setText(form: Form, field: FieldOf<string | number | null>, text: string): Form {
  const { control, emptied = null } = fieldTable[field];
  if (control === 'text' || control === 'suggestions') {
    return setValue(form, field, text === '' ? emptied : text);
  }
  const number = parseNumber(text);
  return {
    ...setValue(form, field, number === undefined ? form.model.values[field] : number),
    texts: { ...form.texts, [field]: text },
  };
}

/** What is to become of the secret that `target` names. */
export function setSecret(form: Form, target: SecretTarget, intention: SecretIntention): Form {
  if (target.at !== 'field') {
    const rows = setRowSecret(form.rows, target.id, target.at === 'mcpEnv' ? target.name : null, intention);
    return setRows(form, rows, target.id);
  }
  const { [target.field]: _before, ...rest } = form.secrets;
  const secrets = intention === 'keep' ? rest : { ...rest, [target.field]: intention };
  return forget({ ...form, secrets }, (other) => other.at === 'field' && other.field === target.field);
}

/** Takes over the list of MCP servers, of which the one with `changedId` was changed. */
export function setRows(form: Form, rows: readonly McpRow[], changedId: string): Form {
  return forget({ ...form, rows }, (target) => target.at === 'mcp' && target.id === changedId);
}

function forget(form: Form, about: (target: ErrorTarget) => boolean): Form {
  return { ...form, refused: form.refused.filter(({ target }) => !about(target) && target.at !== 'form') };
}

/** All that differs from what the service holds and can be sent. */
export function editsOf(form: Form): FormEdits {
  return {
    values: form.values,
    secrets: form.secrets,
    mcpServers: editedServers(form.model.mcpServers, form.rows),
  };
}

export function isChanged(form: Form, field: PlainField | SecretField): boolean {
  return field in form.values || field in form.secrets || isUnreadable(form.texts[field as PlainField]);
}

/** How many fields, secrets and servers the user changed; another order of the servers counts once. */
export function changeCount(form: Form): number {
  const fields = [...plainFields, ...secretFields].filter((field) => isChanged(form, field));
  const rows = form.rows.filter((row) => rowState(form.model.mcpServers, row) !== 'same');
  const order = isReordered(form.model.mcpServers, form.rows) ? 1 : 0;
  return fields.length + rows.length + order;
}

/** All that is wrong with what the user changed, in the order of the form. */
export function problemsOf(form: Form): FoundProblem[] {
  const fields = plainFields.flatMap((field): FoundProblem[] => {
    const message = isUnreadable(form.texts[field])
      ? notANumber()
      : field in form.values
        ? refusal(plainFieldSchemas[field], form.values[field])
        : undefined;
    return message === undefined ? [] : [{ target: { at: 'field', field }, message, quiet: false }];
  });
  return [...fields, ...rowProblems(form.model.mcpServers, form.rows)];
}

/** The problems to show: those found here, and those that the service found. */
export function shownProblems(form: Form, saveWasTried: boolean): Problem[] {
  const found = problemsOf(form).filter((problem) => saveWasTried || !problem.quiet);
  return [...found, ...form.refused];
}

export function messagesFor(problems: readonly Problem[], about: (target: ErrorTarget) => boolean): string[] {
  return problems.filter(({ target }) => about(target)).map(({ message }) => message);
}
