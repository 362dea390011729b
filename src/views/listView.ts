import * as vscode from 'vscode';
import type { ServiceModel, ListName } from '../state/serviceModel';
import type { Row } from './row';
import { RowTree, type RowElement } from './rowTree';

/** What a tree shows, once the parts behind it have been read. */
export interface ListViewContent {
  list: ListName;
  model: ServiceModel;
  rows: () => Row[];
  /** A sentence above the rows, when something is wrong with them. */
  message: () => string | undefined;
  /** What needs the user, counted on the view's icon. */
  badge?: () => vscode.ViewBadge | undefined;
}

/** One of the extension's trees: empty until content is attached, then follows the model while it is visible. */
export class ListView implements vscode.Disposable {
  private readonly tree = new RowTree();
  private readonly view: vscode.TreeView<RowElement>;
  private readonly subscriptions: { dispose(): unknown }[];
  private content: ListViewContent | undefined;
  private scheduled: NodeJS.Immediate | undefined;

  /** @param wanted called when the tree is visible and has no content yet */
  constructor(
    private readonly id: string,
    private readonly wanted: () => void,
  ) {
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this.tree, canSelectMany: true });
    this.subscriptions = [
      this.tree,
      this.view,
      this.view.onDidChangeVisibility(() => this.followVisibility()),
    ];
    this.followVisibility();
  }

  /** Shows `content` from now on. */
  attach(content: ListViewContent): void {
    this.content = content;
    this.subscriptions.push(content.model.onDidChange(() => this.schedule()));
    this.followVisibility();
  }

  private followVisibility(): void {
    const { visible } = this.view;
    if (this.content) {
      this.content.model.setVisible(this.content.list, visible);
      this.schedule();
    } else if (visible) {
      this.wanted();
    }
  }

  /** Brings the view up and selects the row with this id; false when there is none. */
  async reveal(rowId: string): Promise<boolean> {
    await vscode.commands.executeCommand(`${this.id}.focus`);
    this.update();
    const element = this.tree.find(rowId);
    if (element) await this.view.reveal(element, { select: true, focus: true });
    return element !== undefined;
  }

  dispose(): void {
    clearImmediate(this.scheduled);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Many changes in one turn of the event loop make one redraw. */
  private schedule(): void {
    this.scheduled ??= setImmediate(() => {
      this.scheduled = undefined;
      this.update();
    });
  }

  private update(): void {
    if (!this.content) return;
    const { badge } = this.content;
    if (badge) this.setBadge(badge());
    if (!this.view.visible) return;
    const message = this.content.message();
    if (this.view.message !== message) assign(this.view, { message });
    this.tree.show(this.content.rows());
  }

  private setBadge(badge: vscode.ViewBadge | undefined): void {
    if (this.view.badge?.value !== badge?.value) assign(this.view, { badge });
  }
}

/** The editor takes undefined for "none", its types do not. */
function assign(
  view: vscode.TreeView<RowElement>,
  values: { message?: string | undefined; badge?: vscode.ViewBadge | undefined },
): void {
  Object.assign(view, values);
}
