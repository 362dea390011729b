import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeFolder, uniqueFolder, UserError } from '../lifetime';
import { editorCacheFolder } from '../paths';
import { run } from '../processes';
import { isAlive } from '../processList';

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
const markerName = 'installed.json';
const marker = JSON.stringify({ ...versions, nodePackage });

/** Finds the editor in the cache folder, or installs it there. */
export async function installCodeServer(cacheFolder = editorCacheFolder): Promise<InstalledCodeServer> {
  const folder = path.join(cacheFolder, folderName);
  if (!(await isComplete(folder))) {
    await mkdir(cacheFolder, { recursive: true });
    await removeAbandoned(cacheFolder);
    // Built beside its place and moved there when whole, so that a run cut short leaves no half editor behind.
    const building = uniqueFolder(cacheFolder, `installing-${process.pid}`);
    await build(building.path);
    await writeFile(path.join(building.path, markerName), marker);
    await removeFolder(folder);
    await rename(building.path, folder).catch(async (error: unknown) => {
      // Another run may have finished first; its editor is as good.
      if (!(await isComplete(folder))) throw error;
    });
    await building.remove();
  }
  return layout(folder);
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

async function isComplete(folder: string): Promise<boolean> {
  const found = await readFile(path.join(folder, markerName), 'utf8').catch(() => '');
  return found === marker;
}

/** Removes what runs that no longer live began to install. */
async function removeAbandoned(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const pid = /^installing-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(path.join(cacheFolder, name));
  }
}

async function build(folder: string): Promise<void> {
  const { node, serverMain } = layout(folder);
  const server = path.dirname(path.dirname(serverMain));
  const home = nodeFolder(folder);
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel=error'];

  await step(`Node ${versions.node}, which code-server runs on (${nodePackage})`, async () => {
    const place = await packageFolder(path.join(folder, 'node'));
    await npm(process.execPath, place, [
      'install',
      `${nodePackage}@${versions.node}`,
      '--ignore-scripts',
      ...quiet,
    ]);
  });
  await step(`code-server ${versions.codeServer}, the editor itself`, async () => {
    const place = await packageFolder(path.join(folder, 'editor'));
    await npm(node, place, ['install', `code-server@${versions.codeServer}`, '--ignore-scripts', ...quiet]);
  });
  await step('the packages of its VS Code server', () =>
    npm(node, server, ['install', '--omit=dev', '--ignore-scripts', ...quiet]),
  );
  await step('its two native modules, compiled with g++', async () => {
    const modules = ['@vscode/native-watchdog', '@vscode/spdlog'];
    try {
      await npm(node, server, ['rebuild', ...modules, '--loglevel=error'], { npm_config_nodedir: home });
      await run(node, ['-e', modules.map((name) => `require('${name}');`).join('')], { cwd: server });
    } catch (error) {
      const hint =
        'Compiling needs a C++ compiler, make and Python 3 (Debian: apt-get install g++ make python3).';
      throw new UserError(`${hint}\n${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

async function step(what: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  process.stdout.write(`  installing ${what} … `);
  try {
    await work();
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
  process.stdout.write(`${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

async function packageFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  return folder;
}

/** Runs the machine's npm on the given Node, free of what an enclosing `npm run` put into the environment. */
async function npm(node: string, cwd: string, args: string[], extra: NodeJS.ProcessEnv = {}): Promise<void> {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      !/^npm_(package|lifecycle|command|config_(local_prefix|global_prefix|prefix|omit|include|dev))/i.test(
        name,
      )
    ) {
      env[name] = value;
    }
  }
  const search = `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const cli = npmCli();
  await run(node, [cli, ...args], { cwd, env: { ...env, ...extra, PATH: search } });
}

/** npm's own script: the one that runs this script, or the one beside this Node. */
function npmCli(): string {
  const { ['npm_execpath']: running } = process.env;
  const nodeBin = path.dirname(process.execPath);
  const candidates = [
    ...(running?.endsWith('npm-cli.js') ? [running] : []),
    path.join(nodeBin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(nodeBin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    '/usr/share/nodejs/npm/bin/npm-cli.js',
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (!found)
    throw new UserError('npm was not found beside this Node; run this through npm, as in "npm test".');
  return found;
}
