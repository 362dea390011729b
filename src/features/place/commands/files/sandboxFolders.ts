import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { filesScheme } from '../../../../ids';
import { FileRefusal } from '../../model/fileRefusal';
import { hashOf, type SandboxFiles } from '../../model/files';
import type { PlaceChange } from '../../model/knownFiles';
import type { FileFacts } from '../../model/listing';
import { describeError } from '../../../../editor/errorText';
import { pathOf } from '../../../../editor/selection';
import { plainText } from '../../../../shared/plainText';
import { seenDocument, SeenFiles } from './seenFiles';

/** A folder of a sandbox that is open in the editor. */
export interface OpenFolder {
  files: SandboxFiles;
  /** Calls back when the agent may have changed files, until disposed. */
  follow: (changed: () => void) => vscode.Disposable;
}

type FileError = (uri: vscode.Uri) => vscode.FileSystemError;
const errors: Partial<Record<FileRefusal['reason'], FileError>> = {
  missing: (uri) => vscode.FileSystemError.FileNotFound(uri),
  exists: (uri) => vscode.FileSystemError.FileExists(uri),
  noFolder: (uri) => vscode.FileSystemError.FileNotADirectory(uri),
  isFolder: (uri) => vscode.FileSystemError.FileIsADirectory(uri),
};
const kinds: Record<PlaceChange['kind'], vscode.FileChangeType> = {
  created: vscode.FileChangeType.Created,
  changed: vscode.FileChangeType.Changed,
  deleted: vscode.FileChangeType.Deleted,
};
/** Of the address of what the sandbox has, beside what is being edited. */
const theirs = 'sandbox';

