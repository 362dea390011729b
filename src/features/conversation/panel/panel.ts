import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from '../../../api/http/clock';
import { bareId } from '../../../api/http/ids';
import type { Disposable } from '../../../core/basics/emitter';
import type { ConversationAt } from '../../../core/lists/conversationAt';
import { confirmed } from '../../../editor/inputs';
import { openAddress } from '../../../editor/openAddress';
import { setPanelIcon } from '../../../editor/panelIcon';
import type { ReadOnlyDocuments } from '../../../editor/readOnlyDocuments';
import { sendKey } from '../../../editor/settings';
import { onDidChangeSettings } from '../../../editor/watching';
import { fillPanel, OpenTabs } from '../../../editor/webviewPanel';
import { commandIds, panelTypes } from '../../../ids';
import { parseFromPage, refusedMessage } from '../../../shared/conversationFromPage';
import {
  fittingMessage,
  keptPageSchema,
  type Aside,
  type Composer,
  type ToPage,
} from '../../../shared/conversationMessages';
import type { QuotedSelection } from '../../../shared/selection';
import type { Head } from '../../../shared/transcript';
import { type ConversationModel, type ConversationModels, onceFilled } from '../../live';
import { ListeningWatch } from '../../place';
import { StartingConversation, type StartTabs } from '../../start';
import { panelCommands, type PanelCommandNeeds } from './commands';
import { contextFinder } from './context';
import { ConversationHost, type FocusOn, HostSlot } from './conversationHost';
import { Drafts } from './drafts';
import { conversationMessageHandler } from './handlers';
import { findFiles, openFile, sandboxFiles } from './localFiles';
import type { ConversationPorts } from './ports';
import { locateFile, readFile } from './quotedFiles';
import { diffTitle, iconOf, panelContext, shortName, tabTitle, unavailableWords } from './tab';

/** What the panels need. */
export interface ConversationPanelDependencies extends Omit<PanelCommandNeeds, 'conversations'> {
  /** Reads the skills of a service in a folder. */
  skillsOf: (service: string, folder: string) => ReturnType<ConversationPorts['skills']>;
  /** The name of the connection to a service. */
  nameOf: (service: string) => string;
  /** The connection or organization that a conversation belongs to, if the window isn’t there; empty if it is. */
  elsewhere: (service: string, id: string) => string;
  /** What a conversation was started to differ in; empty if unknown. */
  labelOf: (service: string, id: string) => string;
  extensionUri: vscode.Uri;
  /** Keeps the drafts of messages. */
  memento: vscode.Memento;
  conversations: Omit<ConversationModels, 'transcript'>;
  /** The starts that tabs show until their conversations are there. */
  startTabs: StartTabs;
  documents: Pick<ReadOnlyDocuments, 'show' | 'showDiff' | 'showsAllChanges'>;
  /** Told whether the tab of a conversation is visible. */
  setVisible: (service: string, id: string, visible: boolean) => void;
  /** Shows the editor what can be done to the conversation in the active tab; undefined if none is there. */
  setContext: (words: string | undefined) => void;
  log: vscode.LogOutputChannel;
}

interface Open {
  /** Changes once a start has led to a conversation. */
  id: string;
  readonly panel: vscode.WebviewPanel;
  readonly service: string;
  readonly slot: HostSlot;
}

/** One conversation may be written in two ways, and two services may have the same id. */
const keyOf = (service: string, id: string) => `${service} ${bareId(id)}`;

function disconnect({ slot }: Open): void {
  const { host } = slot;
  slot.clear();
  // Models of conversations belong to the window.
  if (host?.model instanceof StartingConversation) host.model.dispose();
}

/** The editor tabs of conversations, one for each. */
export class ConversationPanels {
  /** By service and id, as `keyOf` writes them. */
  private readonly open: OpenTabs<Open>;
  private readonly following: readonly Disposable[];
  private readonly run;
  private readonly drafts: Drafts;

