import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Hunk } from '../../../../core/text/hunk';
import { isSelectionOf } from '../../../../core/text/lines';
import { type Operation, operationsOf } from '../../model/operations';
import { isBinary } from '../../model/merge';
import { type FileOutcome, outcomeOf, outcomeOfFailed, type PreparedChange } from '../../model/outcome';
import { localContent, type PlannedChange } from '../../model/plan';
import { sameBytes } from '../../model/same';
import { hasModes, setExecutable } from './modes';
import { FolderReader } from './reader';
import { documentOf, openText } from './text';

export interface AppliedChanges {
  results: Map<PlannedChange, FileOutcome>;
  /** Paths of files that undo doesn't restore. */
  lasting: string[];
  /** Paths of files that were changed while the preview was open, for which the editor changed nothing at all. */
  blocking: string[];
}

/**
 * Shows changes in the editor’s preview of refactorings and applies what the user leaves selected, as one step to undo.
 * Resolves to what became of each file, by reading it again; undefined if the user canceled.
 */
export async function applyToFolder(
  folder: vscode.Uri,
  changes: readonly PlannedChange[],
): Promise<AppliedChanges | undefined> {
  const { read } = new FolderReader(folder);
  const prepared = await Promise.all(
    changes.map(async (change) =>
      (await isAsPlanned(change, read))
        ? prepare(folder, change)
        : { change, open: undefined, operations: [], left: 'changed' as const },
    ),
  );
  await Promise.all(prepared.map((one) => guard(folder, one)));
  const wasLeft = prepared.map(({ left }) => left !== undefined);
  const hasEdits = prepared.some(({ operations }) => operations.length > 0);
  let isOver = !hasEdits;
  void watch(folder, prepared, () => isOver).catch(() => undefined);
  const isWhole =
    !hasEdits || (await vscode.workspace.applyEdit(editOf(folder, prepared), { isRefactoring: true }));
  isOver = true;
  await save(folder, prepared, isWhole);
  const reader = new FolderReader(folder);
  const results = await Promise.all(
    prepared.map(async (one) => [one.change, await finish(folder, reader, one, isWhole)] as const),
  );
  // The editor doesn’t tell whether the user canceled, or it failed midway.
  const found = results.filter(([, outcome], at) => outcome !== 'failed' && !wasLeft[at]);
  if (!isWhole && found.length === 0) return undefined;
  const isBlocked = !isWhole && found.every(([, outcome]) => outcome === 'changed');
  const blocking = isBlocked ? found.map(([{ path }]) => path) : [];
  return { results: new Map(results), lasting: lastingOf(prepared), blocking };
}

/** Whether nobody has changed the file since it was planned, here or in an editor. */
async function isAsPlanned(
  { path, from, before }: PlannedChange,
  read: FolderReader['read'],
): Promise<boolean> {
  if (from !== null && !sameBytes(localContent(await read(from)), before)) return false;
  return from === path || (await read(path)) === null;
}

/**
 * Opens a file that is edited in place: if it changes while the preview is open, the editor refuses the edits then. It
 * would make those of other files wherever their lines were.
 */
async function guard(folder: vscode.Uri, { operations: [first] }: PreparedChange): Promise<void> {
  if (first?.kind !== 'edit') return;
  const opening = vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, first.path));
  // What can’t be opened fails by itself, and keeps no other file from being changed.
  await opening.then(undefined, () => undefined);
}

/**
 * Discards the preview once another program has written a file that is to be moved and edited: the editor looks only at
 * where it goes, and would change whatever has its lines by then.
 */
