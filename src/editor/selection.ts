import * as vscode from 'vscode';
import type { SelectedProblem, Selection } from '../shared/selection';

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** The selected code from top to bottom and the problems in it, the most severe first; undefined if nothing is selected. */
export function selectionOf({ document, selections }: vscode.TextEditor): Selection | undefined {
  const selected = selections
    .filter(({ isEmpty }) => !isEmpty)
    .toSorted((a, b) => a.start.compareTo(b.start));
  if (selected.length === 0) return undefined;
  const problems = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => selected.some((part) => part.intersection(range)))
    .toSorted((a, b) => a.severity - b.severity || a.range.start.compareTo(b.range.start));
  return {
    path: pathOf(document.uri),
    language: document.languageId,
    parts: selected.map((part) => ({
      firstLine: part.start.line + 1,
      // A selection that ends before the first character of a line doesn't include that line.
      lastLine: part.end.character === 0 ? Math.max(part.start.line + 1, part.end.line) : part.end.line + 1,
      text: document.getText(part),
    })),
    problems: problems.map(problemOf),
  };
}

/** What the editor reports, for a message. */
export function problemOf(diagnostic: vscode.Diagnostic): SelectedProblem {
  const { range, severity, source = '', code, message } = diagnostic;
  const value = typeof code === 'object' ? code.value : code;
  return {
    line: range.start.line + 1,
    severity: severities[severity],
    source: [source, value === undefined ? '' : String(value)].filter(Boolean).join(' '),
    message,
  };
}

/** The path of the folder that is open, if there’s only one and it’s on this computer. */
export function onlyFolder(): string | undefined {
  const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return local.length === 1 ? local[0]?.uri.fsPath : undefined;
}

/** Relative to the workspace. For a file outside, only the name, because its folders tell about this computer. */
export function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri)
    : (uri.path.split('/').at(-1) ?? '');
}
