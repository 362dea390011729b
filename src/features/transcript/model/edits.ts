import * as l10n from '@vscode/l10n';
import type { FileChange, Result } from '../../../api/events/event';
import { codeOf } from '../../../shared/exposed';
import type { DiffLine, EditDetail } from '../../../shared/transcript';
import type { PlannedEdit } from './actions';
import { clipLine } from './clip';
import { counted, type Diff, diffOf, wholeDiffOf, withGaps } from './diff';

/** Lines of a diff in a step, characters of one, and of all; characters of a path. */
const most = { lines: 60, line: 300, all: 4_000, path: 4_000 };

/** All files that a result reports with their contents. */
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

function planned(edit: PlannedEdit, compare = diffOf): Change {
  const { path, movedTo, change } = edit;
  return {
    path,
    movedTo,
    change,
    diff: 'lines' in edit ? counted(edit.lines) : compare(edit.before, edit.after),
  };
}

function made({ path, movedTo, before, after }: FileChange): Change {
  const change = before === null ? 'create' : after === null ? 'delete' : 'edit';
  return { path, movedTo, change, diff: diffOf(before ?? '', after ?? '') };
}

/** What a step shows of an edit: how it came out, else as it was planned. */
export function editDetail(edits: readonly PlannedEdit[], result: Result | undefined): EditDetail {
  const files = result ? changedFiles(result) : [];
  const changes = files.length > 0 ? files.map(made) : edits.map((edit) => planned(edit));
  const [first] = changes;
  const sum = (of: (diff: Diff) => number) => changes.reduce((total, { diff }) => total + of(diff), 0);
  // A replacement’s result without a file’s earlier contents doesn’t say that there was no file.
  const isNew = first?.change === 'create' && (result?.files !== undefined || edits[0]?.change !== 'edit');
  const isOne = changes.length === 1;
  return {
    step: 'edit',
    path: clipLine((files.length === 0 ? result?.path : undefined) ?? first?.path ?? '', most.path),
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

/** A path in which nothing passes for our words about files. */
const wordless = (path: string): string => path.replace(/→|[(（](?=[^()]*[)）]$)/g, codeOf);

function fileLine(file: Change): string {
  const { movedTo, change } = file;
  const path = wordless(file.path);
  if (movedTo !== undefined) return `${path} → ${wordless(movedTo)}`;
  if (change === 'create') return l10n.t('{0} (new)', path);
  return change === 'delete' ? l10n.t('{0} (deleted)', path) : path;
}

/** Every line that edits add or remove, for approval; of the unchanged ones only those around them. */
export function wholeDiff(edits: readonly PlannedEdit[]): Diff {
  const changes = edits.map((edit) => {
    const change = planned(edit, wholeDiffOf);
    return { ...change, diff: { ...change.diff, lines: withGaps(change.diff.lines, unchangedWords) } };
  });
  return counted(linesOf(changes));
}

const unchangedWords = (count: number): string =>
  count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', count);

/** Both sides of edits as they are planned, for the editor’s diff: what is to be replaced, and what comes instead. */
export function plannedSides(edits: readonly PlannedEdit[]): { before: string; after: string } {
  const [edit, ...others] = edits;
  if (edit && others.length === 0 && 'before' in edit && edit.movedTo === undefined)
    return { before: edit.before, after: edit.after };
  const lines = linesOf(edits.map((one) => planned(one, wholeDiffOf)));
  const side = (without: DiffLine['kind']) =>
    lines
      .flatMap(({ kind, text }) => (kind === without ? [] : [kind === 'gap' ? `⋯ ${text}` : text]))
      .join('\n');
  return { before: side('added'), after: side('removed') };
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
