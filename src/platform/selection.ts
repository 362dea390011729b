import * as vscode from 'vscode';

/** A problem that the editor shows, in plain values; lines count from 1. */
interface Problem {
  line: number;
  severity: 'error' | 'warning' | 'information' | 'hint';
  source: string;
  message: string;
}

/** What is selected in an editor. */
export interface EditorSelection {
  path: string;
  language: string;
  parts: { firstLine: number; lastLine: number; text: string }[];
  problems: Problem[];
}

const severities = ['error', 'warning', 'information', 'hint'] as const;

/** What is selected in `editor`, from its top, with the problems that touch it, the gravest first; undefined if nothing. */
export function selectionOf({ document, selections }: vscode.TextEditor): EditorSelection | undefined {
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
      // A selection that ends before a line's first character does not hold the line.
      lastLine: part.end.character === 0 ? Math.max(part.start.line + 1, part.end.line) : part.end.line + 1,
      text: document.getText(part),
    })),
    problems: problems.map(({ range, severity, source = '', code, message }) => {
      const value = typeof code === 'object' ? code.value : code;
      return {
        line: range.start.line + 1,
        severity: severities[severity],
        source: [source, value === undefined ? '' : String(value)].filter(Boolean).join(' '),
        message,
      };
    }),
  };
}

/** Relative to the workspace; of a file outside of it only the name, as the rest tells about this computer. */
function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)
    ? vscode.workspace.asRelativePath(uri)
    : (uri.path.split('/').at(-1) ?? '');
}
