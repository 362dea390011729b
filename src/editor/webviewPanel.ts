import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type PanelName, panelTypes, stateIds } from '../ids';
import { membersOf } from '../shared/membersOf';
import { readTranslation } from './translations';
import { pageHtml } from './html';

/**
 * Loads a page into a panel: the script and style sheet named `page` in `dist/webview`, the style sheet of all
 * pages, and nothing else. The page says
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
    styleUris: [uriOf('base.css'), uriOf(`${page}.css`)],
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

/** How many tabs are remembered, those that were opened last. */
const mostTabs = 200;

/**
 * The open tabs of a kind, by a key of what they show. Their titles outlive the window: of a tab that a reload left, the
 * editor tells no more than its title.
 */
export class OpenTabs<T extends { readonly panel: Pick<vscode.WebviewPanel, 'title'> }> extends Map<
  string,
  T
> {
  constructor(
    private readonly name: PanelName,
    private readonly memento: Pick<vscode.Memento, 'get' | 'update'>,
  ) {
    super();
  }

  private get titles(): [string, unknown][] {
    return Object.entries(membersOf(this.memento.get<unknown>(stateIds.tabs + this.name)));
  }

  /** Also after its title has changed. */
  override set(key: string, one: T): this {
    this.keep(key, one.panel.title);
    return super.set(key, one);
  }

  override delete(key: string): boolean {
    this.keep(key, undefined);
    return super.delete(key);
  }

  /** Closes the tab that a reload left of what is about to open, if its title says for certain that it’s that one. */
  closeLeft(key: string): void {
    const { titles } = this;
    const title = titles.find(([one]) => one === key)?.[1];
    const isOnly = titles.filter(([, one]) => one === title).length === 1;
    if (typeof title === 'string' && isOnly) closeLeftTab(this.name, title);
  }

  private keep(key: string, title: string | undefined): void {
    const others = this.titles.filter(([one]) => one !== key);
    const all = title === undefined ? others : [...others, [key, title]];
    void this.memento.update(stateIds.tabs + this.name, Object.fromEntries(all.slice(-mostTabs)));
  }
}
