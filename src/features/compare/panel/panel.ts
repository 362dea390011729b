import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from '../../../api/http/clock';
import { bareId } from '../../../api/http/ids';
import { type CommandId, commandIds, panelTypes } from '../../../ids';
import { type ComparisonAct, keptComparisonSchema } from '../../../shared/comparison';
import { nameList, sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { areComparable } from '../../start';
import type { ConversationModels } from '../../live';
import { setPanelIcon } from '../../../editor/panelIcon';
import { fillPanel, OpenTabs } from '../../../editor/webviewPanel';
import { ComparisonHost } from './host';

export interface ComparisonDependencies {
  extensionUri: vscode.Uri;
  /** Keeps the titles of the tabs. */
  memento: vscode.Memento;
  conversations: Pick<ConversationModels, 'model' | 'hold' | 'onDidChange'>;
  labelOf: (service: string, id: string) => string;
  /** How many attempts at the messages of these conversations couldn’t start. */
  notStarted: (service: string, ids: readonly string[]) => number;
  onDidChangeStarts: (listener: () => void) => vscode.Disposable;
  /** The name of the connection to a service, and whether this computer has its key; undefined without a connection. */
  connectionTo: (service: string) => { name: string; hasKey: boolean } | undefined;
  showConversation: (id: string, on: 'composer', service: string) => Promise<void>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
  log: vscode.LogOutputChannel;
}

const keyOf = (service: string, ids: readonly string[]) =>
  JSON.stringify([service, ...ids.map(bareId).toSorted()]);

/** The editor tabs that compare conversations, one for each set of them. */
export class ComparisonPanels {
  private readonly open: OpenTabs<{ panel: vscode.WebviewPanel }>;

  constructor(private readonly dependencies: ComparisonDependencies) {
    this.open = new OpenTabs('compare', dependencies.memento);
  }

  /** Opens a comparison, or brings it to the front. */
  show(service: string, ids: readonly string[]): void {
    const key = keyOf(service, ids);
    const known = this.open.get(key);
    if (known) known.panel.reveal();
    else {
      this.open.closeLeft(key);
      const title = l10n.t('Compare Attempts');
      const column = vscode.ViewColumn.Active;
      this.fill(service, ids, vscode.window.createWebviewPanel(panelTypes.compare, title, column));
    }
  }

  /** Fills a panel that the editor brought back. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptComparisonSchema.safeParse(state).data;
    if (!kept || !areComparable(kept.ids.length) || this.open.has(keyOf(kept.service, kept.ids)))
      panel.dispose();
    else this.fill(kept.service, kept.ids, panel);
  }

  private fill(service: string, ids: readonly string[], panel: vscode.WebviewPanel): void {
    const { conversations, connectionTo, labelOf, log, extensionUri } = this.dependencies;
    const key = keyOf(service, ids);
    this.open.set(key, { panel });
    const holding = conversations.hold(service);
    const host = new ComparisonHost({
      ...{ service, ids, log },
      model: (id) => conversations.model(id, service),
      labelOf: (id) => labelOf(service, id),
      notStarted: () => this.dependencies.notStarted(service, ids),
      unreached: () => unreached(service, connectionTo(service)),
      entitle: (titles) => this.entitle(key, panel, titles),
      post: (message) => void panel.webview.postMessage(message),
      act: (act, id) => this.act(act, { id, service, ids }),
      after: (ms, act) => ({ dispose: systemClock.after(ms, act) }),
    });
    const connect = () => host.connect();
    const following = [conversations.onDidChange(connect), this.dependencies.onDidChangeStarts(connect)];
    panel.onDidDispose(() => {
      for (const one of following) one.dispose();
      host.dispose();
      holding.dispose();
      if (this.open.get(key)?.panel === panel) this.open.delete(key);
    });
    panel.onDidChangeViewState(() => host.setVisible(panel.visible));
    panel.webview.onDidReceiveMessage((data: unknown) => void host.receive(data));
    host.setVisible(panel.visible);
    setPanelIcon(panel, 'compare');
    fillPanel(panel, extensionUri, 'compare');
  }

  /** Names a tab after what it compares, unlike any other. */
  private entitle(key: string, panel: vscode.WebviewPanel, titles: readonly string[]): void {
    if (titles.length === 0) return;
    const others = [...this.open.values()].flatMap((one) => (one.panel === panel ? [] : one.panel.title));
    const base = l10n.t('Compare: {0}', nameList(titles));
    let title = base;
    for (let number = 2; others.includes(title); number += 1) title = `${base} (${number})`;
    if (panel.title === title) return;
    panel.title = title;
    this.open.set(key, { panel });
  }

  private act(
    act: ComparisonAct,
    { id, service, ids }: { id: string; service: string; ids: readonly string[] },
  ): Promise<void> {
    const { run, showConversation } = this.dependencies;
    const ref = { kind: 'conversation', id, service } as const;
    switch (act) {
      case 'continue':
        return showConversation(id, 'composer', service);
      case 'showChanges':
        return run(commandIds.changesShow, [{ ref }]);
      case 'showDifference':
        return run(commandIds.changesShowDifference, [{ ref, attempts: ids }]);
      case 'take':
        return run(commandIds.conversationTake, [{ ref, attempts: ids }]);
    }
  }
}

/** Why the conversations of a service can’t be compared now, and what to do. */
function unreached(service: string, connection: { name: string; hasKey: boolean } | undefined): string {
  const next = l10n.t('Run Connect…, and the comparison continues.');
  if (!connection) return sentences(l10n.t('The connection to {0} was removed.', service), next);
  const name = plainText(connection.name, 80);
  return connection.hasKey
    ? l10n.t('Can’t reach {0}. The comparison continues when it answers.', name)
    : sentences(l10n.t('{0} has no session key on this computer.', name), next);
}
