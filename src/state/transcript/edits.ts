import * as l10n from '@vscode/l10n';
import type { FileChange, Result } from '../../api/events/event';
import type { DiffLine, EditDetail } from '../../shared/transcript';
import type { PlannedEdit } from './actions';
import { clipLine } from './clip';
import { type Diff, diffOf } from './diff';

/** Lines of a diff in a step, characters of one, and of all. */
const most = { lines: 60, line: 300, all: 4_000 };

/** The files that a result tells of with their contents, however many. */
export function changedFiles(result: Result): readonly FileChange[] {
  const { path, before, after, files, masked } = result;
  if (files) return files.some(({ isGone }) => isGone) ? [] : files;
  return path === null || after === null ? [] : [{ path, before, after, ...(masked && { masked }) }];
}

/** A change of one file, as it was planned or as it came out. */
interface Change {
  path: string;
  movedTo: string | undefined;
  change: PlannedEdit['change'];
  diff: Diff;
}

function planned(edit: PlannedEdit): Change {
  const { path, movedTo, change } = edit;
  return {
    path,
    movedTo,
    change,
    diff: 'lines' in edit ? counted(edit.lines) : diffOf(edit.before, edit.after),
  };
}

function made({ path, movedTo, before, after }: FileChange): Change {
  const change = before === null ? 'create' : after === null ? 'delete' : 'edit';
  return { path, movedTo, change, diff: diffOf(before ?? '', after ?? '') };
}

function counted(lines: readonly DiffLine[]): Diff {
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed'), lines: [...lines] };
}

/** What a step shows of an edit: how it came out, else as it was planned. */
export function editDetail(edits: readonly PlannedEdit[], result: Result | undefined): EditDetail {
  const files = result ? changedFiles(result) : [];
  const changes = files.length > 0 ? files.map(made) : edits.map(planned);
  const [first] = changes;
  const sum = (of: (diff: Diff) => number) => changes.reduce((total, { diff }) => total + of(diff), 0);
  // A replacement’s result without a file’s earlier contents doesn’t say that there was no file.
  const isNew = first?.change === 'create' && (result?.files !== undefined || edits[0]?.change !== 'edit');
  const isOne = changes.length === 1;
  return {
    step: 'edit',
    path: (files.length === 0 ? result?.path : undefined) ?? first?.path ?? '',
    isNew: isOne && isNew,
    ...(isOne && first?.change === 'delete' && { isDeleted: true }),
    ...(!isOne && { files: changes.length }),
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    diff: shownLines(linesOf(changes)),
    hasContents: files.length > 0 && files.every(({ isPart }) => !isPart),
  };
}

/** The lines of all changes, each file’s below its path unless there’s only one that stays where it is. */
function linesOf(changes: readonly Change[]): DiffLine[] {
  const [only, ...others] = changes;
  if (only && others.length === 0 && only.movedTo === undefined) return only.diff.lines;
  return changes.flatMap((change): DiffLine[] => [
    { kind: 'file', text: fileLine(change) },
    ...change.diff.lines,
  ]);
}

function fileLine({ path, movedTo, change }: Change): string {
  if (movedTo !== undefined) return `${path} → ${movedTo}`;
  if (change === 'create') return l10n.t('{0} (new)', path);
  return change === 'delete' ? l10n.t('{0} (deleted)', path) : path;
}

/** Every line that an edit replaces or adds, and every other one that it has, for approval. */
export function wholeLines(edits: readonly PlannedEdit[]): DiffLine[] {
  const changes = edits.map((edit) => ({
    path: edit.path,
    movedTo: edit.movedTo,
    change: edit.change,
    diff: counted('lines' in edit ? edit.lines : replaced(edit.before, edit.after)),
  }));
  return linesOf(changes);
}

function replaced(before: string, after: string): DiffLine[] {
  const lines = (kind: DiffLine['kind'], text: string): DiffLine[] =>
    text === '' ? [] : text.split('\n').map((line) => ({ kind, text: line }));
  return [...lines('removed', before), ...lines('added', after)];
}

/** What fits a card, with a gap for the rest. The texts are copies: a part of a text keeps all of it in memory. */
function shownLines(lines: readonly DiffLine[]): DiffLine[] {
  const shown: DiffLine[] = [];
  let left = most.all;
  for (const { kind, text } of lines.slice(0, most.lines)) {
    const short = clipLine(text, most.line);
    left -= short.length;
    if (left < 0) break;
    shown.push({ kind, text: short });
  }
  const copies = JSON.parse(JSON.stringify(shown)) as DiffLine[];
  return shown.length < lines.length ? [...copies, { kind: 'gap', text: '' }] : copies;
}
