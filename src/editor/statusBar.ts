import * as vscode from 'vscode';
import { commandIds, viewContainerId, type CommandId } from '../ids';
import { markdownText } from '../shared/markdownText';

/** A line of the tooltip that runs a command. */
export interface StatusBarLink {
  readonly title: string;
  readonly command: CommandId;
  readonly argument?: unknown;
}

/** What the extension's one status bar item says. */
export interface StatusBarContent {
  readonly text: string;
  /** One line each, plain text. */
  readonly tooltip: readonly (string | StatusBarLink)[];
  /** True when something needs the user. */
  readonly attention: boolean;
  /** What a click does; without it the views open. */
  readonly action?: StatusBarLink;
}

/** The only commands that a link of the tooltip can run, whatever its text holds. */
const linked: readonly CommandId[] = [
  commandIds.conversationReview,
  commandIds.sessionSetKey,
  commandIds.sessionSignIn,
  commandIds.viewRefresh,
  commandIds.logsShow,
];

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private shown: string | undefined;

  constructor(name: string) {
    this.item = vscode.window.createStatusBarItem('agentWorkspace.status', vscode.StatusBarAlignment.Left, 0);
    this.item.name = name;
  }

  /** Shows `content`, or nothing. */
  show(content: StatusBarContent | undefined): void {
    const key = JSON.stringify(content);
    if (key === this.shown) return;
    this.shown = key;
    if (!content) {
      this.item.hide();
      return;
    }
    const { text, tooltip, attention, action } = content;
    this.item.text = text;
    this.item.tooltip = tooltipMarkdown(tooltip);
    this.item.accessibilityInformation = { label: spoken(content) };
    this.item.command = action
      ? { title: action.title, command: action.command, arguments: [action.argument] }
      : `workbench.view.extension.${viewContainerId}`;
    this.item.backgroundColor = attention
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

/** Icons are not read aloud; the words of the tooltip are. */
function spoken({ tooltip }: StatusBarContent): string {
  return tooltip.map((line) => (typeof line === 'string' ? line : line.title)).join(', ');
}

/** The lines of the tooltip, with the text of all of them escaped. */
function tooltipMarkdown(lines: StatusBarContent['tooltip']): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = { enabledCommands: linked };
  for (const line of lines) {
    if (typeof line === 'string') markdown.appendMarkdown(markdownText(line));
    else markdown.appendMarkdown(linkMarkdown(line));
    markdown.appendMarkdown('\n\n');
  }
  return markdown;
}

function linkMarkdown({ title, command, argument }: StatusBarLink): string {
  // A parenthesis would end the link, and no URI encoding touches it.
  const args = encodeURIComponent(JSON.stringify(argument === undefined ? [] : [argument])).replace(
    /[()]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `[${markdownText(title)}](command:${command}?${args})`;
}
