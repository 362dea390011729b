import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, messageScheme } from '../../src/ids';

const code = 'const a = `x`;\nconst b: number = a;\nconst c = 3;\n';

describe('starting a conversation about a selection', () => {
  const problems = vscode.languages.createDiagnosticCollection('checker');
  const opened: vscode.TextDocument[] = [];
  const messages = () =>
    vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === messageScheme && !isClosed);

  after(async () => {
    problems.dispose();
    for (const document of [...opened, ...messages()]) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  const select = async (selection: vscode.Selection) => {
    const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content: code });
    opened.push(document);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = selection;
    return document;
  };

  it('adds lines, code, and problems of the selection below the existing message', async () => {
    const document = await select(new vscode.Selection(0, 0, 2, 0));
    const problem = (line: number, message: string, severity: vscode.DiagnosticSeverity) =>
      new vscode.Diagnostic(new vscode.Range(line, 6, line, 7), message, severity);
    problems.set(document.uri, [
      problem(0, 'Never read.', vscode.DiagnosticSeverity.Hint),
      Object.assign(problem(1, 'Not a\nnumber.', vscode.DiagnosticSeverity.Error), {
        source: 'ts',
        code: 2322,
      }),
      problem(2, 'Elsewhere.', vscode.DiagnosticSeverity.Error),
    ]);
    await vscode.commands.executeCommand(commandIds.conversationStartFromSelection);
    const [message] = messages();
    assert.equal(vscode.window.activeTextEditor?.document, message);
    const text = message?.getText() ?? '';
    assert.ok(text.includes('lines 1–2:'), text);
    assert.ok(text.includes('```plaintext\nconst a = `x`;\nconst b: number = a;\n```'), text);
    assert.deepEqual(text.match(/^- .*$/gm), [
      '- line 2, error (ts 2322): Not a number.',
      '- line 1, hint: Never read.',
    ]);
    await select(new vscode.Selection(2, 0, 2, 12));
    await vscode.commands.executeCommand(commandIds.conversationStartFromSelection);
    const both = messages()[0]?.getText() ?? '';
    assert.ok(both.startsWith(text.trimEnd()), both);
    assert.ok(both.includes('line 3:\n\n```plaintext\nconst c = 3;\n```'), both);
  });
});
