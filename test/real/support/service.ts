import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { describeError, tempFolder, UserError } from '../../support/lifetime';
import { startProcess, untilAnswers, type RunningProcess } from '../../support/processes';
import { canvasProgram } from './canvas';
import type { Installed } from './install';
import { freePorts, type Program } from './program';
import type { Release } from './releases';

/** A release running on this computer with its own state. */
export interface RealService {
  readonly url: string;
  readonly sessionKey: string;
  /** Where the service keeps its state. */
  readonly folder: string;
  /** Deletes its settings and git provider tokens. */
  forgetSettings: () => Promise<void>;
  /** Kills it immediately, with its sandboxes. */
  kill: () => Promise<void>;
  /** Starts it again at the same address, with the same state; `more` are variables for this time only. */
  start: (more?: NodeJS.ProcessEnv) => Promise<void>;
  stop: () => Promise<void>;
  /** What it printed last, without requests that succeeded, for the message of a failure. */
  lastLines: () => string;
}

/** Limit for the first answer, on a busy computer. */
const startTimeoutMs = 300_000;

/**
 * Starts a release with a session key. It can reach only this computer.
 * @param authority file with the git hosts’ certificates to trust
 */
export async function startRealService(
  release: Release,
  installed: Installed,
  authority: string,
): Promise<RealService> {
  const temp = await tempFolder();
  const { path: folder } = temp;
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  const sessionKey = `key-${randomBytes(12).toString('hex')}`;
  const url = `http://127.0.0.1:${port}`;
  await mkdir(path.join(folder, 'tmp'));
  const program = await programOf(release, installed, { folder, port, sandboxPort, sessionKey });
  const env = { ...environment(folder, { url, sessionKey, authority }), ...program.env };
  const { command, args, graceMs, lastReady = '/alive' } = program;
  let running: RunningProcess | undefined;

  const kill = async (): Promise<void> => {
    if (graceMs === undefined) running?.child.kill('SIGKILL');
    else await running?.stop();
    await running?.ended;
    await running?.stop();
    running = undefined;
    await endShells(path.join(folder, 'tmp'));
  };
  const lastLines = () => {
    const isRoutine = (line: string) => / HTTP\/1\.1" [23]\d\d/.test(line);
    return (running?.output.filter((line) => !isRoutine(line)) ?? []).slice(-10).join('\n');
  };
  const start = async (more: NodeJS.ProcessEnv = {}): Promise<void> => {
    const started = startProcess(command, args, { cwd: folder, env: { ...env, ...more }, graceMs });
    running = started;
    const ended = started.ended.then((result) => {
      throw new UserError(`it ended (${result})`);
    });
    await Promise.race([untilAnswers(`${url}${lastReady}`, startTimeoutMs), ended]).catch(
      (error: unknown) => {
        throw new UserError(
          `${release.requirement} did not start on this computer: ${describeError(error)}. Its last lines:\n${lastLines()}`,
        );
      },
    );
    ended.catch(() => undefined);
  };

  await start();
  return {
    url,
    sessionKey,
    folder,
    kill,
    start,
    lastLines,
    forgetSettings: async () => {
      for (const name of ['settings.json', 'secrets.json'])
        await rm(path.join(folder, name), { force: true });
    },
    stop: async () => {
      await kill();
      await temp.remove();
    },
  };
}

interface Places {
  folder: string;
  port: number;
  sandboxPort: number;
  sessionKey: string;
}

async function programOf(
  { generation, isCanvas }: Release,
  { python, folder: installed }: Installed,
  { folder, port, sandboxPort, sessionKey }: Places,
): Promise<Program> {
  if (isCanvas) return canvasProgram(installed, python, folder, port, sessionKey);
  const args =
    generation === 'agentServer'
      ? ['-m', 'openhands.agent_server', '--host', '127.0.0.1', '--port', String(port)]
      : [path.join(__dirname, 'serve.py'), String(port), String(sandboxPort), folder];
  return { command: python, args, env: {} };
}

/** Ends the agents’ shells, which outlive the service: one tmux server per socket in its temporary folder. */
async function endShells(temporary: string): Promise<void> {
  const sockets = path.join(temporary, `tmux-${process.getuid?.() ?? 0}`);
  for (const name of await readdir(sockets).catch(() => []))
    spawnSync('tmux', ['-S', path.join(sockets, name), 'kill-server']);
}

interface Place {
  url: string;
  sessionKey: string;
  authority: string;
}

/** Without the user’s variables, and with a dead proxy for every other computer. */
function environment(folder: string, { url, sessionKey, authority }: Place): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9';
  const here = '127.0.0.1,localhost';
  const temporary = path.join(folder, 'tmp');
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: temporary,
    TMUX_TMPDIR: temporary,
    PYTHONUNBUFFERED: '1',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    http_proxy: nowhere,
    https_proxy: nowhere,
    NO_PROXY: here,
    no_proxy: here,
    SSL_CERT_FILE: authority,
    RUNTIME: 'local',
    SKIP_DEPENDENCY_CHECK: '1',
    SERVE_FRONTEND: 'false',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    SESSION_API_KEY: sessionKey,
    OH_PERSISTENCE_DIR: folder,
    FILE_STORE_PATH: folder,
    OH_CONVERSATIONS_PATH: path.join(folder, 'conversations'),
    // Conversations report their titles and costs to this address.
    OH_AGENT_SERVER_ENV: JSON.stringify({
      OH_WEBHOOKS_0_BASE_URL: `${url}/api/v1/webhooks`,
      LOG_LEVEL: 'WARNING',
    }),
  };
}
