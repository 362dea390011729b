import * as vscode from 'vscode';
import type { ErrorReason } from '../api/http/errors';
import { extensionId } from '../ids';
import { helpSection } from './helpSections';

/** Opens what the packaged guide says about a failure; it is there without a network, too. */
export async function showHelp(reason: ErrorReason): Promise<void> {
  const folder = vscode.extensions.getExtension(extensionId)?.extensionUri;
  if (!folder) return;
  const guide = vscode.Uri.joinPath(folder, 'docs', 'troubleshooting.md');
  try {
    await vscode.commands.executeCommand(
      'markdown.showPreview',
      guide.with({ fragment: helpSection[reason] }),
    );
  } catch {
    // The editor's own Markdown extension can be switched off; the text reads well by itself.
    await vscode.window.showTextDocument(guide);
  }
}
