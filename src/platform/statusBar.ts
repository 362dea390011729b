import * as vscode from 'vscode';
import { viewContainerId } from '../ids';

/** What the extension's one status bar item says. */
export interface StatusBarContent {
  text: string;
  tooltip: string;
  /** True when something needs the user. */
  attention: boolean;
}

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor(name: string) {
    this.item = vscode.window.createStatusBarItem('agentWorkspace.status', vscode.StatusBarAlignment.Left, 0);
    this.item.name = name;
    this.item.command = `workbench.view.extension.${viewContainerId}`;
  }

  /** Shows `content`, or nothing. */
  show(content: StatusBarContent | undefined): void {
    if (!content) {
      this.item.hide();
      return;
    }
    this.item.text = content.text;
    this.item.tooltip = content.tooltip;
    this.item.backgroundColor = content.attention
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}
