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
}

const versions = { codeServer: '4.139.1', node: '24.21.0' };
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const folderName = `code-server-${versions.codeServer}-${process.platform}-${process.arch}`;
/** What the server's native modules are replaced with: compiling them would need a C++ compiler, make and Python. */
const standIns = ['spdlog', 'native-watchdog'];

/** Finds the editor in the cache folder, or installs it there. */
export async function installCodeServer(): Promise<InstalledCodeServer> {
  return layout(await cached(folderName, { ...versions, nodePackage, standIns }, install));
}

function layout(folder: string): InstalledCodeServer {
  const codeServer = path.join(folder, 'editor', 'node_modules', 'code-server');
  return {
    node: path.join(nodeFolder(folder), 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    entry: path.join(codeServer, 'out', 'node', 'entry.js'),
    serverMain: path.join(codeServer, 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

function nodeFolder(folder: string): string {
  return path.join(folder, 'node', 'node_modules', nodePackage);
}

async function install(folder: string): Promise<void> {
  const { node, serverMain } = layout(folder);
  const server = path.dirname(path.dirname(serverMain));

  await step(`Node ${versions.node}, which code-server runs on (${nodePackage})`, async () =>
    npmInstall(
      process.execPath,
      await packageFolder(path.join(folder, 'node')),
      `${nodePackage}@${versions.node}`,
    ),
  );
  await step(`code-server ${versions.codeServer}, the editor`, async () =>
    npmInstall(node, await packageFolder(path.join(folder, 'editor')), `code-server@${versions.codeServer}`),
  );
  await step('the packages of its VS Code server', async () => {
    await npmInstall(node, server, '--omit=dev');
    await Promise.all(standIns.map((name) => replaceNativeModule(server, name)));
  });
}

async function replaceNativeModule(server: string, name: string): Promise<void> {
  await build({
    entryPoints: [path.join(__dirname, 'standIns', `${name}.ts`)],
    outfile: path.join(server, 'node_modules', '@vscode', name, 'index.js'),
    allowOverwrite: true,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    logLevel: 'warning',
  });
}
