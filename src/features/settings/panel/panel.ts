import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds, contextKeys, panelTypes } from '../../../ids';
import type { ContextKeys } from '../../../editor/contextKeys';
import { askText, back, confirmed, needsText } from '../../../editor/inputs';
import { errorLines } from '../../../editor/logLine';
import type { ParkedServers } from '../../../editor/parkedServers';
import type { Section } from '../../../shared/fields';
import { clientOf, type Session, type SessionStore } from '../../../core/session/session';
import type { Safeguards } from '../../../core/settings/safeguards';
import { setPanelIcon } from '../../../editor/panelIcon';
import { closeLeftTab, fillPanel } from '../../../editor/webviewPanel';
import { FormHost } from './formHost';
import { formMessageHandler, exportOnFirstUse, importOnFirstUse } from './handlers';
import { LastSaves, type FormPorts } from './ports';
import { editorServerPorts } from './servers/editor';
import { undoInForm, undoWithoutForm } from './undoing';
import { sentences } from '../../../shared/joined';

/** What the panel needs. */
export interface SettingsPanelDependencies {
  extensionUri: vscode.Uri;
  /** Is inside the editor's own `User` folder. */
  globalStorageUri: vscode.Uri;
  /** Keeps drafts; of the workspace, as the connection is the window's own. */
  memento: vscode.Memento;
  session: SessionStore;
  parked: ParkedServers;
  safeguards: Safeguards;
  /** True once after the service at a base URL was updated to another generation. */
  takeUpdate: (baseUrl: string) => boolean;
  contextKeys: Pick<ContextKeys, 'set'>;
  log: vscode.LogOutputChannel;
}

/** The one panel with the settings form: opened, revealed again, or taken over after the window was reloaded. */
export class SettingsPanel {
  private panel: vscode.WebviewPanel | undefined;
  private host: FormHost | undefined;
  private readonly lastSaves = new LastSaves(() => this.showWhetherUndoable());
  private readonly following: { dispose(): void };

  constructor(private readonly dependencies: SettingsPanelDependencies) {
    this.following = dependencies.session.onDidChange(() => this.showWhetherUndoable());
  }

  private showWhetherUndoable(): void {
    const client = clientOf(this.dependencies.session.current);
    const isUndoable = client !== undefined && this.lastSaves.get(client) !== undefined;
    this.dependencies.contextKeys.set(contextKeys.settingsSaved, isUndoable);
  }

  /** Opens the form or brings it to the front, at `section` where one is given, and does `task` there. */
  show(section?: Section, task?: 'import' | 'export'): void {
    if (this.panel) this.panel.reveal();
    else {
      const title = l10n.t('Service Settings');
      closeLeftTab('settings', title);
      this.open(
        vscode.window.createWebviewPanel(panelTypes.settings, title, vscode.ViewColumn.Active),
        false,
      );
    }
    const { host } = this;
    if (section !== undefined) host?.reveal(section);
    if (host === undefined || task === undefined) return;
    host.whenShown(() => void (task === 'import' ? importOnFirstUse(host) : exportOnFirstUse(host)));
  }

  /** Takes the last save of this window back: in the form where it is open, or where the user has to choose. */
  async undoSave(): Promise<void> {
    if (this.host?.open === undefined) {
      const client = clientOf(this.dependencies.session.current);
      const words = await undoWithoutForm(
        { confirm: confirmed, safeguards: this.dependencies.safeguards, lastSaves: this.lastSaves },
        client,
      );
      if (words) {
        if (words.length > 0) void vscode.window.showInformationMessage(sentences(...words));
        return;
      }
    }
    this.show();
    const { host } = this;
    host?.whenShown((open) => void undoInForm(host, open));
  }

  /** Reads the settings again, if the form is on screen. A hidden one does so by itself when it's shown. */
  async refresh(): Promise<void> {
    if (this.panel?.visible) await this.host?.refresh();
  }

  /** Takes over a panel that the editor brought back after the window was reloaded. */
  restore(panel: vscode.WebviewPanel): void {
    this.open(panel, true);
  }

  private open(panel: vscode.WebviewPanel, wasReloaded: boolean): void {
    this.panel?.dispose();
    const { session, memento, parked, safeguards, log, extensionUri, takeUpdate } = this.dependencies;
    const ports: FormPorts = {
      post: (message) => {
        if (this.panel === panel) void panel.webview.postMessage(message);
      },
      client: () => clientOf(session.current),
      connectionName: () => ('connection' in session.current ? session.current.connection.name : ''),
      noClient: () => noClientWords(session.current),
      askSecret,
      confirm: confirmed,
      manage: (what) => vscode.commands.executeCommand(pickers[what]),
      takeUpdate,
      safeguards,
      lastSaves: this.lastSaves,
      servers: editorServerPorts(this.dependencies.globalStorageUri),
      parked,
      drafts: {
        read: (service) => memento.get(draftId(service)),
        write: (service, draft) => void memento.update(draftId(service), draft),
      },
      log,
    };
    const host = new FormHost(ports, wasReloaded);
    const handle = formMessageHandler(host);
    const subscriptions = [
      panel.webview.onDidReceiveMessage((data: unknown) => {
        handle(data).catch((error: unknown) =>
          log.error(`Couldn’t handle a message from the form: ${errorLines(error)}`),
        );
      }),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) host.hidden();
      }),
      session.onDidChange(({ kind }) => void host.sessionChanged(kind === 'ready')),
      parked.onDidChange(() => host.show()),
      // There's no event when another window parks a server without secrets.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) host.show();
      }),
    ];
    panel.onDidDispose(() => {
      for (const subscription of subscriptions) subscription.dispose();
      host.dispose();
      if (this.panel !== panel) return;
      this.panel = undefined;
      this.host = undefined;
    });
    this.panel = panel;
    this.host = host;
    setPanelIcon(panel, 'settings');
    fillPanel(panel, extensionUri, 'settings');
  }

  dispose(): void {
    this.following.dispose();
    this.panel?.dispose();
  }
}

const pickers = { profiles: commandIds.profileManage, secrets: commandIds.secretManage };

const draftId = (service: string) => `agentWorkspace.settingsDraft:${service}`;

async function askSecret(title: string, prompt: string): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt,
    password: true,
    lines: true,
    validate: needsText,
  });
  return answer === undefined || answer === back ? undefined : answer.trim();
}

function noClientWords(session: Session): { message: string; nextStep: string } {
  return session.kind === 'noKey'
    ? {
        message: l10n.t('{0} has no session key on this computer.', session.connection.name),
        nextStep: l10n.t('Run Set Session Key…, and this form opens.'),
      }
    : {
        message: l10n.t('This window isn’t connected to an agent workspace service.'),
        nextStep: l10n.t('Run Connect…, and this form opens.'),
      };
}
