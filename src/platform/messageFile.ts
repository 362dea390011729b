import * as vscode from 'vscode';
import { messageScheme, stateIds } from '../ids';

/** What a message was begun with. */
export interface MessageContext {
  /** The sandbox whose row it was begun at. */
  readonly sandboxId?: string;
  /** The file that was in front of the user, as a URI. */
  readonly about?: string;
}

interface Kept {
  readonly text: string;
  /** Milliseconds since the epoch; the editor tells versions apart by it. */
  readonly savedAt: number;
  readonly context: MessageContext;
}

const nothing: Kept = { text: '', savedAt: 0, context: {} };

/** The one file of its scheme; its name is the editor's title. Asked for before our own words are read, so by the editor's. */
export const messageUri = (): vscode.Uri =>
  vscode.Uri.from({ scheme: messageScheme, path: `/${vscode.l10n.t('New conversation')}` });

/**
 * The message of a new conversation as a file of the editor's, kept with the window's state: so typing it is like typing
 * anything else, and it outlives the window.
 */
export class MessageFile implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly memento: vscode.Memento) {}

  get text(): string {
    return this.kept.text;
  }

  get context(): MessageContext {
    return this.kept.context;
  }

  async setContext(context: MessageContext): Promise<void> {
    await this.memento.update(stateIds.messageDraft, { ...this.kept, context });
  }

  async clear(): Promise<void> {
    await this.memento.update(stateIds.messageDraft, undefined);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: messageUri() }]);
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
    const { context } = this.find(uri);
    const kept: Kept = { text: Buffer.from(content).toString(), savedAt: Date.now(), context };
    await this.memento.update(stateIds.messageDraft, kept);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [[messageUri().path.slice(1), vscode.FileType.File]];
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private get kept(): Kept {
    return this.memento.get<Kept>(stateIds.messageDraft) ?? nothing;
  }

  private find(uri: vscode.Uri): Kept {
    if (uri.path !== messageUri().path) throw vscode.FileSystemError.FileNotFound(uri);
    return this.kept;
  }
}
