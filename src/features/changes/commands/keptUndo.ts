import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { readable } from '../../../shared/readable';
import type { Store } from '../../../core/basics/storedList';
import { type AppliedFile, type KeptFile, keptFileSchema } from '../model/undo';

const manifestSchema = z.object({ folder: z.string(), files: z.array(z.unknown()) });
const manifestName = 'manifest.json';

/** How long to keep what other windows stored, in milliseconds. */
const longestMs = 7 * 24 * 60 * 60 * 1_000;

/** The files that changes were last applied to. */
export interface UndoRecord {
  /** Unique. */
  name: string;
  folder: vscode.Uri;
  files: AppliedFile[];
  /** False if what some files were like can’t be read anymore. */
  isWhole: boolean;
}

/** How files were before changes were last applied to them, as files of the extension on this computer. */
export class KeptUndo {
  private readonly place: vscode.Uri;

  /** @param name stores the name of this workspace's record */
  constructor(
    storage: vscode.Uri,
    private readonly name: Store,
  ) {
    this.place = vscode.Uri.joinPath(storage, 'undo');
  }

  /** Replaces the previous record. Leaves nothing on disk if it fails. */
  async keep({ folder, files }: Omit<UndoRecord, 'name' | 'isWhole'>): Promise<UndoRecord> {
    await this.remove();
    await this.removeOld();
    const name = randomUUID();
    try {
      await this.write(name, folder, files);
    } catch (error) {
      await removeFolder(this.at(name));
      throw error;
    }
    this.name.write(name);
    return { name, folder, files, isWhole: true };
  }

  private async write(name: string, folder: vscode.Uri, files: readonly AppliedFile[]): Promise<void> {
    await vscode.workspace.fs.createDirectory(this.at(name));
    const kept = files.map((file, index) => ({ ...file, before: file.before && `${index}` }));
    for (const [index, { before }] of files.entries())
      if (before) await vscode.workspace.fs.writeFile(this.at(name, `${index}`), before);
    const manifest = JSON.stringify({ folder: folder.toString(), files: kept });
    await vscode.workspace.fs.writeFile(this.at(name, manifestName), Buffer.from(manifest));
  }

  /** Undefined if nothing is kept, or it can’t be read. */
  async read(): Promise<UndoRecord | undefined> {
    const name = this.known;
    if (name === undefined) return undefined;
    try {
      const text = Buffer.from(await vscode.workspace.fs.readFile(this.at(name, manifestName))).toString();
      const { folder, files } = manifestSchema.parse(JSON.parse(text));
      const known = readable(keptFileSchema, files);
      const read = await Promise.all(known.map((file) => this.contentOf(name, file)));
      const whole = read.filter((file) => file !== undefined);
      const isWhole = whole.length === files.length;
      if (!isWhole && whole.length === 0) return undefined;
      return { name, folder: vscode.Uri.parse(folder), files: whole, isWhole };
    } catch {
      return undefined;
    }
  }

  /** Undefined if what the file was like can’t be read. */
  private async contentOf(name: string, { before, ...file }: KeptFile): Promise<AppliedFile | undefined> {
    if (before === null) return { ...file, before };
    const content = vscode.workspace.fs.readFile(this.at(name, before));
    return content.then(
      (bytes) => ({ ...file, before: bytes }),
      () => undefined,
    );
  }

  /** @param name of the record; a newer one stays */
  async remove(name = this.known): Promise<void> {
    if (name === undefined || name !== this.known) return;
    this.name.write(undefined);
    await removeFolder(this.at(name));
  }

  /** Removes the records of workspaces that weren't opened again. */
  private async removeOld(): Promise<void> {
    const names = await vscode.workspace.fs.readDirectory(this.place).then(undefined, () => []);
    for (const [name] of names) {
      // Another window may have removed it since.
      const stat = await vscode.workspace.fs.stat(this.at(name)).then(undefined, () => undefined);
      if (stat && stat.mtime < Date.now() - longestMs) await removeFolder(this.at(name));
    }
  }

  private get known(): string | undefined {
    const name = this.name.read();
    return typeof name === 'string' ? name : undefined;
  }

  private at(...names: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.place, ...names);
  }
}

async function removeFolder(folder: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.delete(folder, { recursive: true }).then(undefined, () => undefined);
}
