import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from './api/http/clock';
import { bareId } from './api/http/ids';
import { createClient } from './api/service/client';
import { meansOf } from './compose/means';
import { composeAccounts, type AccountsChanged } from './compose/accounts';
import { followAutomations } from './compose/automations';
import { askToConnect, commandRunner } from './compose/commandRunner';
import { offerContext } from './compose/messageContext';
import { followBudget, followStarts, followWindow } from './compose/following';
import { composePanels, type Own } from './compose/panels';
import { otherConnections } from './compose/otherConnections';
import { reachedServices } from './compose/reachedServices';
import { showSession } from './compose/showSession';
import type { CommandDependencies, EarlyDependencies } from './compose/commands/dependencies';
import { storedStarts } from './features/start/commands/storedStarts';
import {
  attemptsState,
  changesScheme,
  commandIds,
  contextKeys,
  filesScheme,
  messageScheme,
  readMarksState,
  shelfState,
  stateIds,
  type CommandId,
  type PanelName,
} from './ids';
import { lazily } from './lazily';
import { ActiveConnection } from './editor/activeConnection';
import { ChangeFiles } from './editor/changeFiles';
import { ContextKeys } from './editor/contextKeys';
import { developmentTarget, withDevelopment } from './editor/developmentTarget';
import { rememberedGenerations } from './editor/generations';
import { GlobalState } from './editor/globalState';
import { KeptServers } from './editor/keptServers';
import { KeptSignIn } from './editor/keptSignIn';
import type { LoadFiles } from './editor/lazyFiles';
import { MessageEditor } from './editor/messageEditor';
import { MessageFile } from './editor/messageFile';
import { loadFetch } from './editor/network';
import { ExitConsent } from './editor/exitConsent';
import { ReadOnlyDocuments } from './editor/readOnlyDocuments';
import { SeenSettings } from './editor/seenSettings';
import { SessionKeys } from './editor/sessionKeys';
import { readConnections } from './editor/settings';
import { readTranslation } from './editor/translations';
import { byEnglish } from './shared/texts';
import { settingsProblemTeller } from './editor/settingsProblems';
import { onDidChangeSettings, refreshIntervalMs, watchMs } from './editor/watching';
import { WindowLock } from './editor/windowLock';
import type { Store } from './core/basics/storedList';
import type { Connection } from './shared/connection';
import { ReadMarks, AttentionFeed, type News, ToldNews } from './features/attention';
import { pauseOnExit, UsedSandboxes } from './features/sandboxes';
import { Attempts, FirstMessages, Templates, RememberedChoices } from './features/start';
import { Arrangement, Shelf } from './features/conversations';
import { Clients } from './core/session/clients';
import { MissingModels } from './core/session/missingModels';
import type { RecordRef } from './core/lists/ref';
import { ServiceModel } from './core/lists/serviceModel';
import { clientOf, SessionStore, type SessionTarget } from './core/session/session';
import { KnownSecrets } from './features/transcript';
import { maskedClient } from './features/live';
import type { Accounts } from './features/connection/commands/accounts';
import type { LanguageModelTools } from './features/tools/editor';
import { conversationsView } from './features/conversations/rows/view';
import type { Views } from './editor/rows/listView';
import { rowBadges } from './editor/rows/rowBadges';
import { sandboxesView } from './features/sandboxes/rows/view';
import { specsView } from './features/sandboxes/rows/specs/view';
import { workspacesView } from './features/workspaces/rows/view';

/** What the shell calls once a part of the extension is used. */
export interface ComposedExtension {
  /** Runs a command. Never rejects; errors are shown to the user. */
  run: (id: CommandId, args: unknown[]) => Promise<void>;
  /** The tools for language models. */
  tools: () => Promise<LanguageModelTools>;
  /** What a terminal in a sandbox is made with; undefined if the user wants none after all. */
  terminal: () => Promise<vscode.TerminalOptions | vscode.ExtensionTerminalOptions | undefined>;
  /** The accounts where the user has signed in. */
  accounts: () => Promise<Accounts>;
  /** Fills a panel that the editor restored; `state` is what its page kept. */
  restorePanel: Record<PanelName, (panel: vscode.WebviewPanel, state: unknown) => Promise<void>>;
  /** What the editor reads as files and isn’t on a disk. */
  files: Record<typeof messageScheme | typeof changesScheme | typeof filesScheme, LoadFiles>;
  /** Handles a link to this extension. */
  handleUri: (uri: vscode.Uri) => Promise<void>;
  /** Does what the user wants done when the window closes. */
  close: () => Promise<void>;
}

