import * as vscode from 'vscode';
import { coalesce } from '../state/coalesce';
import type { ServiceModel, ListName } from '../state/serviceModel';
import type { Row } from './row';
import { RowTree, type RowElement } from './rowTree';

/** What a tree shows, once the parts behind it have been read. */
export interface ListViewContent {
  list: ListName;
  model: ServiceModel;
  /** Made one by one, so that a long list can be made in pieces. */
  rows: () => Iterable<Row>;
  /** Tells of changes that the model does not know of. */
  onDidChange?: (listener: () => void) => { dispose(): unknown };
  /** A sentence above the rows, when something is wrong with them. */
  message: () => string | undefined;
  /** A few words beside the title. */
  description?: () => string | undefined;
  /** Makes sure that the rows hold the thing with this id, where it is known. */
  reveal?: (id: string) => void;
  /** What needs the user, counted on the view's icon. */
  badge?: () => vscode.ViewBadge | undefined;
}

/** How long rows are made without a pause, in milliseconds: the host has other things to do. */
const sliceMs = 10;
/** How often the ages in the rows are looked at, in milliseconds. */
const agesMs = 10_000;

/** One of the extension's trees: empty until content is attached, then follows the model while it is visible. */
export class ListView implements vscode.Disposable {
  private readonly tree = new RowTree();
  private readonly view: vscode.TreeView<RowElement>;
  private readonly subscriptions: { dispose(): unknown }[];
  private content: ListViewContent | undefined;
  private scheduled: NodeJS.Immediate | undefined;
  private ages: NodeJS.Timeout | undefined;
  /** Ends the bar that runs while the list is read for the first time. */
  private endProgress: (() => void) | undefined;

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
    const schedule = () => this.schedule();
    this.subscriptions.push(content.model.onDidChange(schedule));
    if (content.onDidChange) this.subscriptions.push(content.onDidChange(schedule));
    this.followVisibility();
  }

  private followVisibility(): void {
    const { visible } = this.view;
    clearInterval(this.ages);
    if (this.content) {
      if (visible) this.ages = setInterval(() => this.schedule(), agesMs);
      this.content.model.setVisible(this.content.list, visible);
      this.schedule();
    } else if (visible) {
      this.wanted();
    }
  }

  /** Brings the view up and selects the row with this id; false when there is none. */
  async reveal(rowId: string): Promise<boolean> {
    await vscode.commands.executeCommand(`${this.id}.focus`);
    this.content?.reveal?.(rowId.slice(rowId.indexOf('/') + 1));
    await this.update();
    const element = this.tree.find(rowId);
    if (element) await this.view.reveal(element, { select: true, focus: true });
    return element !== undefined;
  }

  dispose(): void {
    clearImmediate(this.scheduled);
    clearInterval(this.ages);
    this.endProgress?.();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Many changes in one turn of the event loop make one redraw. */
  private schedule(): void {
    this.scheduled ??= setImmediate(() => {
      this.scheduled = undefined;
      void this.update();
    });
  }

  /** Redraws what has changed; rows are made in slices, so that the host is never held up. */
  private readonly update = coalesce(async () => {
    if (!this.content) return;
    const { badge, message, description, rows } = this.content;
    if (badge) this.setBadge(badge());
    if (!this.view.visible) return;
    this.showProgress();
    const words = { message: message(), description: description?.() };
    if (this.view.message !== words.message || this.view.description !== words.description) {
      assign(this.view, words);
    }
    const made: Row[] = [];
    let began = performance.now();
    for (const row of rows()) {
      made.push(row);
      if (performance.now() - began < sliceMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      began = performance.now();
    }
    this.tree.show(made);
  });

  /** A view without rows that is being read says so; one that has some is not disturbed. */
  private showProgress(): void {
    const { loading, loaded, error } = this.content?.model[this.content.list].state ?? {};
    const firstReading = loading === true && loaded === false && error === undefined;
    if (!firstReading) {
      this.endProgress?.();
      this.endProgress = undefined;
    } else if (!this.endProgress) {
      const read = new Promise<void>((resolve) => (this.endProgress = resolve));
      void vscode.window.withProgress({ location: { viewId: this.id } }, () => read);
    }
  }

  private setBadge(badge: vscode.ViewBadge | undefined): void {
    if (this.view.badge?.value !== badge?.value) assign(this.view, { badge });
  }
}

/** The editor takes undefined for "none", its types do not. */
function assign(
  view: vscode.TreeView<RowElement>,
  values: {
    message?: string | undefined;
    description?: string | undefined;
    badge?: vscode.ViewBadge | undefined;
  },
): void {
  Object.assign(view, values);
}
