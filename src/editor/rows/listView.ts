import * as vscode from 'vscode';
import { coalesce } from '../../core/basics/coalesce';
import { nextTurn } from '../../core/basics/nextTurn';
import type { RecordRef } from '../../core/lists/ref';
import type { ServiceModel, ListName } from '../../core/lists/serviceModel';
import type { Row } from '../../core/rows/row';
import { contextKeys } from '../../ids';
import type { ContextKeys } from '../contextKeys';
import { RowTree, type RowElement } from './rowTree';

/** How often the editor is asked to show a row. */
const mostTries = 3;

/** Whether a view is empty is told together with its rows: told before, its welcome text would flash. */
const emptyKeys = {
  sandboxes: contextKeys.sandboxesEmpty,
  conversations: contextKeys.conversationsEmpty,
  specs: contextKeys.specsEmpty,
  workspaces: contextKeys.workspacesEmpty,
} as const satisfies Record<ListName, string>;

/** What a tree shows, once the code behind it is loaded. */
export interface ListViewContent {
  list: ListName;
  model: ServiceModel;
  /** Created one by one, so that a long list can be built in slices. */
  rows: () => Iterable<Row>;
  /** Fire for changes outside of the model. */
  events?: readonly ServiceModel['onDidChange'][];
  /** A line above the rows if something is wrong with them. */
  message: () => string | undefined;
  /** A few words beside the view's title. */
  description?: () => string | undefined;
  /** Whether the icons of all rows are dimmed; if not given, while the list is out of date. */
  isDimmed?: () => boolean;
  /** Called when the view comes on screen, and when it leaves. */
  setVisible?: (visible: boolean) => void;
  /** How many items need the user. */
  badge?: () => vscode.ViewBadge | undefined;
}

/** How long rows are built without a break, in milliseconds: the extension host has other things to do. */
const sliceMs = 10;
/** How often the ages in the rows are updated, in milliseconds. */
const agesMs = 10_000;

