import * as vscode from 'vscode';
import type { ServedPage } from '../model/loopback';

/**
 * A page of a sandbox that this computer serves and the window shows: one at a time, and only as long as its tab is
 * open.
 */
export class ServedPages implements vscode.Disposable {
  private page: ServedPage | undefined;
  private isShown = false;
  private before = new Set<vscode.Tab>();
  private readonly following = vscode.window.tabGroups.onDidChangeTabs(() => this.look());

  /** @param show opens the page in a tab of the editor */
  async open(serving: Promise<ServedPage>, show: (url: URL) => Promise<void>): Promise<void> {
    const page = await serving;
    this.close();
    this.page = page;
    this.before = new Set(tabs());
    await show(page.url);
    this.look();
  }

  dispose(): void {
    this.following.dispose();
    this.close();
  }

  /** Closes the page once its tab is gone. The tab may appear only after the command that opens it has ended. */
  private look(): void {
    const isThere = tabs().some((tab) => mayShowPage(tab) && (isBrowser(tab) || !this.before.has(tab)));
    if (this.isShown && !isThere) this.close();
    else if (this.page) this.isShown = isThere;
  }

  private close(): void {
    this.page?.close();
    this.page = undefined;
    this.isShown = false;
  }
}

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);

/** The editor doesn’t tell what is in the tab of its newer browser. */
const mayShowPage = ({ input }: vscode.Tab) => input === undefined || input instanceof vscode.TabInputWebview;

const isBrowser = ({ input }: vscode.Tab) =>
  input instanceof vscode.TabInputWebview && input.viewType.includes('simpleBrowser');
