import * as vscode from 'vscode';
import type { Composed } from './compose';
import { commandIds, messageScheme, settingsPanelType, toolIds, viewIds } from './ids';
import { lazily } from './lazily';
import { MessageFile } from './platform/messageFile';
import { ListView } from './views/listView';

/** The trees, by the kind of row that they hold. */
export interface Views {
  readonly sandbox: ListView;
  readonly conversation: ListView;
  readonly spec: ListView;
}

/**
 * What has to be there the moment the editor activates the extension: commands, trees, tools, the restoring of the settings
 * form and the following of links. Everything behind them is read when one of them is first used, so that activation
 * costs next to nothing.
 *
 * @returns what ends it; it looks at what is there before it waits, because the editor disposes the rest meanwhile
 */
export function openShell(context: vscode.ExtensionContext): () => Promise<void> | undefined {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  let present: Composed | undefined;
  const composed = lazily(
    async () => (present = (await import('./compose')).compose(context, views, messageFile)),
  );
  const wanted = () => void composed();
  const views: Views = {
    sandbox: own(new ListView(viewIds.sandboxes, wanted)),
    conversation: own(new ListView(viewIds.conversations, wanted)),
    spec: own(new ListView(viewIds.specs, wanted)),
  };
  // A message that was being written when the window closed opens with it again.
  const messageFile = new MessageFile(context.workspaceState);
  own(vscode.workspace.registerFileSystemProvider(messageScheme, messageFile, { isCaseSensitive: true }));
  for (const id of Object.values(commandIds)) {
    const run = async (...args: unknown[]) => (await composed()).run(id, args);
    own(vscode.commands.registerCommand(id, run));
  }
  for (const id of Object.values(toolIds)) {
    const tools = async () => (await composed()).tools();
    own(
      vscode.lm.registerTool(id, {
        prepareInvocation: async ({ input }, token) => (await tools()).prepare(id, input, token),
        invoke: async ({ input }, token) => (await tools()).invoke(id, input, token),
      }),
    );
  }
  own(
    vscode.window.registerWebviewPanelSerializer(settingsPanelType, {
      deserializeWebviewPanel: async (panel) => (await composed()).restoreSettingsPanel(panel),
    }),
  );
  own(vscode.window.registerUriHandler({ handleUri: async (uri) => (await composed()).handleUri(uri) }));
  return () => present?.close();
}
