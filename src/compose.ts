import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { createClient } from './api/client';
import type { CommandDependencies, Handler } from './commands/dependencies';
import { commandIds, contextKeys, stateIds, type CommandId } from './ids';
import { lazily } from './lazily';
import { ActiveConnection } from './platform/activeConnection';
import { ContextKeys } from './platform/contextKeys';
import { developmentTarget } from './platform/developmentTarget';
import { describeError } from './platform/errorText';
import { logRequest } from './platform/log';
import { MessageEditor } from './platform/messageEditor';
import type { MessageFile } from './platform/messageFile';
import { networkOf } from './platform/network';
import { showError } from './platform/progress';
import { PauseOnExit } from './platform/pauseOnExit';
import { ReadOnlyDocuments } from './platform/readOnlyDocuments';
import { SessionKeys } from './platform/sessionKeys';
import { onDidChangeConnections, readConnections, refreshIntervalMs } from './platform/settings';
import { settingsProblemTeller } from './platform/settingsProblems';
import { StatusBar } from './platform/statusBar';
import type { Connection } from './shared/connection';
import { AttentionFeed, type News } from './state/attentionFeed';
import { pauseOnExit } from './state/pauseOnExit';
import { Arrangement } from './state/arrangement';
import type { Ref } from './state/ref';
import { ServiceModel } from './state/serviceModel';
import { clientOf, SessionStore, type Session, type SessionTarget } from './state/session';
import { StartFailed } from './state/startConversation';
import { StartTasks } from './state/startTasks';
import { UsedSandboxes } from './state/usedSandboxes';
import type { Views } from './shell';
import type { LanguageModelTools } from './tools';
import { conversationsView } from './views/conversations/provider';
import { sandboxesView } from './views/sandboxes/provider';
import { specsView } from './views/specs/provider';
import { statusBarContent } from './views/statusBar';

/** What the shell calls once something is used. */
export interface Composed {
  /** Runs a command. Never rejects: what goes wrong is shown. */
  run: (id: CommandId, args: unknown[]) => Promise<void>;
  /** The tools for language models. */
  tools: () => Promise<LanguageModelTools>;
  /** Fills a settings form that the editor brought back. */
  restoreSettingsPanel: (panel: vscode.WebviewPanel) => Promise<void>;
  /** Follows a link to this extension. */
  handleUri: (uri: vscode.Uri) => Promise<void>;
  /** Does what the user wants done when the window ends. */
  close: () => Promise<void>;
}

/** Constructs and connects everything behind the shell; what it makes ends with the extension. */
export function compose(context: vscode.ExtensionContext, views: Views, messageFile: MessageFile): Composed {
  const own = <T extends { dispose(): unknown }>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });

  const log = own(vscode.window.createOutputChannel('Agent Workspace', { log: true }));
  const keys = own(new SessionKeys(context.secrets, context.globalState, log));
  const tellProblems = settingsProblemTeller(log);
  const activeConnection = new ActiveConnection(context.workspaceState);
  const development = developmentTarget(context.extensionMode);

  const used = new UsedSandboxes();
  const clientFor = (connection: Connection, sessionKey: string) =>
    used.noting(
      createClient({
        baseUrl: connection.baseUrl,
        sessionKey,
        ...networkOf(connection.network),
        log: (event) => logRequest(log, event),
      }),
    );

  const readTarget = async (): Promise<SessionTarget | undefined> => {
    if (development) return development;
    const { connections, problems } = readConnections();
    tellProblems(problems);
    const connection = activeConnection.of(connections);
    return connection && { connection, sessionKey: await keys.get(connection.origin) };
  };

  const session = new SessionStore({ readTarget, createClient: clientFor });
  const model = own(
    new ServiceModel({
      session,
      intervalMs: refreshIntervalMs,
      timer: { setTimeout, clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout) },
      now: Date.now,
    }),
  );
  const arrangement = new Arrangement(context.workspaceState, stateIds.arrangement);
  followWindow(own, model);
  own(keys.onDidChange(() => void session.reload()));
  own(onDidChangeConnections(() => void session.reload()));

  views.sandbox.attach(sandboxesView(session, model));
  const starts = startTasks(context.workspaceState);
  followStarts(own, session, model, starts);
  views.conversation.attach(conversationsView(session, model, arrangement, starts));
  views.spec.attach(specsView(session, model));
  showSession(own, session, model);
  own(used.onDidUse(() => void vscode.commands.executeCommand('setContext', contextKeys.started, true)));
  const exit = own(new PauseOnExit(context.globalState));
  const documents = own(new ReadOnlyDocuments());
  const message = own(new MessageEditor(messageFile));

  const settingsPanel = lazily(async () => {
    const { SettingsPanel } = await import('./settingsPanel/panel');
    const { ParkedServers } = await import('./platform/parkedServers');
    return own(
      new SettingsPanel({
        extensionUri: context.extensionUri,
        globalStorageUri: context.globalStorageUri,
        memento: context.workspaceState,
        session,
        parked: own(new ParkedServers(context.globalState, context.secrets, log)),
        log,
      }),
    );
  });
  const reveal = async (ref: Ref) => {
    if (!('id' in ref)) return;
    const view = ref.kind === 'start' ? views.conversation : views[ref.kind];
    await view.reveal(`${ref.kind}/${ref.id}`);
  };
  const dependencies: CommandDependencies = {
    session,
    model,
    arrangement,
    starts,
    message,
    keys,
    activeConnection,
    createClient: clientFor,
    reveal,
    openSettingsForm: async (section, task) => (await settingsPanel()).show(section, task),
    undoSettingsSave: async () => (await settingsPanel()).undoSave(),
    showDocument: (...document) => documents.show(...document),
    readTarget,
    log,
  };
  const opened = session.reload();
  const run = commandRunner(dependencies, opened);
  const tools = lazily(async () => {
    await opened;
    return (await import('./tools')).languageModelTools({ session, model, starts });
  });
  const tell = async (news: News) => {
    const { notify } = await import('./views/attention/notifier');
    await notify({ session, reveal, run }, news);
  };
  const feed = own(new AttentionFeed(session, model, Date.now));
  own(feed.onDidHappen((news) => void tell(news)));
  return {
    run,
    tools,
    restoreSettingsPanel: async (panel) => (await settingsPanel()).restore(panel),
    handleUri: async (uri) => {
      const { handleUri } = await import('./platform/uriHandler');
      await handleUri(uri, (proposal) => run(commandIds.connectionConnect, [proposal]));
    },
    close: async () => {
      const client = clientOf(session.current);
      if (!client || !exit.agreed) return;
      await pauseOnExit(client, used.at(client.baseUrl), (id) => model.sandboxes.get(id));
    },
  };
}