  constructor(private readonly dependencies: ConversationPanelDependencies) {
    this.run = panelCommands(dependencies);
    this.drafts = new Drafts(dependencies.memento);
    this.open = new OpenTabs('conversation', dependencies.memento);
    const { conversations, startTabs } = dependencies;
    this.following = [
      conversations.onDidChange(() => {
        for (const open of this.open.values()) {
          this.connect(open);
          open.slot.host?.showOptions();
        }
      }),
      startTabs.onDidChange(() => [...this.open.values()].forEach((open) => void this.follow(open))),
      onDidChangeSettings('sendWith', () => {
        for (const { slot } of this.open.values()) slot.host?.showOptions();
      }),
    ];
  }

  /** The conversation in the active editor tab; undefined for one of another service, which may have the same id. */
  get active(): string | undefined {
    const { activeTab } = this;
    return activeTab?.service === this.dependencies.conversations.service ? activeTab?.id : undefined;
  }

  /** The conversation in the active editor tab, whatever its service. */
  get activeTab(): ConversationAt | undefined {
    const { startTabs } = this.dependencies;
    return [...this.open.values()].find(({ id, panel }) => panel.active && startTabs.now(id) === undefined);
  }

  /** Whether a conversation, or a start, is on screen. */
  isVisible(id: string): boolean {
    return this.openedHere(id)?.panel.visible === true;
  }

  /** Goes somewhere in the transcript in the active editor tab. */
  move(to: Extract<ToPage, { type: 'move' }>['to']): void {
    [...this.open.values()].find(({ panel }) => panel.active)?.slot.host?.post({ type: 'move', to });
  }

  /** Opens a conversation or brings it to the front, with the focus on the entry, or where the user most likely continues. */
  show(id: string, on?: FocusOn, service = this.dependencies.conversations.service): void {
    if (service === undefined) return;
    const now = this.dependencies.startTabs.now(id);
    if (now?.kind === 'gone') return;
    // The start may have been quicker than its tab.
    if (now?.kind === 'conversation') {
      this.show(now.id, on, service);
      return;
    }
    const key = keyOf(service, id);
    const known = this.open.get(key);
    if (known) known.panel.reveal();
    else {
      this.open.closeLeft(key);
      const title = l10n.t('Conversation');
      const column = vscode.ViewColumn.Active;
      this.fill(id, service, vscode.window.createWebviewPanel(panelTypes.conversation, title, column));
    }
    const open = this.open.get(key);
    const isNow = open?.slot.host !== undefined;
    open?.slot.use((host) => {
      // By the time there is one, the user may be elsewhere.
      if (isNow || open.panel.active) host.focus(on);
    });
  }

  /** Opens a conversation at an entry. */
  showEntry(id: string, entry: string, service: string): void {
    this.show(id, 'feed', service);
    this.open.get(keyOf(service, id))?.slot.use((host) => host.goToOnceRead(entry));
  }

  /** Opens a conversation with quotes attached to the message in its composer. */
  attach(
    id: string,
    quotes: readonly QuotedSelection[],
    service = this.dependencies.conversations.service,
  ): void {
    this.show(id, 'composer', service);
    this.open.get(keyOf(service ?? '', id))?.slot.use((host) => host.attach(quotes));
  }

  /** The composer in the tab of a conversation; undefined without such a tab, or while its service isn’t connected. */
  composer(id: string, service = ''): Composer | undefined {
    return this.open.get(keyOf(service, id))?.slot.host;
  }

  /** Opens a conversation with an answer that isn't part of it. */
  showAside(id: string, aside: Aside, service = this.dependencies.conversations.service): void {
    this.show(id, 'composer', service);
    this.open.get(keyOf(service ?? '', id))?.slot.use((host) => host.setAside(aside));
  }

  /** Closes the tab of a conversation that was deleted, and forgets what was written there. */
  close(id: string): void {
    const { service } = this.dependencies.conversations;
    if (service === undefined) return;
    this.drafts.drop(service, id);
    this.openedHere(id)?.panel.dispose();
  }

