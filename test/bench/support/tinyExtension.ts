import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';

export interface TinyExtension {
  name: string;
  /** Members of the manifest beside those that every extension needs. */
  manifest: Record<string, unknown>;
  /** The CommonJS source of its only file. */
  source: string;
}

const publisher = 'agent-workspace-bench';

export const tinyExtensionId = ({ name }: TinyExtension): string => `${publisher}.${name}`;

/** One command, and nothing done: the least that activating an extension can cost. */
export const emptyExtension: TinyExtension = {
  name: 'empty',
  manifest: { contributes: { commands: [{ command: 'benchEmpty.nothing', title: 'Bench: Nothing' }] } },
  source: 'exports.activate = () => {};',
};

/** Under development, since the editor runs a test module only beside such a one; does nothing. */
export const probeExtension: TinyExtension = { name: 'probe', manifest: {}, source: '' };

/** A view with one row that needs nothing from anywhere: the least that opening a view can cost. */
export const oneRowExtension: TinyExtension = {
  name: 'one-row',
  manifest: {
    contributes: {
      viewsContainers: { activitybar: [{ id: 'benchRow', title: 'Bench Row', icon: 'icon.svg' }] },
      // With a second view the first one keeps its header, as ours do.
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

/** Shows in the status bar whether extensions are told that the window has the focus. */
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

/** Writes the extension's files into `folder`, which is made. */
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

/** Packs the extension, made in `folder`, and returns the package's path. */
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
