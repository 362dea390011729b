import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';
import { projectFolder } from '../../support/paths';

const members = (target: object, name: string | symbol): unknown => {
  if (name === Symbol.toPrimitive) return () => '';
  // Otherwise, it could be awaited forever, or extended by no class.
  if (name === 'then') return undefined;
  return name in target ? Reflect.get(target, name) : anything;
};

/** Answers every use of it with itself. */
const anything: object = new Proxy(Object, {
  get: members,
  apply: () => anything,
  construct: () => anything,
});

/** These members, and `anything` for every other. */
const loosely = (known: object): object => new Proxy(known, { get: members });

/** As the extension implements it. */
interface ContentProvider {
  provideTextDocumentContent: (uri: vscode.Uri) => string;
}

/** An editor in which the extension can be activated. It keeps to what the tests look at, and agrees to the rest. */
export interface LooseEditor {
  api: object;
  context: vscode.ExtensionContext;
  run: (command: string) => Promise<unknown>;
  /** The texts of the documents that were shown. */
  shown: string[];
  dispose: () => void;
}

/**
 * @param settings the user’s own, without their section
 * @param sessionKey the key of every connection
 */
export function looseEditor(settings: Record<string, unknown>, sessionKey: string): LooseEditor {
  const commands = new Map<string, () => Promise<unknown>>();
  const shown: string[] = [];
  let provider: ContentProvider | undefined;
  const subscriptions: { dispose?: () => unknown }[] = [];
  const api = loosely({
    commands: loosely({
      registerCommand: (id: string, run: () => Promise<unknown>) => commands.set(id, run),
    }),
    workspace: loosely({
      workspaceFolders: undefined,
      getConfiguration: () => ({
        get: () => undefined,
        inspect: (name: string) => ({ globalValue: settings[name] }),
      }),
      registerTextDocumentContentProvider: (_: string, registered: ContentProvider) => {
        provider = registered;
        return anything;
      },
      openTextDocument: (uri: vscode.Uri) => {
        shown.push(provider?.provideTextDocumentContent(uri) ?? '');
        return Promise.resolve(anything);
      },
    }),
    window: loosely({
      showInformationMessage: () => Promise.resolve(),
      showErrorMessage: () => Promise.resolve(),
      state: { focused: false },
    }),
    env: loosely({ language: 'en' }),
  });
  const memento = {
    get: (_key: string, otherwise?: unknown) => otherwise,
    update: () => Promise.resolve(),
    keys: () => [],
  };
  const context = loosely({
    subscriptions,
    workspaceState: memento,
    globalState: memento,
    secrets: loosely({ get: () => Promise.resolve(sessionKey) }),
    extensionPath: __dirname,
    extension: loosely({
      packageJSON: JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as object,
    }),
  }) as vscode.ExtensionContext;
  return {
    api,
    context,
    run: async (command) => commands.get(command)?.(),
    shown,
    dispose: () => {
      for (const one of subscriptions) one.dispose?.();
    },
  };
}
