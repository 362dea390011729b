import * as vscode from 'vscode';
import type { ComposedExtension } from './compose';
import {
  authenticationId,
  changesScheme,
  type CommandId,
  filesScheme,
  messageScheme,
  type PanelName,
  panelTypes,
  stateIds,
  terminalProfileId,
  type ToolId,
  viewIds,
} from './ids';
import { lazily } from './lazily';
import { LazyFiles } from './editor/lazyFiles';
import { whenWatched } from './editor/watching';
import { ListView, type Views } from './editor/rows/listView';
import { RowTree } from './editor/rows/rowTree';

/** What the editor has read anyway. A test compares it with the ids of the code, which would be half of what is read here. */
interface Manifest {
  contributes: { commands: { command: CommandId }[]; languageModelTools: { name: ToolId }[] };
}

/**
 * Registers what the editor needs at activation: commands, trees, tools, handlers for links and the restored settings
 * form, and a timer. Everything behind them loads when one of them is first used, so that activation costs next to
 * nothing.
 *
 * @returns a function to call when the window closes; it reads the state before it waits, because the editor disposes
 * everything else in the meantime
 */
export function openShell(context: vscode.ExtensionContext): () => Promise<void> | undefined {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  let running: ComposedExtension | undefined;
  const composed = lazily(
    async () => (running = (await import('./compose')).compose(context, views, accountsChanged)),
  );
  const accountsChanged = own(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  const accounts = async () => (await composed()).accounts();
  own(
    vscode.authentication.registerAuthenticationProvider(
      authenticationId,
      'Agent Workspace',
      {
        onDidChangeSessions: accountsChanged.event,
        getSessions: async (scopes) =>
          context.globalState.get(stateIds.signedIn) ? (await accounts()).getSessions(scopes) : [],
        createSession: async (scopes) => (await accounts()).createSession(scopes),
        removeSession: async (id) => (await accounts()).removeSession(id),
      },
      { supportsMultipleAccounts: true },
    ),
  );
  const wanted = () => void composed();
  const views: Views = {
    sandbox: own(new ListView(viewIds.sandboxes, wanted)),
    conversation: own(new ListView(viewIds.conversations, wanted)),
    spec: own(new ListView(viewIds.specs, wanted)),
    workspace: own(new ListView(viewIds.workspaces, wanted)),
    createTree: () => new RowTree(),
  };
  const offerFiles = (scheme: keyof ComposedExtension['files'], isReadonly: boolean) => {
    const files = new LazyFiles(lazily(async () => (await composed()).files[scheme]()));
    own(vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true, isReadonly }));
  };
  // The editor reopens a message that was being written when the window closed.
  offerFiles(messageScheme, false);
  offerFiles(changesScheme, true);
  offerFiles(filesScheme, false);
  const { commands, languageModelTools } = (context.extension.packageJSON as Manifest).contributes;
  for (const { command: id } of commands) {
    const run = async (...args: unknown[]) => (await composed()).run(id, args);
    own(vscode.commands.registerCommand(id, run));
  }
  for (const { name: id } of languageModelTools) {
    const tools = async () => (await composed()).tools();
    own(
      vscode.lm.registerTool(id, {
        prepareInvocation: async ({ input }, token) => (await tools()).prepare(id, input, token),
        invoke: async ({ input }, token) => (await tools()).invoke(id, input, token),
      }),
    );
  }
  for (const [name, type] of Object.entries(panelTypes)) {
    const restore = async (panel: vscode.WebviewPanel, state: unknown) =>
      (await composed()).restorePanel[name as PanelName](panel, state);
    own(vscode.window.registerWebviewPanelSerializer(type, { deserializeWebviewPanel: restore }));
  }
  own(
    vscode.window.registerTerminalProfileProvider(terminalProfileId, {
      provideTerminalProfile: async () => {
        const options = await (await composed()).terminal();
        // The editor shows an error unless it gets a terminal.
        return options ? new vscode.TerminalProfile(options) : new Promise(() => undefined);
      },
    }),
  );
  own(vscode.window.registerUriHandler({ handleUri: async (uri) => (await composed()).handleUri(uri) }));
  own(whenWatched(context, wanted));
  if ([stateIds.terminals, stateIds.signIn].some((id) => context.workspaceState.get(id))) wanted();
  return () => running?.close();
}