/** One of the extension's trees: awaits its content, then follows the model while it is visible. */
export class ListView implements vscode.Disposable {
  private readonly tree = new RowTree();
  private readonly view: vscode.TreeView<RowElement>;
  private readonly subscriptions: { dispose(): unknown }[];
  private content: ListViewContent | undefined;
  private keys: Pick<ContextKeys, 'set' | 'setSelectionGone'> | undefined;
  private scheduled: NodeJS.Immediate | undefined;
  private ages: NodeJS.Timeout | undefined;
  /** True once it's known what the window is connected to. */
  private opened = false;
  /** True while revealing a row: the view may need its rows before it reports that it's visible. */
  private revealing = false;
  /** Ends the progress bar that is shown while the list is read for the first time. */
  private endProgress: (() => void) | undefined;
  private selection: readonly RowElement[] = [];

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
      this.view.onDidChangeSelection(({ selection }) => this.followSelection(selection)),
    ];
    this.followVisibility();
  }

  /**
   * Shows `content` from now on.
   * @param opened resolves once it's known what the window is connected to
   */
  attach(content: ListViewContent, opened: Promise<void>, keys: NonNullable<ListView['keys']>): void {
    this.content = content;
    this.keys = keys;
    const schedule = () => this.schedule();
    void opened.then(() => {
      this.opened = true;
      schedule();
    });
    for (const event of [content.model.onDidChange, ...(content.events ?? [])])
      this.subscriptions.push(event(schedule));
    this.followVisibility();
  }

  private followVisibility(): void {
    const { visible } = this.view;
    clearInterval(this.ages);
    if (this.content) {
      if (visible) this.ages = setInterval(() => this.schedule(), agesMs);
      this.content.model.setVisible(this.content.list, visible);
      this.content.setVisible?.(visible);
      this.schedule();
    } else if (visible) {
      this.wanted();
    }
  }

  private followSelection(selection: readonly RowElement[]): void {
    const before = this.selection;
    this.selection = selection;
    const isGone =
      before.length > 1 && selection.length < 2 && before.some(({ row }) => !this.tree.find(row.id));
    this.keys?.setSelectionGone(this.id, isGone);
  }

  /**
   * Shows the view and selects the row of a record, if there is one.
   * @param focus whether the user asked for the row; if something has ended, the focus stays where the user is by now
   */
  async reveal({ kind, id }: RecordRef, focus = true): Promise<void> {
    if (focus) await vscode.commands.executeCommand(`${this.id}.focus`);
    // Makes sure that the rows include the item, if it's known.
    if (this.content) this.content.model[this.content.list].show(id);
    await this.revealRow(() => this.tree.find(`${kind}/${id}`), { select: true, focus });
  }

  /** Shows the view, with the focus on its first row once the list is read: what shows before that goes then. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${this.id}.focus`);
    if (!this.content) return;
    const { list, model } = this.content;
    if (!model[list].state.loaded) await model.refresh(list);
    await this.revealRow(() => this.tree.first, { select: false, focus: true });
  }

  private async revealRow(
    find: () => RowElement | undefined,
    how: { select: boolean; focus: boolean },
  ): Promise<void> {
    this.revealing = true;
    await this.update();
    this.revealing = false;
    // The editor can't find it while the rows are changing.
    for (let tries = 0; tries < mostTries; tries += 1) {
      // The editor may be taking the first rows, and drops them if it's asked for one of them in the meantime.
      await nextTurn();
      const element = find();
      if (!element) return;
      const isThere = this.view.reveal(element, how).then(
        () => true,
        () => false,
      );
      if (await isThere) return;
    }
  }

  dispose(): void {
    clearImmediate(this.scheduled);
    clearInterval(this.ages);
    this.endProgress?.();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Combines all changes in one turn of the event loop into one redraw. */
  private schedule(): void {
    this.scheduled ??= setImmediate(() => {
      this.scheduled = undefined;
      void this.update();
    });
  }

  /** Redraws what has changed. Builds the rows in slices, so that the extension host is never blocked. */
  private readonly update = coalesce(async () => {
    if (!this.content) return;
    const { list, model, message, description, rows } = this.content;
    const badge = this.content.badge?.();
    // Here and below: the editor accepts undefined for "none"; its types don't.
    if (this.view.badge?.value !== badge?.value) Object.assign(this.view, { badge });
    if (!this.view.visible && !this.revealing) return;
    this.showProgress();
    this.setWords(message(), description?.());
    const made: Row[] = [];
    let began = performance.now();
    for (const row of rows()) {
      made.push(row);
      if (performance.now() - began < sliceMs) continue;
      await nextTurn();
      began = performance.now();
    }
    if (made.length === 0 && this.tree.awaited && (!this.opened || this.firstReading)) return;
    // The icons of rows that may be out of date are dimmed.
    this.tree.show(made, this.content.isDimmed?.() ?? model.outOfDate(list) !== undefined);
    this.keys?.set(emptyKeys[list], made.length === 0 && model[list].state.loaded);
  });

  /** True while the list is read for the first time with the current connection. */
  private get firstReading(): boolean {
    const { loading, loaded, error } = this.content?.model[this.content.list].state ?? {};
    return loading === true && loaded === false && error === undefined;
  }

  /** Shows progress during the first reading with another connection. For the very first rows, the editor does. */
  private showProgress(): void {
    if (!this.firstReading || this.tree.awaited) {
      this.endProgress?.();
      this.endProgress = undefined;
    } else if (!this.endProgress) {
      const read = new Promise<void>((resolve) => (this.endProgress = resolve));
      void vscode.window.withProgress({ location: { viewId: this.id } }, () => read);
    }
  }

  /** Sets only what changes: the editor treats a message as a change of the rows, and delays the next one. */
  private setWords(message: string | undefined, description: string | undefined): void {
    if ((this.view.message ?? '') !== (message ?? '')) Object.assign(this.view, { message });
    if (this.view.description !== description) Object.assign(this.view, { description });
  }
}

/** The trees, by the kind of their rows. */
export interface Views {
  readonly sandbox: ListView;
  readonly conversation: ListView;
  readonly spec: ListView;
  readonly workspace: ListView;
  /** A tree for a view that is created later. */
  readonly createTree: () => RowTree;
}
