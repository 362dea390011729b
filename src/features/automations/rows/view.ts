import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { troubleWords } from '../../../core/rows/trouble';
import type { RowTree } from '../../../editor/rows/rowTree';
import { viewIds } from '../../../ids';
import type { AutomationWatch } from '../model/watch';
import { automationRows } from './rows';

/** How often the times in the rows are updated, in milliseconds. */
const agesMs = 30_000;

/** The automations of the connected server. */
export class AutomationsView implements vscode.Disposable {
  private readonly view: vscode.TreeView<unknown>;
  private readonly following: { dispose(): unknown }[];
  private ages: NodeJS.Timeout | undefined;

  constructor(
    private readonly watch: AutomationWatch,
    private readonly tree: RowTree,
  ) {
    this.view = vscode.window.createTreeView(viewIds.automations, { treeDataProvider: this.tree });
    this.following = [
      watch.onDidChange(() => this.draw()),
      this.view.onDidChangeVisibility(() => this.followVisibility()),
    ];
    this.followVisibility();
  }

  dispose(): void {
    clearInterval(this.ages);
    for (const one of [...this.following, this.view, this.tree]) one.dispose();
  }

  private followVisibility(): void {
    const { visible } = this.view;
    clearInterval(this.ages);
    if (visible) this.ages = setInterval(() => this.draw(), agesMs);
    this.watch.setVisible(visible);
    this.draw();
  }

  private draw(): void {
    const { here } = this.watch;
    if (!here || !this.view.visible) return;
    const { connection, error, loaded } = here;
    // If there were never any rows, the welcome text says why.
    const why = loaded && error && troubleWords({ kind: 'noKey', connection }, error);
    const message = why ? l10n.t('Out of date: {0}', why) : undefined;
    // The editor accepts undefined for "none"; its types don't.
    if (this.view.message !== message) Object.assign(this.view, { message });
    if (loaded || error) this.tree.show(automationRows(here, shownNow()), error !== undefined);
  }
}

const shownNow = () => ({
  now: Date.now(),
  language: vscode.env.language,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});