type Own = <T extends { dispose(): unknown }>(disposable: T) => T;

/** Runs commands, whose code is read with the first one. */
function commandRunner(dependencies: CommandDependencies, opened: Promise<void>): Composed['run'] {
  const handlers = lazily(async () => (await import('./commands/index')).commandHandlers(dependencies));
  return async (id, args) => {
    try {
      // The command itself may have woken the extension.
      await opened;
      if (!worksUnconnected.has(id) && !clientOf(dependencies.session.current)) {
        await askToConnect();
        return;
      }
      const handler: Handler = (await handlers())[id];
      await handler(...args);
    } catch (error) {
      dependencies.log.error(`${id} failed`);
      await showError(l10n.t('The command failed.'), error);
    }
  };
}

const worksUnconnected = new Set<CommandId>([
  commandIds.connectionConnect,
  commandIds.connectionSwitch,
  commandIds.connectionRemove,
  commandIds.connectionDiagnose,
  commandIds.sessionSetKey,
  commandIds.sessionClearKey,
  commandIds.logsShow,
]);

async function askToConnect(): Promise<void> {
  const connect = l10n.t('Connect…');
  const picked = await vscode.window.showInformationMessage(
    l10n.t('This window is not connected to an agent workspace service yet.'),
    connect,
  );
  if (picked === connect) await vscode.commands.executeCommand(commandIds.connectionConnect);
}

function followWindow(own: Own, model: ServiceModel): void {
  model.setFocused(vscode.window.state.focused);
  own(vscode.window.onDidChangeWindowState(({ focused }) => model.setFocused(focused)));
}

/** The starts of conversations, those of the window's former life among them. */
function startTasks(memento: vscode.Memento): StartTasks {
  return new StartTasks({
    read: () => memento.get(stateIds.starts),
    write: (value) => void memento.update(stateIds.starts, value),
    newId: randomUUID,
    wait: (ms, signal) => wait(ms, undefined, { signal }),
    describe: (error) => {
      if (error instanceof StartFailed) return error.message;
      const { message, nextStep } = describeError(error);
      return `${message} ${nextStep}`;
    },
  });
}

/** Goes on following, at each service that the window is connected to, what was begun there. */
function followStarts(own: Own, session: SessionStore, model: ServiceModel, starts: StartTasks): void {
  const follow = async ({ kind }: Session) => {
    const client = kind === 'ready' ? clientOf(session.current) : undefined;
    if (client && (await starts.resume(client))) await model.refresh('conversations', 'sandboxes');
  };
  own(session.onDidChange((present) => void follow(present)));
}

/** Keeps context keys and status bar in step with session and lists. */
function showSession(own: Own, session: SessionStore, model: ServiceModel): void {
  const keys = new ContextKeys();
  const statusBar = own(new StatusBar(l10n.t('Agent Workspace')));
  const show = () => {
    const { sandboxes, conversations, specs } = model;
    keys.set(contextKeys.session, session.current.kind);
    keys.set(contextKeys.reason, reasonOf(session.current));
    keys.set(contextKeys.sandboxesLoaded, sandboxes.state.loaded);
    keys.set(contextKeys.conversationsLoaded, conversations.state.loaded);
    keys.set(contextKeys.specsLoaded, specs.state.loaded);
    keys.set(contextKeys.conversationsFiltered, model.filter !== undefined);
    const content = statusBarContent({
      session: session.current,
      runningSandboxes: sandboxes.state.loaded ? model.runningSandboxes : undefined,
      waitingConversations: model.waitingConversations,
      stale: sandboxes.state.error !== undefined,
    });
    statusBar.show(content);
  };
  own(model.onDidChange(show));
  show();
}

function reasonOf(session: Session): string | undefined {
  if (!('error' in session)) return undefined;
  return session.newerGeneration ? 'newerGeneration' : session.error.reason;
}
