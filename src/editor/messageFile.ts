import * as vscode from 'vscode';
import { stateIds } from '../ids';
import type { QuotedSelection } from '../shared/selection';
import { nextRevision } from '../shared/soundTime';
import { parseMessage, storedMessage, type KeptMessage, type MessageContext } from '../shared/keptMessage';
import { VirtualFiles } from './virtualFiles';

/**
 * The message of a new conversation, as a file for the editor, so people can type it like anything else. It's kept in
 * the workspace state, so it outlives the window.
 */
export class MessageFile extends VirtualFiles implements vscode.FileSystemProvider {
  constructor(private readonly memento: vscode.Memento) {
    super();
  }

  get text(): string {
    return this.kept.text;
  }

  get context(): MessageContext {
    return this.kept.context;
  }

  /** The selections that were added to the message. */
  get selections(): readonly QuotedSelection[] {
    return this.kept.selections;
  }

  async setContext(context: MessageContext): Promise<void> {
    await this.keep({ ...this.kept, context });
  }

  async addSelection(selection: QuotedSelection): Promise<void> {
    const selections = [...this.selections, selection];
    await this.keep({ ...this.kept, selections });
  }

  async clear(uri: vscode.Uri): Promise<void> {
    await this.memento.update(stateIds.messageDraft, undefined);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    if (uri.path === '/') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { text, savedAt } = this.find(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: savedAt, size: Buffer.byteLength(text) };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return Buffer.from(this.find(uri).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const text = Buffer.from(content).toString();
    const before = this.find(uri);
    const kept: KeptMessage = { ...before, text, savedAt: nextRevision(before.savedAt) };
    await this.keep(kept);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  private async keep(message: KeptMessage): Promise<void> {
    const stored = this.memento.get<unknown>(stateIds.messageDraft);
    await this.memento.update(stateIds.messageDraft, storedMessage(message, stored));
  }

  private get kept(): KeptMessage {
    return parseMessage(this.memento.get<unknown>(stateIds.messageDraft));
  }

  /**
   * Accepts any name, since the file is named in the editor's language at the time. A leading dot means that the editor
   * is looking for a file of its own.
   */
  private find(uri: vscode.Uri): KeptMessage {
    if (!/^\/[^/.][^/]*$/.test(uri.path)) throw vscode.FileSystemError.FileNotFound(uri);
    return this.kept;
  }
}
