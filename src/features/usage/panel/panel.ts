import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { panelTypes } from '../../../ids';
import { errorWords } from '../../../editor/errorText';
import { setPanelIcon } from '../../../editor/panelIcon';
import { closeLeftTab, fillPanel } from '../../../editor/webviewPanel';
import { UsageHost, type UsagePorts } from './usageHost';

interface UsagePanelNeeds extends Pick<UsagePorts, 'sources'> {
  extensionUri: vscode.Uri;
  log: vscode.LogOutputChannel;
}

/** The one panel with what conversations have used: opened, revealed again, or taken over after a reload. */
export class UsagePanel {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly needs: UsagePanelNeeds) {}

  /** Opens the panel or brings it to the front. */
  show(): void {
    if (this.panel) this.panel.reveal();
    else {
      const title = l10n.t('Usage');
      closeLeftTab('usage', title);
      this.restore(vscode.window.createWebviewPanel(panelTypes.usage, title, vscode.ViewColumn.Active));
    }
  }

  /** Fills a panel, such as one that the editor brought back. */
  restore(panel: vscode.WebviewPanel): void {
    this.panel?.dispose();
    const { extensionUri, log, sources } = this.needs;
    const host = new UsageHost({
      post: (message) => void panel.webview.postMessage(message),
      sources,
      describe: errorWords,
      refuse: (reason) => log.warn(`Refused a message from the usage page: ${reason}`),
    });
    this.panel = panel;
    panel.webview.onDidReceiveMessage((data: unknown) => host.handle(data));
    panel.onDidDispose(() => {
      host.dispose();
      if (this.panel === panel) this.panel = undefined;
    });
    setPanelIcon(panel, 'usage');
    fillPanel(panel, extensionUri, 'usage');
  }

  dispose(): void {
    this.panel?.dispose();
  }
}