/** Constructs and connects everything behind the shell. All of it is disposed with the extension. */
export function compose(
  context: vscode.ExtensionContext,
  views: Views,
  accountsChanged: AccountsChanged,
): ComposedExtension {
  const own: Own = (disposable) => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const translation = readTranslation(context.extensionPath, vscode.env.language);
  if (translation) l10n.config({ contents: byEnglish(translation) });

  const log = own(vscode.window.createOutputChannel('Agent Workspace', { log: true }));
  const globalState = new GlobalState(context.globalState, systemClock.after);
  const keys = own(new SessionKeys(context.secrets, globalState, log));
  const tellProblems = settingsProblemTeller(log);
  const activeConnection = new ActiveConnection(context.workspaceState, globalState, (origin) =>
    keys.has(origin),
  );
  const development = developmentTarget(context.extensionMode === vscode.ExtensionMode.Production);
  if (development) keys.use(development.connection.origin, development.sessionKey);
  const listConnections = () => withDevelopment(readConnections(), development);

  // What protects a service's settings: `Safeguards` of the state.
  const safeguards = {
    lock: new WindowLock(vscode.Uri.joinPath(context.globalStorageUri, 'locks').fsPath),
    seen: new SeenSettings(globalState),
    kept: new KeptServers(context.secrets, log),
  };
  const marks = new ReadMarks(globalState, readMarksState, Date.now);
  const used = new UsedSandboxes(
    Date.now,
    (service, error) => starts.limits.ran(service, error),
    (service, id) => marks.acted(service, ({ sandbox_id }) => sandbox_id === id, true),
  );
  const generations = rememberedGenerations(globalState);
  const missingModels = new MissingModels();
  const known = new KnownSecrets();
  const clients = new Clients((connection, sessionKey, ended) => {
    known.learn([sessionKey]);
    const client = createClient({
      baseUrl: connection.baseUrl,
      sessionKey,
      authentication: connection.authentication,
      organization: connection.organization?.id,
      ended,
      generations,
      observer: used.of(connection.baseUrl),
      ...meansOf(connection, log, known),
    });
    return missingModels.noting(maskedClient(client, known));
  });

  const signInAt = async (connection: Connection) => {
    const { deviceSignIn } = await import('./api/service/deviceSignIn');
    return deviceSignIn({ baseUrl: connection.baseUrl, ...meansOf(connection, log, known) });
  };

  const readTarget = async (): Promise<SessionTarget | undefined> => {
    const { connections, problems } = listConnections();
    tellProblems(problems);
    const connection = activeConnection.of(connections);
    if (!connection) return undefined;
    const sessionKey = keys.get(connection.origin);
    loadFetch(connection.network);
    return { connection, sessionKey: await sessionKey };
  };

  const reach = reachedServices({ keys, createClient: clients.create });
  const session = own(new SessionStore({ readTarget, createClient: clients.create, seen: safeguards.seen }));
  const attempts = new Attempts(globalState, attemptsState);
  const starts = storedStarts(context.workspaceState, attempts);
  const model = own(
    new ServiceModel({
      session,
      startedAs: (id) => starts.startedAs(id),
      intervalMs: refreshIntervalMs,
      watchMs,
      clock: systemClock,
    }),
  );
  const kept = (id: string): Store => ({
    read: () => globalState.get(id),
    write: (value) => void globalState.update(id, value),
  });
  const keptSignIn = new KeptSignIn(context.workspaceState, context.secrets);
  const signInNeeds = { session, keys, createClient: clients.create, listConnections, signInAt, keptSignIn };
  const { accounts, followAccounts } = composeAccounts(globalState, accountsChanged, signInNeeds);
  const arrangement = new Arrangement(context.workspaceState, stateIds.arrangement);
  const told = new ToldNews(globalState, stateIds.toldNews, Date.now);
  const isLookedAt = (service: string, id: string) => marks.isLookedAt(service, id);
  const feed = own(new AttentionFeed({ session, model, told, starts, isLookedAt }));
  const opened = session.reload();
  const others = otherConnections(own, {
    ...{ session, model, keys, starts, listConnections, arrangement, reach, feed, told, opened, isLookedAt },
  });
  const shelf = new Shelf(globalState, shelfState);
  const editorKeys = new ContextKeys();
  const automations = followAutomations(own, {
    ...{ session, others, told, isLookedAt, editorKeys, createTree: views.createTree },
  });
  followBudget(own, model, others, globalState);
  followWindow(own, model, feed, marks, others, automations);
  own(model.onDidChange(() => marks.observe(serviceOf(session), model.conversations.state.items)));
  own(
    others.onDidChange(() => {
      for (const { connection, list } of others.shown ?? []) marks.observe(connection.baseUrl, list.items);
    }),
  );
  own(
    keys.onDidChange(({ origin, sessionKey }) => {
      clients.keyChanged(origin, sessionKey);
      void session.reload();
      followAccounts();
    }),
  );
  own(
    onDidChangeSettings('connections', () => {
      clients.connectionsChanged(listConnections().connections);
      void panels.dropSearched();
      void session.reload();
      followAccounts();
    }),
  );
  own(onDidChangeSettings('refreshIntervalSeconds', () => model.reschedule()));
  own(onDidChangeSettings('watchSeconds', () => model.reschedule()));

  own(vscode.window.registerFileDecorationProvider(rowBadges));
  views.sandbox.attach(sandboxesView(session, model, attempts), opened, editorKeys);
  followStarts(own, session, model, starts);
  views.conversation.attach(
    conversationsView({
      ...{ session, model, arrangement, starts, marks, shelf, attempts, others },
      connections: () => listConnections().connections,
    }),
    opened,
    editorKeys,
  );
  views.spec.attach(specsView(session, model), opened, editorKeys);
  views.workspace.attach(workspacesView(session, model, attempts), opened, editorKeys);
  editorKeys.set(contextKeys.applied, context.workspaceState.get(stateIds.undo) !== undefined);
  own(used.onDidUse(() => editorKeys.set(contextKeys.started, true)));
  const exit = own(new ExitConsent(globalState));
  const documents = own(new ReadOnlyDocuments());
  const messageFile = new MessageFile(context.workspaceState);
  const message = own(new MessageEditor(messageFile));

  const panels = composePanels(own, context, {
    ...{
      session,
      model,
      starts,
      keys,
      globalState,
      safeguards,
      known,
      generations,
      contextKeys: editorKeys,
      documents,
      log,
      opened,
      listConnections,
      reach,
      activeConnection,
      others,
      attempts,
      createTree: views.createTree,
    },
    run: (id, args) => run(id, args),
    setVisible: (service, id, visible) => marks.setVisible(service, id, visible),
    acted: (service, id, stops) => marks.acted(service, (one) => bareId(one.id) === bareId(id), stops),
  });
  own(offerContext(panels.forCommands.contextFinder));
  const reveal = (ref: RecordRef, focus?: boolean) => views[ref.kind].reveal(ref, focus);
  const dependencies: EarlyDependencies = {
    session,
    model,
    arrangement,
    marks,
    others,
    automations,
    shelf,
    attempts,
    isShelfTold: () => globalState.get(stateIds.shelfTold) === true,
    shelfTold: () => globalState.update(stateIds.shelfTold, true),
    starts,
    choices: new RememberedChoices(kept(stateIds.choices)),
    firstMessages: new FirstMessages(kept(stateIds.firstMessages), known.mask, Date.now),
    templates: new Templates(kept(stateIds.templates), known.mask),
    message,
    keys,
    kept: safeguards.kept,
    lock: safeguards.lock,
    activeConnection,
    listConnections,
    createClient: clients.create,
    ...{ signInAt, keptSignIn },
    keyEnd: clients.endOf,
    reveal,
    focusConversations: () => views.conversation.focus(),
    showDocument: (...document) => documents.show(...document),
    ...panels.forCommands,
    readTarget,
    log,
    run: (id, args) => run(id, args),
  };
  if (context.workspaceState.get(stateIds.signIn))
    void opened.then(() => run(commandIds.connectionConnect, [{ resumes: true }]));
  const hasStored = (key: string) => (context.workspaceState.get<unknown[]>(key) ?? []).length > 0;
  // Any earlier, the welcome text would describe a state that isn't known yet.
  void opened.then(() =>
    showSession(own, editorKeys, { session, model, arrangement, listConnections }, others, missingModels),
  );
  const terminals = lazily(async () => {
    const { Terminals } = await import('./features/place/commands/terminals');
    const { workspaceState: memento } = context;
    const store = {
      read: () => memento.get<unknown>(stateIds.terminals),
      write: (kept: unknown) => void memento.update(stateIds.terminals, kept),
    };
    return own(new Terminals(await panels.conversations(), store));
  });
  if (hasStored(stateIds.terminals)) void opened.then(async () => (await terminals()).restore());
  const folders = lazily(async () => {
    const { placeFolders } = await import('./compose/sandboxFolders');
    return placeFolders(own, await panels.conversations(), () => listConnections().connections);
  });
  const loaded = async (): Promise<CommandDependencies> => ({
    ...dependencies,
    ...(await panels.changes()),
    conversations: await panels.conversations(),
    terminals: await terminals(),
    ...(await folders()),
  });
  const run = commandRunner(session, log, opened, async () => {
    const { commandHandlers } = await import('./compose/commands/index');
    return commandHandlers(dependencies, loaded);
  });
  // Changes that were on their way when the window closed.
  if (hasStored(stateIds.deliveries)) {
    void opened.then(async () => {
      const { followLeftDeliveries } = await import('./features/start/commands/leftDeliveries');
      own(followLeftDeliveries(await loaded()));
    });
  }
  const tools = lazily(async () => {
    await opened;
    const { languageModelTools } = await import('./features/tools/editor');
    const { onlyFolder: openFolder } = await import('./editor/selection');
    const { conversations, forCommands } = panels;
    const newSearch = async () => (await forCommands.searching()).create();
    return languageModelTools({ session, model, starts, conversations, newSearch, openFolder });
  });
  const tell = async (news: News) => {
    const { notify } = await import('./features/attention/rows/notifier');
    await notify({ session, model, attempts, activeConnection, listConnections, reveal, run }, news);
  };
  for (const source of [feed, others, automations]) own(source.onDidHappen((news) => void tell(news)));
  return {
    run,
    tools,
    accounts,
    terminal: async () => {
      await opened;
      const { chooseTerminal } = await import('./features/place/commands/openTerminal');
      if (clientOf(session.current)) return chooseTerminal(await loaded(), undefined);
      await askToConnect();
      return undefined;
    },
    restorePanel: panels.restore,
    files: {
      [messageScheme]: () => Promise.resolve(messageFile),
      [changesScheme]: async () => {
        await opened;
        return new ChangeFiles((await panels.changes()).read);
      },
      [filesScheme]: async () => {
        await opened;
        return (await folders()).sandboxFolders;
      },
    },
    handleUri: async (uri) => {
      const { handleUri } = await import('./editor/uriHandler');
      const { followLink } = await import('./features/live/commands/followLink');
      await opened;
      await handleUri(uri, {
        connect: (proposal) => run(commandIds.connectionConnect, [proposal]),
        openConversation: (target, connect) => followLink(dependencies, target, run, connect),
      });
    },
    close: async () => {
      const client = clientOf(session.current);
      if (!client || !exit.agreed) return;
      const { baseUrl } = client;
      const readAt = model.sandboxes.state.readAt ?? -Infinity;
      const known = (id: string) =>
        used.isSettled(baseUrl, id, readAt) ? model.sandboxes.get(id) : undefined;
      await pauseOnExit(client, used.at(baseUrl), known);
    },
  };
}

/** The base URL of the connected service; empty without one. */
const serviceOf = (session: SessionStore) => clientOf(session.current)?.baseUrl ?? '';
