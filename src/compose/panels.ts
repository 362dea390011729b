import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { CommandDependencies } from './commands/dependencies';
import { commandIds, contextKeys, type PanelName, stateIds } from '../ids';
import { lazily } from '../lazily';
import type { ContextKeys } from '../editor/contextKeys';
import type { rememberedGenerations } from '../editor/generations';
import type { GlobalState } from '../editor/globalState';
import type { ReadOnlyDocuments } from '../editor/readOnlyDocuments';
import type { SessionKeys } from '../editor/sessionKeys';
import type { Connection } from '../shared/connection';
import { plainText } from '../shared/plainText';
import { Homes } from '../core/session/homes';
import { isOnService } from '../features/targets/editor';
import type { KnownSecrets } from '../features/transcript';
import type { OtherConnections } from '../features/attention';
import type { ConversationPanels } from '../features/conversation/panel/panel';
import type { Attempts, StartTasks } from '../features/start';
import type { ServiceModel } from '../core/lists/serviceModel';
import type { SessionStore } from '../core/session/session';
import type { Safeguards } from '../core/settings/safeguards';
import type { Views } from '../editor/rows/listView';
import type { ChangesParts } from './changes';
import type { CommandRunner } from './commandRunner';
import type { Reach } from './reachedServices';

export interface PanelsNeeds {
  session: SessionStore;
  model: ServiceModel;
  starts: StartTasks;
  keys: SessionKeys;
  globalState: GlobalState;
  safeguards: Safeguards;
  known: KnownSecrets;
  generations: ReturnType<typeof rememberedGenerations>;
  contextKeys: ContextKeys;
  documents: ReadOnlyDocuments;
  log: vscode.LogOutputChannel;
  run: CommandRunner;
  /** Sets whether the tab of a conversation of a service is visible. */
  setVisible: (service: string, id: string, visible: boolean) => void;
  acted: (service: string, id: string, stops: boolean) => void;
  /** Resolves once the session is known. */
  opened: Promise<void>;
  listConnections: CommandDependencies['listConnections'];
  reach: Reach;
  activeConnection: CommandDependencies['activeConnection'];
  others: Pick<OtherConnections, 'hear' | 'find' | 'listOf' | 'onDidChange'>;
  attempts: Attempts;
  createTree: Views['createTree'];
}

/** What panels do for commands. */
type ForCommands = Pick<
  CommandDependencies,
  | 'parked'
  | 'openSettingsForm'
  | 'refreshSettingsForm'
  | 'undoSettingsSave'
  | 'showUsage'
  | 'activeConversation'
  | 'activeTab'
  | 'showConversation'
  | 'composerOf'
  | 'moveInConversation'
  | 'isConversationVisible'
  | 'closeConversation'
  | 'attachToConversation'
  | 'showAside'
  | 'showComparison'
  | 'contextFinder'
  | 'searching'
  | 'showEntry'
>;

/** Where texts are kept for the next search. */
const searchFolder = (storage: vscode.Uri) => `${storage.fsPath}/search`;

export interface Panels {
  conversations: () => Promise<CommandDependencies['conversations']>;
  changes: () => Promise<ChangesParts>;
  /** Forgets what is kept for the search of connections that are gone. */
  dropSearched: () => Promise<void>;
  /** Fills a panel that the editor restored. */
  restore: Record<PanelName, (panel: vscode.WebviewPanel, state: unknown) => Promise<void>>;
  forCommands: ForCommands;
}

/** Disposes something with the extension. */
export type Own = <T extends { dispose(): unknown }>(disposable: T) => T;

