import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { cached } from '../../support/cache';
import { installCodeServer } from '../../support/editor/install';
import { npm, npmInstall, packageFolder, step } from '../../support/npm';
import { run, startProcess, untilAnswers } from '../../support/processes';
import { tempFolder } from '../../support/lifetime';
import { freePorts, type Program } from './program';
import type { Release } from './releases';

const binaries = process.platform === 'win32' ? 'Scripts' : 'bin';

/** What its launcher imports; the package itself names versions that npm may not have. */
const imported = ['httpxy@0.5.3', 'sirv@3.0.2'];

/** A first start installs the agent server and the automation service. */
const installTimeoutMs = 900_000;

/**
 * Installs Agent Canvas from npm into the cache unless it’s there, with the agent server and the automation service
 * that it starts. Returns the folder.
 */
export async function installCanvas({ version, requirement }: Release, python: string): Promise<string> {
  return cached(`service-${version}`, { requirement, imported, python }, (folder) =>
    step(`${requirement} with its servers, for tests with a real server (some minutes)`, async () => {
      await run(python, ['-m', 'venv', path.join(folder, 'uv')]);
      const uv = path.join(folder, 'uv', binaries, 'python');
      await run(uv, ['-m', 'pip', 'install', '--quiet', 'uv']);
      const node = await nodeOf();
      await npm(node, folder, ['pack', '--silent', requirement]);
      await run('tar', ['xzf', `openhands-agent-canvas-${requirement.split('@').at(-1)}.tgz`], {
        cwd: folder,
      });
      await npmInstall(node, await packageFolder(path.join(folder, 'package')), ...imported);
      await startOnce(folder, python);
    }),
  );
}

/** Its launcher needs Node 24, as the editor of the UI tests does. */
const nodeOf = async (): Promise<string> => (await installCodeServer()).node;

/** Installs what the launcher starts, by starting it. */
async function startOnce(folder: string, python: string): Promise<void> {
  const temp = await tempFolder();
  const [port = 0] = await freePorts(1);
  const key = 'key-of-the-first-start';
  const { command, args, env, graceMs } = await canvasProgram(folder, python, temp.path, port, key);
  const online = { ...process.env, ...env, HOME: temp.path, UV_OFFLINE: '0' };
  const started = startProcess(command, args, { cwd: temp.path, env: online, graceMs });
  for (const route of ['/server_info', '/api/automation/health'])
    await untilAnswers(`http://127.0.0.1:${port}${route}`, installTimeoutMs);
  await started.stop();
  await temp.remove();
}

/**
 * How to start it.
 * @param state where it keeps its own state
 */
export async function canvasProgram(
  folder: string,
  python: string,
  state: string,
  port: number,
  key: string,
): Promise<Program> {
  const [page, agentServer, automation] = await freePorts(3);
  const node = await nodeOf();
  const own = path.join(state, '.openhands', 'agent-canvas');
  await mkdir(own, { recursive: true });
  return {
    command: node,
    args: [path.join(__dirname, 'serveCanvas.mjs'), '--port', String(port)],
    lastReady: '/api/automation/ready',
    // It ends what it started, each in a process group of its own.
    graceMs: 30_000,
    env: {
      PATH: [path.join(folder, 'uv', binaries), path.dirname(node), process.env['PATH']].join(path.delimiter),
      // Its ingress and page would listen on all interfaces, with a key that opens a shell.
      NODE_OPTIONS: `--require ${JSON.stringify(path.join(__dirname, 'loopback.cjs'))}`,
      CANVAS_PACKAGE: path.join(folder, 'package'),
      UV_CACHE_DIR: path.join(folder, 'packages'),
      UV_PYTHON: python,
      UV_OFFLINE: '1',
      LOCAL_BACKEND_API_KEY: key,
      OH_SECRET_KEY: 'secret-key-of-the-tests',
      OH_CANVAS_SAFE_STATE_DIR: own,
      OH_CANVAS_SAFE_VITE_PORT: String(page),
      OH_CANVAS_SAFE_BACKEND_PORT: String(agentServer),
      OH_CANVAS_SAFE_AUTOMATION_PORT: String(automation),
      AGENT_CANVAS_DISABLE_TELEMETRY: '1',
      VITE_DO_NOT_TRACK: '1',
      OH_TELEMETRY_EXPORTER: 'none',
    },
  };
}
