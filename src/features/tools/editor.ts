import * as vscode from 'vscode';
import type { ToolId } from '../../ids';
import { signalOf } from '../../editor/progress';
import { questionMarkdown } from './questionMarkdown';
import { Toolbox, type ToolNeeds } from './toolbox';

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
