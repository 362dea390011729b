import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { cached } from '../cache';
import { npmInstall, packageFolder, step } from '../npm';

/** A VS Code workbench with a real extension host, installed from npm packages. */
export interface InstalledCodeServer {
  /** The Node that it runs on. */
  node: string;
  /** Its own command line. */
  entry: string;
  /** The VS Code server inside it. */
  serverMain: string;
  /** The folder with its built-in extensions. */
  builtIns: string;
}

/** Which of the supported editors: the newest release, or the oldest that `engines.vscode` allows. */
export const editorAges = ['newest', 'oldest'] as const;
export type EditorAge = (typeof editorAges)[number];

interface Edition {
  codeServer: string;
  node: string;
  /** Replacements for native modules of the server, which would need a C++ compiler, make and Python to compile. */
  standIns: Record<string, string>;
  /** Packages of the server to install in a different version than its lock file names. */
  pinned: Record<string, string>;
}

const editions: Record<EditorAge, Edition> = {
  newest: {
    codeServer: '4.139.1',
    node: '24.21.0',
    standIns: { '@vscode/spdlog': 'spdlog', '@vscode/native-watchdog': 'native-watchdog' },
    pinned: {},
  },
  oldest: {
    codeServer: '4.105.1',
    node: '22.23.3',
    standIns: { '@vscode/spdlog': 'spdlog', 'native-watchdog': 'native-watchdog' },
    // The lock file names a git repository, which would have to be compiled.
    pinned: { '@parcel/watcher': '2.5.1' },
  },
};
const platform = `${process.platform}-${process.arch}`;
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Finds the editor in the cache folder, or installs it there. */
export async function installCodeServer(age: EditorAge = 'newest'): Promise<InstalledCodeServer> {
  const edition = editions[age];
  const name = `code-server-${edition.codeServer}-${platform}`;
  return layout(await cached(name, { ...edition, nodePackage }, (folder) => install(folder, edition)));
}

function layout(folder: string): InstalledCodeServer {
  const codeServer = path.join(folder, 'editor', 'node_modules', 'code-server');
  return {
    node: path.join(nodeFolder(folder), 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    entry: path.join(codeServer, 'out', 'node', 'entry.js'),
    serverMain: path.join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
    builtIns: path.join(codeServer, 'lib', 'vscode', 'extensions'),
  };
}

function nodeFolder(folder: string): string {
  return path.join(folder, 'node', 'node_modules', nodePackage);
}

async function install(folder: string, edition: Edition): Promise<void> {
  const { node, serverMain } = layout(folder);
  const server = path.dirname(path.dirname(serverMain));

  await step(`Node ${edition.node}, which code-server runs on (${nodePackage})`, async () =>
    npmInstall(
      process.execPath,
      await packageFolder(path.join(folder, 'node')),
      `${nodePackage}@${edition.node}`,
    ),
  );
  await step(`code-server ${edition.codeServer}, the editor`, async () =>
    npmInstall(node, await packageFolder(path.join(folder, 'editor')), `code-server@${edition.codeServer}`),
  );
  await step('the packages of its VS Code server', async () => {
    await pin(server, edition.pinned);
    await npmInstall(node, server, '--omit=dev');
    await Promise.all(
      Object.entries(edition.standIns).map(([module, name]) => replaceNativeModule(server, module, name)),
    );
  });
}

/** Pins the versions of packages that the server needs. Removes its lock file, which names others. */
async function pin(server: string, versions: Record<string, string>): Promise<void> {
  if (Object.keys(versions).length === 0) return;
  const file = path.join(server, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
  Object.assign(manifest.dependencies, versions);
  await writeFile(file, JSON.stringify(manifest, null, 2));
  await rm(path.join(server, 'npm-shrinkwrap.json'), { force: true });
}

async function replaceNativeModule(server: string, module: string, name: string): Promise<void> {
  await build({
    entryPoints: [path.join(__dirname, 'standIns', `${name}.ts`)],
    outfile: path.join(server, 'node_modules', ...module.split('/'), 'index.js'),
    allowOverwrite: true,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    logLevel: 'warning',
  });
}
