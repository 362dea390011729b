import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askMany, askPick, askText, back } from '../../../../editor/inputs';
import { openAddress } from '../../../../editor/openAddress';
import { findSources, readSource, sourceHost } from '../../../../editor/mcpSources';
import { candidateSources, userFolders } from '../../model/import/sources';
import type { Position } from '../../model/import/types';
import type { ExportFile, ServerPorts, ServerSource } from '../ports';

/** The editor’s side of import, export and test. */
export function editorServerPorts(globalStorage: vscode.Uri): ServerPorts {
  return {
    chooseOne: async (question) => {
      const answer = await askPick({ ...question, items: question.choices });
      return answer === undefined || answer === back ? answer : answer.value;
    },
    chooseMany: async (question) => {
      const answer = await askMany({ ...question, items: question.choices });
      return answer === undefined || answer === back ? answer : answer.map(({ value }) => value);
    },
    askText,
    tell: async (kind, message, ...actions) =>
      kind === 'error'
        ? vscode.window.showErrorMessage(message, ...actions)
        : vscode.window.showInformationMessage(message, ...actions),
    ask: async (message, action) => vscode.window.showWarningMessage(message, { modal: true }, action),
    findSources: async () => {
      const host = await sourceHost(globalStorage, userFolders);
      return (await findSources(candidateSources(host))).map(({ label, uri }) => sourceAt(uri, label));
    },
    chooseSource: async () => {
      const [uri] =
        (await vscode.window.showOpenDialog({
          title: l10n.t('Import MCP Servers'),
          openLabel: l10n.t('Import'),
          filters: { JSON: ['json', 'jsonc', 'mcpb', 'dxt'] },
        })) ?? [];
      return uri && sourceAt(uri, uri.path.split('/').at(-1) ?? '');
    },
    clipboard: async () => vscode.env.clipboard.readText(),
    openAddress,
    environment: process.env,
    workspaceFiles: () =>
      (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) =>
        exportFile(
          vscode.Uri.joinPath(uri, '.vscode', 'mcp.json'),
          l10n.t('{0} in folder {1}', '.vscode/mcp.json', name),
        ),
      ),
    chooseTarget: async () => {
      const uri = await vscode.window.showSaveDialog({
        title: l10n.t('Export MCP Servers'),
        filters: { JSON: ['json'] },
      });
      return uri && exportFile(uri, uri.path.split('/').at(-1) ?? '');
    },
    showNew: async (content) => {
      const document = await vscode.workspace.openTextDocument({ language: 'jsonc', content });
      await vscode.window.showTextDocument(document);
    },
    test: async (options) => {
      const { probeMcpServer } = await import('../../../../api/mcp/probe');
      // The editor’s own fetch, which follows its proxy and certificate settings.
      return probeMcpServer({ ...options, fetch: (input, init) => globalThis.fetch(input, init) });
    },
  };
}

function sourceAt(uri: vscode.Uri, label: string): ServerSource {
  return {
    label,
    place: vscode.workspace.asRelativePath(uri),
    read: (maxBytes) => readSource(uri, maxBytes),
    open: (position) => openAt(uri, position),
  };
}

async function openAt(uri: vscode.Uri, position: Position | null): Promise<void> {
  const at = position && new vscode.Position(position.line - 1, position.column - 1);
  await vscode.window.showTextDocument(uri, at ? { selection: new vscode.Range(at, at) } : {});
}

/** Edits the editor's own document, so unsaved changes are kept. */
function exportFile(uri: vscode.Uri, label: string): ExportFile {
  return {
    label,
    read: async () =>
      (await exists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : undefined,
    write: async (text) => {
      if (!(await exists(uri))) {
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
        return true;
      }
      const document = await vscode.workspace.openTextDocument(uri);
      const wasDirty = document.isDirty;
      const edit = new vscode.WorkspaceEdit();
      const end = document.lineAt(document.lineCount - 1).range.end;
      edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
      if (!(await vscode.workspace.applyEdit(edit))) throw new Error(l10n.t('Couldn’t change the file.'));
      return !wasDirty && (await document.save());
    },
    open: (position) => openAt(uri, position),
  };
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}
