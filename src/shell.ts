import * as vscode from 'vscode';
import { commandIds, settingsPanelType, viewIds } from './ids';
import { lazily } from './lazily';
import { ListView } from './views/listView';

/** The trees, by the kind of row that they hold. */
export interface Views {
  readonly sandbox: ListView;
  readonly conversation: ListView;
  readonly spec: ListView;
}

/**
 * What has to be there the moment the editor activates the extension: commands, trees, and the restoring of the settings
 * form. Everything behind them is read when one of them is first used, so that activation costs next to nothing.
 */
export function openShell(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const composed = lazily(async () => (await import('./compose')).compose(context, views));
  const wanted = () => void composed();
  const views: Views = {
    sandbox: own(new ListView(viewIds.sandboxes, wanted)),
    conversation: own(new ListView(viewIds.conversations, wanted)),
    spec: own(new ListView(viewIds.specs, wanted)),
  };
  for (const id of Object.values(commandIds)) {
    const run = async (...args: unknown[]) => (await composed()).run(id, args);
    own(vscode.commands.registerCommand(id, run));
  }
  own(
    vscode.window.registerWebviewPanelSerializer(settingsPanelType, {
      deserializeWebviewPanel: async (panel) => (await composed()).restoreSettingsPanel(panel),
    }),
  );
}
