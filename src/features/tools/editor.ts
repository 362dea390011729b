import * as vscode from 'vscode';
import type { ToolId } from '../../ids';
import { signalOf } from '../../editor/progress';
import { Toolbox, type ToolNeeds } from './toolbox';
import { questionText } from './questionText';
import type { Question } from './tool';

type Call<T> = (id: ToolId, input: unknown, token: vscode.CancellationToken) => Promise<T>;

/** The tools in the editor's terms; `openShell` registers them under their ids. */
export interface LanguageModelTools {
  prepare: Call<vscode.PreparedToolInvocation>;
  invoke: Call<vscode.LanguageModelToolResult>;
}

export function languageModelTools(needs: ToolNeeds): LanguageModelTools {
  const toolbox = new Toolbox(needs);
  return {
    prepare: async (id, input, token) => {
      const { doing, question } = await toolbox.prepare(id, input, signalOf(token));
      return {
        invocationMessage: doing,
        ...(question && {
          confirmationMessages: { title: question.title, message: questionMarkdown(question) },
        }),
      };
    },
    invoke: async (id, input, token) => {
      const text = await toolbox.invoke(id, input, signalOf(token));
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

/** A question as the editor shows it. The editor would read a plain string as Markdown, including command links. */
export function questionMarkdown(question: Question): vscode.MarkdownString {
  return new vscode.MarkdownString(questionText(question));
}
