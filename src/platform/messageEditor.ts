import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, messageScheme } from '../ids';
import { messageUri, type MessageContext, type MessageFile } from './messageFile';

/** The editor in which the message of a new conversation is written. There is one; what is in it stays until it is sent. */
export class MessageEditor implements vscode.Disposable {
  private readonly hint = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('input.placeholderForeground') },
  });
  private readonly subscriptions = [
    this.hint,
    vscode.languages.registerCodeLensProvider({ scheme: messageScheme }, { provideCodeLenses: actions }),
    vscode.window.onDidChangeVisibleTextEditors(() => this.showHint()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isMessage(document.uri)) this.showHint();
    }),
  ];

  constructor(private readonly file: MessageFile) {
    this.showHint();
  }

  get context(): MessageContext {
    return this.file.context;
  }

  /** What is in the editor, or was when it was last closed; without white space around it. */
  get text(): string {
    return (this.document?.getText() ?? this.file.text).trim();
  }

  /** Shows the editor with what is in it, and remembers what the message was begun with. */
  async begin(context: MessageContext): Promise<void> {
    await this.file.setContext(context);
    await this.show();
  }

  /** Shows the editor with `text` below what is in it already; the cursor stands above `text`. */
  async add(text: string): Promise<void> {
    const editor = await this.show();
    const { document } = editor;
    const present = document.getText().trimEnd();
    const end = document.validatePosition(new vscode.Position(document.lineCount, 0));
    const start = document.positionAt(present.length);
    await editor.edit((edit) => edit.replace(new vscode.Range(start, end), `\n\n${text}\n`));
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start));
  }

  /** Shows the editor with a message that could not be sent, below what is in it already. */
  async restore(message: string): Promise<void> {
    const present = this.text;
    if (present !== '' && present !== message) {
      await this.add(message);
      return;
    }
    const editor = await this.show();
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    if (present === '') await editor.edit((edit) => edit.replace(whole, message));
  }

  /** Keeps what is in the editor, as saving does. */
  async keep(): Promise<void> {
    if (this.document?.isDirty) await this.document.save();
  }

  /** Closes the editor; what is in it is there again the next time. */
  async close(): Promise<void> {
    // One that is not saved would ask.
    await this.keep();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof vscode.TabInputText && isMessage(input.uri)),
    );
  }

  /** Closes the editor and forgets what was in it. */
  async discard(): Promise<void> {
    await this.close();
    await this.file.clear();
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

  private showHint(): void {
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
    ? l10n.t('What should the agent do? It may stay empty: the conversation then waits for you.')
    : l10n.t('What should the agent do with this?');
}

/** What can be done with the message, in words above it; the editor's title has the same as icons. */
function actions(): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    { command: commandIds.conversationSendMessage, title: `$(play) ${l10n.t('Start Conversation')}` },
    { command: commandIds.conversationCancelMessage, title: `$(close) ${l10n.t('Cancel')}` },
  ].map((command) => new vscode.CodeLens(top, command));
}

/** True for the message's own document. */
export function isMessage(uri: vscode.Uri): boolean {
  return uri.scheme === messageScheme;
}