  /** Fills a panel that the editor brought back. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptPageSchema.safeParse(state);
    if (!kept.success) {
      panel.dispose();
      return;
    }
    const { service } = kept.data;
    const now = this.dependencies.startTabs.now(kept.data.id);
    const id = now?.kind === 'conversation' ? now.id : kept.data.id;
    if (now?.kind === 'gone' || this.open.has(keyOf(service, id))) panel.dispose();
    else {
      if (id !== kept.data.id) this.drafts.move(service, kept.data.id, id);
      this.fill(id, service, panel);
    }
  }

  /** The tab of a conversation of the connected service. */
  private openedHere(id: string): Open | undefined {
    return this.open.get(keyOf(this.dependencies.conversations.service ?? '', id));
  }

  private fill(id: string, service: string, panel: vscode.WebviewPanel): void {
    const open: Open = { id, panel, service, slot: new HostSlot() };
    this.open.set(keyOf(service, id), open);
    const { conversations, setVisible } = this.dependencies;
    const holding = conversations.hold(service);
    setVisible(service, id, panel.visible);
    panel.onDidDispose(() => {
      setVisible(service, open.id, false);
      disconnect(open);
      holding.dispose();
      this.drafts.tidy(service, open.id);
      const key = keyOf(service, open.id);
      if (this.open.get(key) === open) this.open.delete(key);
      this.showContext();
    });
    panel.onDidChangeViewState(() => {
      open.slot.host?.setVisible(panel.visible);
      setVisible(service, open.id, panel.visible);
      this.showContext();
    });
    panel.webview.onDidReceiveMessage((data: unknown) => this.receive(open, data));
    this.connect(open);
    fillPanel(panel, this.dependencies.extensionUri, 'conversation');
  }

  /** Gives a panel the model of its conversation, or takes it away when its service can't be reached. */
  private connect(open: Open): void {
    const { conversations, startTabs, log } = this.dependencies;
    const { id, service, slot } = open;
    const isHere = conversations.service === service;
    const isStart = startTabs.now(id) !== undefined;
    if (slot.host && (isStart ? isHere : slot.host.model === conversations.model(id, service))) return;
    const start = isHere ? startTabs.model(id) : undefined;
    const model = start ?? (isStart ? undefined : conversations.model(id, service));
    disconnect(open);
    if (!model) {
      this.showContext();
      void open.panel.webview.postMessage(this.unavailable(open.service));
      return;
    }
    const host = new ConversationHost(model, this.portsOf(open, model));
    slot.fill(host);
    host.setVisible(open.panel.visible);
    const follow = () => {
      this.showState(open, model.head);
      if (model instanceof StartingConversation) host.setUnsent(model.unsent);
    };
    const following = model.onDidChange(() => {
      if (slot.host === host) follow();
      else following.dispose();
    });
    open.panel.onDidDispose(() => following.dispose());
    follow();
    log.trace(`Showing conversation ${id}`);
    // The page may have loaded before its service was connected.
    void open.panel.webview.postMessage({ type: 'restart' } satisfies ToPage);
  }

  /** Shows the conversation in the tab of a start that led to one, and closes the tab of one that was dismissed. */
  private async follow(open: Open): Promise<void> {
    const { conversations, startTabs } = this.dependencies;
    const { id: startId, panel, service } = open;
    const now = startTabs.now(startId);
    if (now?.kind === 'gone') panel.dispose();
    if (now?.kind !== 'conversation') return;
    this.open.delete(keyOf(service, startId));
    const key = keyOf(service, now.id);
    const previous = this.open.get(key);
    open.id = now.id;
    this.dependencies.setVisible(service, startId, false);
    this.dependencies.setVisible(service, now.id, panel.visible);
    if (previous) {
      this.drafts.move(service, startId, now.id);
      if (panel.active) previous.panel.reveal();
      panel.dispose();
      return;
    }
    this.open.set(key, open);
    const show = () => {
      this.drafts.move(service, startId, now.id);
      if (this.open.get(key) === open) this.connect(open);
    };
    const model = conversations.model(now.id, service);
    const { host } = open.slot;
    // The start stays on screen until there is something else to show.
    if (model && host && panel.visible) await onceFilled(model, host.model.signal, show);
    else show();
  }