async function watch(
  folder: vscode.Uri,
  prepared: readonly PreparedChange[],
  isOver: () => boolean,
): Promise<void> {
  const moved = prepared.filter(({ operations: [first, edit] }) => first?.kind === 'rename' && edit);
  while (moved.length > 0 && !isOver()) {
    const { read } = new FolderReader(folder);
    for (const one of moved) {
      const { from, before } = one.change;
      const now = localContent(await read(from ?? ''));
      // Once the user has confirmed, it’s gone.
      if (now && !sameBytes(now, before) && !isOver()) one.left = 'changed';
    }
    if (moved.some(({ left }) => left)) await vscode.commands.executeCommand('refactorPreview.discard');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Files that undo doesn't restore: those that are replaced, unless edits of text stand between delete and create. */
function lastingOf(prepared: readonly PreparedChange[]): string[] {
  const kindsOf = ({ operations }: PreparedChange) => operations.map(({ kind }) => kind);
  if (prepared.some((one) => kindsOf(one).includes('edit'))) return [];
  return prepared
    .filter((one) => one.change.from === one.change.path && kindsOf(one).includes('create'))
    .map(({ change }) => change.path);
}

async function prepare(folder: vscode.Uri, change: PlannedChange): Promise<PreparedChange> {
  const { from, before, after } = change;
  const isText =
    from !== null && before && after && !sameBytes(before, after) && !isBinary(before) && !isBinary(after);
  const open = isText ? await openText(vscode.Uri.joinPath(folder, from), before) : undefined;
  const operations = await operationsOf(change, open);
  const isReplaced = from !== null && operations.some(({ kind }) => kind === 'create');
  const isBlocked = isReplaced && isOpen(vscode.Uri.joinPath(folder, from));
  return { change, open, operations: isBlocked ? [] : operations, ...(isBlocked && { left: 'open' }) };
}

/** Whether a tab shows a file: replacing it would be a separate undo step, which blocks all others. */
function isOpen(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}

/**
 * All operations as one edit, so that one undo takes all of them back. The editor undoes adjacent file operations in
 * the order they were done, so text edits go between the ones that make room and the ones that need it.
 */
function editOf(folder: vscode.Uri, prepared: readonly PreparedChange[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const at = (path: string) => vscode.Uri.joinPath(folder, path);
  // Only an edit that needs confirmation brings up the preview, and it starts out deselected there. So this one, which the
  // editor leaves out because there is no such file, asks for all the others.
  edit.deleteFile(at(`.${randomUUID()}`), { ignoreIfNotExists: true }, metadata(0, true));
  const all = prepared.flatMap(({ change, operations }) =>
    operations.map((operation) => ({ operation, about: metadata(change.conflicts, false) })),
  );
  const order: Operation['kind'][] = ['delete', 'rename', 'edit', 'create'];
  for (const { operation, about } of order.flatMap((kind) =>
    all.filter((one) => one.operation.kind === kind),
  )) {
    const uri = at(operation.path);
    if (operation.kind === 'delete') edit.deleteFile(uri, {}, about);
    else if (operation.kind === 'rename') edit.renameFile(at(operation.from), uri, {}, about);
    else if (operation.kind === 'create') edit.createFile(uri, { contents: operation.content }, about);
    else edit.set(uri, textEdits(operation.lines, operation.hunks, about));
  }
  return edit;
}

function metadata(conflicts: number, needsConfirmation: boolean): vscode.WorkspaceEditEntryMetadata {
  const [label, icon] =
    conflicts > 0
      ? [l10n.t('Also changed here: conflicts are marked'), 'warning']
      : [l10n.t('Changes of the agent'), 'git-commit'];
  return { label, iconPath: new vscode.ThemeIcon(icon), needsConfirmation };
}

/**
 * Hunks as edits of a document. If the text doesn’t end with a line end, the last edit ends at the end of its last
 * line.
 */
function textEdits(
  lines: readonly string[],
  hunks: readonly Hunk[],
  about: vscode.WorkspaceEditEntryMetadata,
): [vscode.TextEdit, vscode.WorkspaceEditEntryMetadata][] {
  const last = lines.at(-1) ?? '';
  const end =
    last === '' || last.endsWith('\n')
      ? new vscode.Position(lines.length, 0)
      : new vscode.Position(lines.length - 1, last.length);
  const position = (line: number) => (line === lines.length ? end : new vscode.Position(line, 0));
  return hunks.map((hunk) => {
    const range = new vscode.Range(position(hunk.start), position(hunk.end));
    return [vscode.TextEdit.replace(range, hunk.lines.join('')), about];
  });
}

/** The editor saves refactorings by itself only if they are in several files. */
async function save(
  folder: vscode.Uri,
  prepared: readonly PreparedChange[],
  isWhole: boolean,
): Promise<void> {
  const edited = prepared.flatMap(({ operations, open }) => {
    const edit = operations.find((operation) => operation.kind === 'edit');
    const document = edit && documentOf(vscode.Uri.joinPath(folder, edit.path));
    // If the user left out a file, its unsaved changes stay unsaved.
    if (!document || document.getText() === open?.text) return [];
    // After a failure, it may only have what the user typed.
    const isOurs = isWhole || isSelectionOf(edit.lines, edit.hunks, document.getText());
    return isOurs ? [document] : [];
  });
  // The editor can take back edits of a single file only while it has that file open.
  const [only] = edited;
  if (only && edited.length === 1) await vscode.window.showTextDocument(only, { preview: false });
  for (const document of edited) if (document.isDirty) await document.save();
}

/** Compares what is there now with the plan, and sets the mode, which the editor can’t. */
async function finish(
  folder: vscode.Uri,
  { read }: FolderReader,
  prepared: PreparedChange,
  isWhole: boolean,
): Promise<FileOutcome> {
  const { change, operations, left } = prepared;
  if (left) return left;
  const found = await (isWhole ? outcomeOf : outcomeOfFailed)(prepared, read);
  // Another program wrote the file meanwhile, so that the editor doesn’t save it.
  const isUnsaved = documentOf(vscode.Uri.joinPath(folder, change.path))?.isDirty;
  if (found === 'done' && isUnsaved && operations.some(({ kind }) => kind === 'edit')) return 'changed';
  const isNew = operations.some(({ kind }) => kind === 'create');
  const mode = change.executable ?? (isNew ? change.wasExecutable : null);
  if (found !== 'done' || change.after === null || mode === null) return found;
  if (!hasModes(folder)) return 'withoutMode';
  try {
    await setExecutable(vscode.Uri.joinPath(folder, change.path), mode);
    return 'done';
  } catch {
    return 'withoutMode';
  }
}
