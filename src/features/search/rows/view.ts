import * as vscode from 'vscode';
import { viewIds } from '../../../ids';
import type { ConversationSearch } from '../model/search';
import type { RowTree } from '../../../editor/rows/rowTree';
import { searchRows, searchWords } from './rows';

/** Milliseconds between two redraws while results arrive. */
const redrawMs = 100;

/** The results of a search of all conversations. */
export class SearchView implements vscode.Disposable {
  private readonly view: vscode.TreeView<unknown>;
  private readonly following: { dispose(): unknown };
  private timer: NodeJS.Timeout | undefined;

  /** @param isOfSeveral whether results name their connection */
  constructor(
    private readonly search: ConversationSearch,
    private readonly isOfSeveral: () => boolean,
    private readonly tree: RowTree,
    private readonly attempts: Parameters<typeof searchRows>[3],
  ) {
    this.view = vscode.window.createTreeView(viewIds.search, { treeDataProvider: this.tree });
    this.following = search.onDidChange(() => {
      this.timer ??= setTimeout(() => this.draw(), redrawMs);
    });
    this.draw();
  }

  async show(): Promise<void> {
    this.draw();
    await vscode.commands.executeCommand(`${viewIds.search}.focus`);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.following.dispose();
    this.view.dispose();
    this.tree.dispose();
  }

  private draw(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { state } = this.search;
    // The editor accepts undefined for "none"; its types don't.
    Object.assign(this.view, { message: searchWords(state) });
    this.tree.show([...searchRows(state, this.isOfSeveral(), Date.now(), this.attempts)]);
  }
}
