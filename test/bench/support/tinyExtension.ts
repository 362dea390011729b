import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectFolder } from '../../support/paths';

export interface TinyExtension {
  name: string;
  /** Manifest members in addition to those that every extension needs. */
  manifest: Record<string, unknown>;
  /** The CommonJS source of its only file. */
  source: string;
}

const publisher = 'agent-workspace-bench';

export const tinyExtensionId = ({ name }: TinyExtension): string => `${publisher}.${name}`;

/** Contributes one command and does nothing: the least that activating an extension can cost. */
export const emptyExtension: TinyExtension = {
  name: 'empty',
  manifest: { contributes: { commands: [{ command: 'benchEmpty.nothing', title: 'Bench: Nothing' }] } },
  source: 'exports.activate = () => {};',
};

interface Contributions {
  commands: { command: string }[];
  views: Record<string, { id: string; icon?: string }[]>;
  viewsContainers: { activitybar: { icon: string }[] };
  languageModelTools: { name: string; toolReferenceName: string }[];
}

/**
 * Registers everything that ours registers on activation, under its own ids and with empty bodies: the least that
 * activating ours can cost.
 */
export function floorExtension(): TinyExtension {
  const text = readFileSync(path.join(projectFolder, 'package.json'), 'utf8');
  const manifest = JSON.parse(
    text.replaceAll('agentWorkspace', 'benchFloor').replaceAll('agent-workspace', 'bench-floor'),
  ) as { activationEvents: string[]; contributes: Contributions };
  const activationEvents = manifest.activationEvents.filter((event) => event !== 'onStartupFinished');
  const registered = (kind: string) =>
    activationEvents.flatMap((event) => (event.startsWith(`${kind}:`) ? event.slice(kind.length + 1) : []));
  const { commands, views, viewsContainers, languageModelTools } = manifest.contributes;
  for (const one of [...viewsContainers.activitybar, ...Object.values(views).flat()]) one.icon = 'icon.svg';
  const tools = languageModelTools.map((tool) => ({
    ...tool,
    toolReferenceName: `floor${tool.toolReferenceName}`,
  }));
  const ids = {
    commands: commands.map(({ command }) => command),
    views: Object.values(views).flatMap((all) => all.map(({ id }) => id)),
    tools: tools.map(({ name }) => name),
    panels: registered('onWebviewPanel'),
    schemes: registered('onFileSystem'),
  };
  return {
    name: 'floor',
    manifest: {
      activationEvents,
      contributes: { commands, views, viewsContainers, languageModelTools: tools },
    },
    source: `const { commands, window, workspace, lm, EventEmitter } = require('vscode');
const ids = ${JSON.stringify(ids)};
const none = () => undefined;
exports.activate = ({ subscriptions, secrets }) => {
  const treeDataProvider = { getChildren: () => [], getTreeItem: (row) => row };
  for (const id of ids.views) subscriptions.push(window.createTreeView(id, { treeDataProvider, canSelectMany: true }));
  const files = { onDidChangeFile: new EventEmitter().event, watch: none, stat: none, readDirectory: none,
    createDirectory: none, readFile: none, writeFile: none, delete: none, rename: none };
  for (const id of ids.schemes) subscriptions.push(workspace.registerFileSystemProvider(id, files, { isCaseSensitive: true }));
  for (const id of ids.commands) subscriptions.push(commands.registerCommand(id, none));
  for (const id of ids.tools) subscriptions.push(lm.registerTool(id, { prepareInvocation: none, invoke: none }));
  for (const id of ids.panels) subscriptions.push(window.registerWebviewPanelSerializer(id, { deserializeWebviewPanel: none }));
  subscriptions.push(window.registerUriHandler({ handleUri: none }));
  subscriptions.push(secrets.onDidChange(none), workspace.onDidChangeConfiguration(none));
};`,
  };
}

/** Does nothing. The editor runs a test module only along with an extension under development, and this is it. */
export const probeExtension: TinyExtension = { name: 'probe', manifest: {}, source: '' };

/** A view with one fixed row: the least that opening a view can cost. */
export const oneRowExtension: TinyExtension = {
  name: 'one-row',
  manifest: {
    contributes: {
      viewsContainers: { activitybar: [{ id: 'benchRow', title: 'Bench Row', icon: 'icon.svg' }] },
      // A second view makes the first keep its header, as ours do.
      views: {
        benchRow: [
          { id: 'benchRow.first', name: 'First' },
          { id: 'benchRow.second', name: 'Second', visibility: 'collapsed' },
        ],
      },
    },
  },
  source: `const { window, TreeItem } = require('vscode');
exports.activate = () => {
  window.createTreeView('benchRow.first', {
    treeDataProvider: { getChildren: (row) => (row ? [] : ['row']), getTreeItem: (row) => new TreeItem(row) },
  });
};`,
};

/** A view of the conversations from a bare fetch: the least that opening a view of a service's list can cost. */
export const fetchedRowsExtension: TinyExtension = {
  name: 'fetched-rows',
  manifest: {
    contributes: {
      viewsContainers: { activitybar: [{ id: 'benchFetched', title: 'Bench Fetched', icon: 'icon.svg' }] },
      views: {
        benchFetched: [
          { id: 'benchFetched.first', name: 'Fetched' },
          { id: 'benchFetched.second', name: 'Second', visibility: 'collapsed' },
        ],
      },
    },
  },
  source: `const { window, workspace, TreeItem } = require('vscode');
const read = async () => {
  const { url, key } = workspace.getConfiguration().get('benchFetched');
  const headers = { Accept: 'application/json', 'X-Session-API-Key': key };
  const answer = await fetch(url + '/api/v1/app-conversations/search?include_sub_conversations=true', { headers });
  return (await answer.json()).items.map(({ id }) => id);
};
exports.activate = () => {
  window.createTreeView('benchFetched.first', {
    treeDataProvider: { getChildren: (row) => (row ? [] : read()), getTreeItem: (row) => new TreeItem(row) },
  });
};`,
};

/** Shows in the status bar whether extensions see the window as focused. */
export const focusExtension: TinyExtension = {
  name: 'focus',
  manifest: { activationEvents: ['onStartupFinished'] },
  source: `const { window } = require('vscode');
exports.activate = () => {
  const item = window.createStatusBarItem('benchFocus');
  const show = ({ focused }) => { item.text = 'bench-focused-' + focused; item.show(); };
  window.onDidChangeWindowState(show);
  show(window.state);
};`,
};

/** Writes the extension's files into `folder`, creating it if needed. */
export function writeTinyExtension(extension: TinyExtension, folder: string): void {
  const { name, manifest, source } = extension;
  mkdirSync(folder, { recursive: true });
  const all = {
    name,
    publisher,
    displayName: name,
    description: 'Only for measuring.',
    version: '1.0.0',
    license: 'MIT',
    engines: { vscode: '^1.105.0' },
    main: './main.js',
    activationEvents: [],
    ...manifest,
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(all));
  writeFileSync(path.join(folder, 'main.js'), source);
  writeFileSync(
    path.join(folder, 'icon.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>',
  );
}

/** Writes the extension below `folder` and packs it. Returns the package's path. */
export async function packTinyExtension(extension: TinyExtension, folder: string): Promise<string> {
  const source = path.join(folder, extension.name);
  writeTinyExtension(extension, source);
  const packagePath = path.join(folder, `${extension.name}.vsix`);
  await createVSIX({
    cwd: source,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
