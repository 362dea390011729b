import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type PanelName, panelTypes } from '../ids';
import { readTranslation } from './translations';
import { pageHtml } from './html';

/**
 * Loads a page into a panel: the script and style sheet named `page` in `dist/webview`, and nothing else. The page says
 * when it has loaded, each time the panel becomes visible.
 */
export function fillPanel(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, page: PanelName): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const { webview } = panel;
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  const uriOf = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
  webview.html = pageHtml({
    cspSource: webview.cspSource,
    scriptUri: uriOf(`${page}.js`),
    styleUri: uriOf(`${page}.css`),
    nonce: randomBytes(18).toString('base64'),
    language: vscode.env.language,
    title: panel.title,
    translations: readTranslation(extensionUri.fsPath, vscode.env.language),
  });
}

/**
 * Closes the tab of a panel that is about to open again: after a reload, the editor brings back a tab without telling the
 * extension, until somebody looks at it. Leaves all alone if several have the title.
 */
export function closeLeftTab(name: PanelName, title: string): void {
  const left = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ label, input }) =>
        label === title &&
        input instanceof vscode.TabInputWebview &&
        input.viewType.endsWith(panelTypes[name]),
    );
  if (left.length === 1) void vscode.window.tabGroups.close(left, true);
}
