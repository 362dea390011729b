import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { largestApplied } from '../../model/notApplied';
import type { Local } from '../../model/plan';
import type { ApplyTarget } from '../../model/planning';
import { hasModes } from './modes';
import { documentOf } from './text';

/** Reads files of a folder as they are when the reader is made, without following links. */
export class FolderReader implements ApplyTarget {
  readonly windows: boolean;
  private readonly listings = new Map<string, Promise<ReadonlyMap<string, vscode.FileType>>>();

  /** @param checkOut for changes that come from git */
  constructor(
    private readonly folder: vscode.Uri,
    readonly checkOut?: ApplyTarget['checkOut'],
  ) {
    // How another computer treats names isn't known.
    this.windows = folder.scheme !== 'file' || process.platform === 'win32';
  }

  read = async (path: string): Promise<Local> => {
    const names = path.split('/');
    for (const depth of names.keys()) {
      const isLast = depth === names.length - 1;
      const type = await this.typeOf(names.slice(0, depth).join('/'), names[depth] ?? '');
      if (type === undefined) return isUnsavedOnly(vscode.Uri.joinPath(this.folder, path)) ? unsaved : null;
      if (type === 'otherCase') return { blocked: 'otherCaseHere' };
      if ((type & vscode.FileType.SymbolicLink) !== 0) return { blocked: 'linkHere' };
      if (type !== (isLast ? vscode.FileType.File : vscode.FileType.Directory))
        return { blocked: 'folderHere' };
    }
    return this.readFile(vscode.Uri.joinPath(this.folder, path));
  };

  /** The type of the entry with a name in a folder; `otherCase` if it's listed under another spelling. */
  private async typeOf(parent: string, name: string): Promise<vscode.FileType | 'otherCase' | undefined> {
    const uri = vscode.Uri.joinPath(this.folder, parent);
    const listing = this.listings.get(parent) ?? listed(uri);
    this.listings.set(parent, listing);
    const type = (await listing).get(name);
    if (type !== undefined) return type;
    const isThere = await vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, name)).then(
      () => true,
      () => false,
    );
    return isThere ? 'otherCase' : undefined;
  }

  private async readFile(uri: vscode.Uri): Promise<Local> {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > largestApplied) return { blocked: 'tooLarge' };
      const executable = hasModes(this.folder) ? ((await lstat(uri.fsPath)).mode & 0o100) !== 0 : null;
      const document = documentOf(uri);
      if (!document?.isDirty && isUnsavedElsewhere(uri)) return unsaved;
      const content = document?.isDirty
        ? await vscode.workspace.encode(document.getText(), { encoding: document.encoding })
        : await vscode.workspace.fs.readFile(uri);
      return { content, executable };
    } catch {
      return { blocked: 'unreadHere' };
    }
  }
}

async function listed(uri: vscode.Uri): Promise<ReadonlyMap<string, vscode.FileType>> {
  return new Map(await vscode.workspace.fs.readDirectory(uri));
}

const unsaved = { blocked: 'unsavedHere' } as const;

/** Whether the editor holds a file that isn’t on the disk: a new one, or one that was deleted there. */
function isUnsavedOnly(uri: vscode.Uri): boolean {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const isHeld = [...textDocuments, ...notebookDocuments].some(
    ({ uri: own, isDirty }) =>
      isDirty && own.path === uri.path && (own.scheme === uri.scheme || own.scheme === 'untitled'),
  );
  return isHeld || isUnsavedElsewhere(uri);
}

/** Whether a notebook or another editor that isn’t text holds changes of a file. */
function isUnsavedElsewhere(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ isDirty, input }) => {
      const isOther = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook;
      return isDirty && isOther && input.uri.toString() === uri.toString();
    });
}