/** The panels and what they show. Each is loaded and constructed when it's first used. */
export function composePanels(own: Own, context: vscode.ExtensionContext, needs: PanelsNeeds): Panels {
  const { session, model, keys, safeguards, known, generations, documents, log, run, opened } = needs;
  const { extensionUri, globalStorageUri, workspaceState: memento } = context;

  const connectionTo = (baseUrl: string) =>
    needs.listConnections().connections.find((one) => one.baseUrl === baseUrl);
  const parked = lazily(async () => {
    const { ParkedServers } = await import('../editor/parkedServers');
    return own(new ParkedServers(needs.globalState, context.secrets, log));
  });
  let form: { refresh(): Promise<void> } | undefined;
  const settings = lazily(async () => {
    const { SettingsPanel } = await import('../features/settings/panel/panel');
    const takeUpdate = (baseUrl: string) => generations.takeUpdate(baseUrl);
    const { contextKeys } = needs;
    const more = { session, parked: await parked(), safeguards, takeUpdate, log, contextKeys };
    const panel = own(new SettingsPanel({ extensionUri, globalStorageUri, memento, ...more }));
    form = panel;
    return panel;
  });
  const secrets = lazily(async () => {
    const { StoredSecrets } = await import('./storedSecrets');
    const readKey = (origin: string) => keys.get(origin);
    const readServers = async ({ baseUrl }: Connection) => {
      const store = await parked();
      // Null: the secret storage failed.
      const taken = store.list(baseUrl).map(({ id }) =>
        store.take(baseUrl, id).then(
          (server) => server?.wire,
          () => null,
        ),
      );
      const wires = await Promise.all(taken);
      const all = [await safeguards.kept.read(baseUrl), ...wires];
      return { servers: all.filter((one) => one !== undefined), unread: all.includes(null) };
    };
    return new StoredSecrets({ known, readKey, readServers });
  });
  const conversations = lazily(async () => {
    const { transcripts } = await import('./transcripts');
    const { tellLists } = await import('../core/lists/telling');
    const stored = await secrets();
    const onDidStore = (listener: () => void) =>
      context.secrets.onDidChange(() => {
        stored.forget();
        listener();
      });
    const { lock } = safeguards;
    const reach = async (baseUrl: string) => {
      const connection = connectionTo(baseUrl);
      return connection && needs.reach(connection);
    };
    const models = own(
      transcripts({
        session,
        lists: model,
        others: needs.others,
        startedAs: (id) => needs.starts.startedAs(id),
        acted: needs.acted,
        memento,
        lock,
        known,
        stored,
        reach,
        onDidStore,
        log,
      }),
    );
    own(tellLists(models, model));
    own(
      models.onDidTellElsewhere(({ service, model: { id, head } }) =>
        needs.others.hear(service, id, head.execution),
      ),
    );
    return models;
  });
  const changes = lazily(async () =>
    own(
      (await import('./changes')).changes(
        await conversations(),
        memento,
        globalStorageUri,
        needs.contextKeys,
        log,
      ),
    ),
  );
  const searching = lazily(async () => {
    const { searchParts } = await import('./search');
    const { reach, createTree, contextKeys: editorKeys } = needs;
    return searchParts(own, {
      ...{ reach, known, editorKeys, createTree, log, folder: searchFolder(globalStorageUri) },
      listConnections: () => needs.listConnections().connections,
      attempts: needs.attempts,
      startedAs: (id) => needs.starts.startedAs(id),
      stored: await secrets(),
    });
  });
  /** What a conversation was started to differ in from others at the same message; empty if unknown. */
  const labelOf = (service: string, id: string) => attemptOf(service, id)?.label ?? '';
  const attemptOf = (service: string, id: string) => {
    const conversation =
      service === model.service ? model.conversation(id) : needs.others.find(service, id)?.chosen;
    return needs.attempts.of(service, conversation ?? { id });
  };
  let constructed: Pick<ConversationPanels, 'active' | 'activeTab' | 'move' | 'isVisible'> | undefined;
  const tabs = lazily(async () => {
    const { ConversationPanels } = await import('../features/conversation/panel/panel');
    const { StartTabs } = await import('../features/start/model/startTabs');
    const sandboxOf = async (id: string) => {
      const sandbox = model.conversation(id)?.sandbox_id;
      return sandbox ? (await model.sandboxesNow([sandbox]))[0]?.id : undefined;
    };
    const { deliveries } = await changes();
    const retry = (id: string, message: string) =>
      run(commandIds.conversationRetryStart, [{ ref: { kind: 'start', id }, message }]);
    const startTabs = new StartTabs({ starts: needs.starts, deliveries, retry });
    const { setVisible } = needs;
    const setContext = (words: string | undefined) => needs.contextKeys.set(contextKeys.panel, words);
    const told = { setVisible, setContext };
    const parts = { conversations: await conversations(), startTabs, labelOf };
    const nameOf = (service: string) => connectionTo(service)?.name ?? service;
    const skillsOf = async (service: string, folder: string) => {
      const connection = connectionTo(service);
      const reached = connection && (await needs.reach(connection));
      return (await import('../features/conversation/panel/mentions')).offeredSkills(reached?.client, folder);
    };
    const homes = new Homes({
      read: () => memento.get(stateIds.homes),
      write: (value) => void memento.update(stateIds.homes, value),
    });
    const isHere = (service: string) => isOnService(needs, service);
    const elsewhere = (service: string, id: string) => {
      if (!isHere(service)) return plainText(nameOf(service), 80);
      const home = homes.elsewhere(service, id, connectionTo(service)?.organization);
      return home ? plainText(home.name, 80) || plainText(home.id, 80) : '';
    };
    const switchTo = async (service: string) => {
      if (isHere(service)) {
        await run(commandIds.connectionSwitchOrganization, []);
        return true;
      }
      const { switchTo } = await import('../features/targets/commands/switchTo');
      return switchTo(needs, service, (name) =>
        l10n.t('This conversation is on {0} ({1}). This window is on another connection.', name, service),
      );
    };
    const more = { ...parts, sandboxOf, run, ...told, documents, log, nameOf, skillsOf, elsewhere, switchTo };
    const panels = own(new ConversationPanels({ extensionUri, memento, ...more }));
    constructed = panels;
    return panels;
  });
  const usage = lazily(async () => {
    const { UsagePanel } = await import('../features/usage/panel/panel');
    const sources = async () => {
      await opened;
      const { connections } = needs.listConnections();
      const all = await Promise.all(
        connections.map(async (connection) => ({
          connection: connection.name,
          client: (await needs.reach(connection))?.client,
        })),
      );
      return {
        sources: all.flatMap(({ connection, client }) => (client ? [{ connection, client }] : [])),
        withoutKey: all.filter(({ client }) => !client).map(({ connection }) => connection),
      };
    };
    return own(new UsagePanel({ extensionUri, sources, log }));
  });

  const comparisons = lazily(async () => {
    const { ComparisonPanels } = await import('../features/compare/panel/panel');
    const showConversation = async (...shown: Parameters<ForCommands['showConversation']>) =>
      (await tabs()).show(...shown);
    const access = (service: string) => {
      const connection = connectionTo(service);
      return connection && { name: connection.name, hasKey: keys.has(connection.origin) };
    };
    const notStarted = (service: string, ids: readonly string[]) =>
      needs.starts.notStarted(
        service,
        ids.map((id) => attemptOf(service, id)?.group),
      );
    const parts = { conversations: await conversations(), labelOf, connectionTo: access, showConversation };
    const told = { notStarted, onDidChangeStarts: needs.starts.onDidChange };
    return new ComparisonPanels({ extensionUri, memento, ...parts, ...told, run, log });
  });

  return {
    conversations,
    changes,
    dropSearched: async () => {
      const { SearchFiles } = await import('../editor/searchFiles');
      const services = needs.listConnections().connections.map(({ baseUrl }) => baseUrl);
      await new SearchFiles(searchFolder(globalStorageUri)).keepOnly(services);
    },
    restore: {
      settings: async (panel) => (await settings()).restore(panel),
      conversation: async (panel, state) => {
        await opened;
        (await tabs()).restore(panel, state);
      },
      compare: async (panel, state) => {
        await opened;
        (await comparisons()).restore(panel, state);
      },
      usage: async (panel) => (await usage()).restore(panel),
    },
    forCommands: {
      parked,
      openSettingsForm: async (section, task) => {
        (await settings()).show(section, task);
      },
      refreshSettingsForm: async () => form?.refresh(),
      undoSettingsSave: async () => (await settings()).undoSave(),
      showUsage: async () => (await usage()).show(),
      activeConversation: () => constructed?.active,
      isConversationVisible: (id) => constructed?.isVisible(id) === true,
      activeTab: () => constructed?.activeTab,
      showConversation: async (id, on, service) => (await tabs()).show(id, on, service),
      composerOf: async (id, service) => (await tabs()).composer(id, service),
      showEntry: async (id, entry, service) => (await tabs()).showEntry(id, entry, service),
      searching,
      moveInConversation: (to) => Promise.resolve(constructed?.move(to)),
      closeConversation: async (id) => (await tabs()).close(id),
      showComparison: async (service, ids) => (await comparisons()).show(service, ids),
      showAside: async (id, aside, service) => (await tabs()).showAside(id, aside, service),
      contextFinder: async () => (await import('../features/conversation/panel/context')).contextFinder,
      attachToConversation: async (id, quotes, service) => (await tabs()).attach(id, quotes, service),
    },
  };
}
