import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, messageScheme } from '../ids';
import type { QuotedSelection } from '../shared/selection';
import type { MessageContext } from '../shared/keptMessage';
import type { MessageFile } from './messageFile';

/** The editor for the message of a new conversation. There is one, and its text stays until it is sent or discarded. */
export class MessageEditor implements vscode.Disposable {
  private readonly hint = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('input.placeholderForeground') },
  });
  /** Says in a few words what a start would offer first, such as the repository. Nothing waits for it. */
  describe: () => Promise<string> = () => Promise.resolve('');
  private description = '';
  private readonly described = new vscode.EventEmitter<void>();
  private readonly subscriptions = [
    this.hint,
    this.described,
    vscode.languages.registerCodeLensProvider(
      { scheme: messageScheme },
      {
        provideCodeLenses: () => {
          void this.describeAgain();
          return actions(this.context, this.description);
        },
        onDidChangeCodeLenses: this.described.event,
      },
    ),
    vscode.window.onDidChangeVisibleTextEditors(() => this.dress()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isMessage(document.uri)) this.dress();
    }),
  ];

  constructor(private readonly file: MessageFile) {
    this.dress();
  }

  get context(): MessageContext {
    return this.file.context;
  }

  /** The selections that were added to the message. */
  get selections(): readonly QuotedSelection[] {
    return this.file.selections;
  }

  /** The text in the editor, or when it was last closed, without surrounding white space. */
  get text(): string {
    return (this.document?.getText() ?? this.file.text).trim();
  }

  /** Shows the editor and remembers where the message was started. */
  async begin(context: MessageContext): Promise<void> {
    await this.file.setContext(context);
    await this.show();
  }

  /** Adds a selection below the text in the editor. */
  async addSelection(selection: QuotedSelection): Promise<void> {
    await this.file.addSelection(selection);
    await this.add(selection.text);
  }

  /** Adds a quote below the text and leaves the cursor where it was, because the user is writing. */
  async addContext(quote: QuotedSelection): Promise<void> {
    await this.file.addSelection(quote);
    const editor = await this.show();
    const { selection } = editor;
    await this.insert(editor, editor.document.getText().replace(/[\r\n]+$/, ''), quote.text);
    editor.selection = selection;
  }

  private async describeAgain(): Promise<void> {
    const description = await this.describe().catch(() => '');
    if (description === this.description) return;
    this.description = description;
    this.described.fire();
  }

  /** Shows the editor with `text` below the text in it, and puts the cursor above `text`. */
  private async add(text: string): Promise<void> {
    const editor = await this.show();
    const start = await this.insert(editor, editor.document.getText().trimEnd(), text);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start));
  }

  /** Puts text below what is there, of which `kept` stays; resolves to the end of that. */
  private async insert(editor: vscode.TextEditor, kept: string, text: string): Promise<vscode.Position> {
    const { document } = editor;
    const end = document.validatePosition(new vscode.Position(document.lineCount, 0));
    const start = document.positionAt(kept.length);
    await editor.edit((edit) => edit.replace(new vscode.Range(start, end), `\n\n${text}\n`));
    return start;
  }

  /** Puts text at the cursor, in place of what is selected, as a paragraph of its own; the cursor is behind it then. */
  async insertText(text: string): Promise<void> {
    const editor = await this.show();
    const { document, selection } = editor;
    const isEmpty = document.getText().trim() === '';
    const place = isEmpty ? new vscode.Range(0, 0, document.lineCount, 0) : selection;
    const { start, end } = document.validateRange(place);
    const before = document.lineAt(start).text.slice(0, start.character);
    const after = document.lineAt(end).text.slice(end.character);
    const gap = (beside: string) => (beside.trim() === '' ? '' : '\n\n');
    const at = document.offsetAt(start) + gap(before).length + text.length;
    await editor.edit((edit) => edit.replace(place, gap(before) + text + gap(after)));
    const behind = document.positionAt(at);
    editor.selection = new vscode.Selection(behind, behind);
    editor.revealRange(new vscode.Range(behind, behind));
  }

  /** Shows the editor with a message that couldn't be sent, below the text in it. */
  async restore(message: string, context?: MessageContext): Promise<void> {
    if (context) await this.file.setContext(context);
    const current = this.text;
    if (current !== '' && current !== message) {
      await this.add(message);
      return;
    }
    const editor = await this.show();
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    if (current === '') await editor.edit((edit) => edit.replace(whole, message));
  }

  /** Saves the text in the editor. */
  async keep(): Promise<void> {
    if (this.document?.isDirty) await this.document.save();
  }

  /** Closes the editor and keeps its text for the next time. */
  async close(): Promise<void> {
    // The editor would ask whether to save.
    await this.keep();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof vscode.TabInputText && isMessage(input.uri)),
    );
  }

  /** Closes the editor and deletes its text. */
  async discard(): Promise<void> {
    await this.close();
    await this.file.clear(messageUri());
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private get document(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => isMessage(uri) && !isClosed);
  }

  private async show(): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(messageUri());
    return vscode.window.showTextDocument(document, { preview: false });
  }

  /** Shows the hint in an empty message. */
  private dress(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (!isMessage(editor.document.uri)) continue;
      const first = editor.document.lineAt(0);
      const after = { contentText: hintWords(editor.document) };
      editor.setDecorations(
        this.hint,
        first.isEmptyOrWhitespace ? [{ range: first.range, renderOptions: { after } }] : [],
      );
    }
  }
}

function hintWords(document: vscode.TextDocument): string {
  return document.getText().trim() === ''
    ? l10n.t('What should the agent do? {0} to start. Leave empty to begin without a task.', startKey())
    : l10n.t('What should the agent do with this? {0} to start.', startKey());
}

/** The keybinding of the manifest. */
function startKey(): string {
  return process.platform === 'darwin' ? l10n.t('Cmd+Enter') : l10n.t('Ctrl+Enter');
}

/** The actions for the message, above its text; the title of the editor has the same actions as icons. */
function actions({ changes }: MessageContext, description: string): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  // The editor draws an ordinary space after an icon without any width.
  const action = (command: string, icon: string, title: string) => ({
    command,
    title: `$(${icon})\u00a0${title}`,
  });
  // Without a command, that's only text.
  const note = (title: string) => ({ command: '', title });
  return [
    action(commandIds.conversationSendMessage, 'play', l10n.t('Start Conversation')),
    action(commandIds.conversationStartSeveral, 'layers', l10n.t('Start Several…')),
    action(commandIds.conversationAddContext, 'attach', l10n.t('Add Context…')),
    action(commandIds.conversationCancelMessage, 'trash', l10n.t('Discard')),
    action(commandIds.messageInsert, 'history', l10n.t('Earlier Messages and Templates…')),
    // Last, because they can be long, and the editor cuts off what doesn’t fit.
    ...(changes === undefined ? [] : [note(l10n.t('With your uncommitted changes'))]),
    ...(description === '' ? [] : [note(description)]),
  ].map((command) => new vscode.CodeLens(top, command));
}

/** The only file of its scheme; its name is the title of the editor. */
const messageUri = (): vscode.Uri =>
  vscode.Uri.from({ scheme: messageScheme, path: `/${l10n.t('New Agent Conversation')}` });

/** Whether a document is the message. */
export function isMessage(uri: vscode.Uri): boolean {
  return uri.scheme === messageScheme;
}