/** The files of sandboxes, as a file system of the editor. */
export class SandboxFolders implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly seen = new SeenFiles();

  /** @param open the folder with the authority of an address; throws if there’s none */
  constructor(private readonly open: (authority: string) => OpenFolder) {}

  watch(uri: vscode.Uri, { recursive }: { recursive: boolean }): vscode.Disposable {
    // The editor also watches each file that is open outside of a folder.
    const path = recursive ? uri.path : uri.path.slice(0, uri.path.lastIndexOf('/')) || '/';
    try {
      const { files, follow } = this.open(uri.authority);
      return follow(() => void this.refresh(uri.with({ query: '' }), files, path));
    } catch {
      return new vscode.Disposable(() => undefined);
    }
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.on(uri, async (files) => {
      // A save compares contents itself, so a modification time must not stop it.
      const isEdited = seenDocument(uri)?.isDirty === true;
      const shown = isEdited ? this.seen.of(uri)?.stat : undefined;
      if (shown) return shown;
      // What the editor asks next, for what is in a folder, says whether it’s there.
      const facts = files.knownFolder(uri.path) ?? (await files.stat(uri.path));
      return statOf(facts, files.isReachable && uri.query === '');
    });
  }

  readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.on(uri, async (files) =>
      [...(await files.list(uri.path))].map(([name, facts]) => [name, typeOf(facts)]),
    );
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.on(uri, async (files) => {
      const stat = statOf(await files.stat(uri.path), true);
      const content = await files.read(uri.path);
      if (uri.query === '') this.seen.read(uri, content, stat);
      return content;
    });
  }

  writeFile(
    uri: vscode.Uri,
    content: Uint8Array,
    { create, overwrite }: { create: boolean; overwrite: boolean },
  ): Promise<void> {
    return this.on(uri, async (files) => {
      const { path } = uri;
      if (uri.query !== '') throw vscode.FileSystemError.NoPermissions(uri);
      const document = seenDocument(uri);
      const own = document ? this.seen.of(uri)?.hash : undefined;
      const isEdit = create && overwrite && own !== undefined;
      const isNew = !isEdit && create && (await isMissing(files, path));
      // What the editor shows, or has just missed, is usually so: what isn’t is found out by the save itself.
      if ((isEdit || isNew) && (await isDone(files.write(path, content, isEdit ? own : null)))) {
        this.seen.saved(uri, content, statOf(await files.stat(path), true));
        this.tell(uri, isNew ? 'created' : 'changed');
        return;
      }
      files.forget();
      const there = await contentOf(files, path);
      if (there === undefined && !create) throw vscode.FileSystemError.FileNotFound(uri);
      if (there !== undefined && !overwrite) throw vscode.FileSystemError.FileExists(uri);
      await this.save(uri, {
        files,
        content,
        there,
        shown: own ?? (document ? undefined : there && hashOf(there)),
      });
      this.seen.saved(uri, content, statOf(await files.stat(path), true));
      this.tell(uri, there === undefined ? 'created' : 'changed');
    });
  }

  createDirectory(uri: vscode.Uri): Promise<void> {
    return this.on(uri, async (files) => {
      await files.createFolder(uri.path);
      this.tell(uri, 'created');
    });
  }

  delete(uri: vscode.Uri, { recursive }: { recursive: boolean }): Promise<void> {
    return this.on(uri, async (files) => {
      await files.delete(uri.path, recursive);
      this.tell(uri, 'deleted');
    });
  }

  rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }): Promise<void> {
    return this.on(from, async (files) => {
      if (from.authority !== to.authority)
        throw vscode.FileSystemError.NoPermissions(
          l10n.t('Files can’t be moved from one sandbox to another. Copy them instead.'),
        );
      await files.rename(from.path, to.path, overwrite);
      this.tell(from, 'deleted');
      this.tell(to, 'created');
    });
  }

  /** Tells the editor that files can be changed again, or no longer can. */
  async reached(authority: string): Promise<void> {
    const isOfIt = ({ uri }: { uri: vscode.Uri }) =>
      uri.scheme === filesScheme && uri.authority === authority;
    const open = vscode.workspace.textDocuments.filter(isOfIt);
    this.changed.fire(open.map(({ uri }) => ({ type: kinds.changed, uri })));
    // A folder that couldn’t be read has nothing in the Explorer until something seems to be new in it.
    for (const { uri } of vscode.workspace.workspaceFolders?.filter(isOfIt) ?? []) {
      const names = await this.readDirectory(uri).catch(() => []);
      this.changed.fire(
        names.map(([name]) => ({ type: kinds.created, uri: vscode.Uri.joinPath(uri, name) })),
      );
    }
  }

  dispose(): void {
    this.changed.dispose();
    this.seen.dispose();
  }

  /**
   * Replaces what the editor showed, or asks. Throws if the file isn’t to be saved.
   * @param of the new content; what is there now, if anything; and the hash of what the editor showed, if it’s known
   */
  private async save(
    uri: vscode.Uri,
    of: {
      files: SandboxFiles;
      content: Uint8Array;
      there: Uint8Array | undefined;
      shown: string | undefined;
    },
  ): Promise<void> {
    const { files, content } = of;
    const wanted = hashOf(content);
    let { there, shown: may } = of;
    for (;;) {
      const hash = there && hashOf(there);
      if (hash === wanted) return;
      if (hash !== undefined && hash !== may) {
        await this.ask(uri);
        may = hash;
      }
      if (await isDone(files.write(uri.path, content, hash ?? null))) return;
      files.forget();
      there = await contentOf(files, uri.path);
    }
  }

  /** Asks whether to overwrite what the agent wrote. Returns if so, and throws if not. */
  private async ask(uri: vscode.Uri): Promise<void> {
    const [compare, overwrite, discard] = [l10n.t('Compare'), l10n.t('Overwrite'), l10n.t('Discard Mine')];
    const changed = l10n.t('The agent changed this file after you opened it.');
    const detail = l10n.t('Overwriting replaces what the agent wrote. Discarding removes your edits.');
    const options = { modal: true, detail };
    // Several files may be saved at once.
    const question = `${plainText(pathOf(uri), 200)}: ${changed}`;
    const picked = await vscode.window.showWarningMessage(question, options, compare, overwrite, discard);
    if (picked === overwrite) return;
    if (picked === compare)
      void vscode.commands.executeCommand(
        'vscode.diff',
        uri.with({ query: theirs }),
        uri,
        l10n.t('{0} (sandbox ↔ yours)', posix.basename(uri.path)),
      );
    // Only after this save has failed.
    if (picked === discard) setImmediate(() => void discardEdits(uri));
    throw vscode.FileSystemError.Unavailable(changed);
  }

  private async refresh(uri: vscode.Uri, files: SandboxFiles, path: string): Promise<void> {
    const changes = await files.refresh(path).catch(() => []);
    if (changes.length === 0) return;
    this.changed.fire(
      changes.map(({ path: changed, kind }) => ({ type: kinds[kind], uri: uri.with({ path: changed }) })),
    );
  }

  /** The files that an address is one of. Throws a Refusal. */
  filesOf({ authority }: vscode.Uri): SandboxFiles {
    return this.open(authority).files;
  }

  /** Tells the editor what happened to a file. */
  tell(uri: vscode.Uri, kind: PlaceChange['kind']): void {
    this.changed.fire([{ type: kinds[kind], uri }]);
  }

  private async on<T>(uri: vscode.Uri, work: (files: SandboxFiles) => Promise<T>): Promise<T> {
    try {
      return await work(this.filesOf(uri));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) throw error;
      const known = error instanceof FileRefusal ? errors[error.reason]?.(uri) : undefined;
      throw known ?? vscode.FileSystemError.Unavailable(describeError(error).message);
    }
  }
}

/** Waits for a save; false if there is something else than was expected. */
async function isDone(save: Promise<void>): Promise<boolean> {
  try {
    await save;
    return true;
  } catch (error) {
    if (error instanceof FileRefusal && ['changed', 'missing', 'exists'].includes(error.reason)) return false;
    throw error;
  }
}

const saysMissing = (error: unknown) => error instanceof FileRefusal && error.reason === 'missing';

async function isMissing(files: SandboxFiles, path: string): Promise<boolean> {
  try {
    await files.stat(path);
    return false;
  } catch (error) {
    if (saysMissing(error)) return true;
    throw error;
  }
}

/** The content of a file; undefined if it isn’t there. */
async function contentOf(files: SandboxFiles, path: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (saysMissing(error)) return undefined;
    throw error;
  }
}

async function discardEdits(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri);
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

const { File, Directory, Unknown, SymbolicLink } = vscode.FileType;
const types: Record<FileFacts['kind'], vscode.FileType> = { file: File, folder: Directory, other: Unknown };

const typeOf = ({ kind, isLink }: FileFacts): vscode.FileType =>
  // The editor combines them as bits.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  isLink ? types[kind] | SymbolicLink : types[kind];

function statOf(facts: FileFacts, isWritable: boolean): vscode.FileStat {
  const stat = { type: typeOf(facts), ctime: 0, mtime: facts.modifiedAt, size: facts.size };
  return isWritable && facts.kind !== 'other'
    ? stat
    : { ...stat, permissions: vscode.FilePermission.Readonly };
}