  private receive(open: Open, data: unknown): void {
    const { id, panel, service, slot } = open;
    if (slot.host) {
      void conversationMessageHandler(slot.host)(data);
      return;
    }
    const tell = (answer: ToPage) => void panel.webview.postMessage(fittingMessage(answer));
    const parsed = parseFromPage(data);
    if (!parsed.ok) {
      const { type, text = '' } = refusedMessage(data) ?? {};
      if (type === 'ready') tell(this.unavailable(service));
      if (type === 'send') tell({ type: 'restoreText', text, revision: 0 });
      return;
    }
    const { message } = parsed;
    if (message.type === 'ready') tell(this.unavailable(service));
    if (message.type === 'nextStep')
      void this.dependencies.run(commandIds.connectionConnect, [{ url: service }]);
    // The window left its connection just before.
    if (message.type === 'send') tell({ type: 'restoreText', ...this.drafts.putBack(service, id, message) });
  }

  private portsOf(open: Open, model: ConversationModel): ConversationPorts {
    const { id, panel, service } = open;
    const { documents, log, nameOf, run, switchTo } = this.dependencies;
    const ref = { kind: 'conversation', id, service };
    return {
      post: (message) => void panel.webview.postMessage(message),
      service,
      elsewhere: () => this.dependencies.elsewhere(service, open.id),
      switchHere: () => switchTo(service).then(() => undefined),
      sendKey,
      drafts: this.drafts.of(service, id),
      run: (command) => this.run(command, id, service, model.head.limit),
      showDocument: (title, text) => documents.show(title, text, 'txt'),
      showDiff: (path, before, after) => documents.showDiff(diffTitle(path), path, { before, after }),
      showPlannedDiff: async (path, before, after) => {
        // Beside the card, which is where it’s approved.
        const title = l10n.t('{0} (waiting for approval)', shortName(path));
        await documents.showDiff(title, path, { before, after }, vscode.ViewColumn.Beside);
        return documents.showsAllChanges;
      },
      showStep: (entry) => run(commandIds.changesShowStep, [{ ref, entry }]),
      watchPorts: (found) => new ListeningWatch(model, systemClock, found),
      openPort: (port) => run(commandIds.placePorts, [{ ref, port }]),
      confirm: confirmed,
      openLink: openAddress,
      copy: async (text) => vscode.env.clipboard.writeText(text),
      context: contextFinder,
      skills: (folder) => this.dependencies.skillsOf(service, folder),
      locateFile,
      readFile,
      findFiles: (paths, folders) => findFiles(paths, folders, sandboxFiles(model, nameOf(service))),
      openFile,
      log,
    };
  }

  private showContext(): void {
    const active = [...this.open.values()].find(({ panel }) => panel.active);
    const host = active?.slot.host;
    const words = host ? panelContext(host.model.head) : '';
    this.dependencies.setContext(words === '' ? undefined : words);
  }

  /** Title and state of a conversation, in its tab. */
  private showState(open: Open, { title, execution }: Head): void {
    const { panel, service, id } = open;
    this.showContext();
    const shown = tabTitle(title, this.dependencies.labelOf(service, id), panel.title);
    if (panel.title !== shown) {
      panel.title = shown;
      const key = keyOf(service, id);
      if (this.open.get(key) === open) this.open.set(key, open);
    }
    setPanelIcon(panel, iconOf[execution] ?? 'conversation');
  }

  /** Why there is no model. */
  private unavailable(service: string): ToPage {
    const { conversations, nameOf } = this.dependencies;
    return { type: 'unavailable', ...unavailableWords(service, conversations.service, nameOf(service)) };
  }

  dispose(): void {
    for (const one of this.following) one.dispose();
    const all = [...this.open.values()];
    // The next window has to know their titles.
    this.open.clear();
    for (const { panel } of all) panel.dispose();
  }
}
