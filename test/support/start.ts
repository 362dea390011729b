import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { lifelikeDelays } from '../service/behaviour';
import { startService } from '../service/service';
import { withBuild } from './build';
import { startServerMain } from './editor/codeServer';
import { hasDisplay } from './editor/desktop';
import { startDevelopmentProxy } from './editor/developmentProxy';
import { installCodeServer } from './editor/install';
import { onEnd, runMain, tempFolder } from './lifetime';
import { projectFolder } from './paths';
import { findOnPath, startProcess, type RunningProcess } from './processes';
import { listProcesses } from './processList';
import { createWorkspaceFolder } from './workspaceFolder';

/** Starts the extension to try it out: a service with lifelike data, and an editor that's connected to it. */
async function main(): Promise<number> {
  // --no-open: open no windows, only print the URL.
  const { values } = parseArgs({ options: { 'no-open': { type: 'boolean', default: false } } });
  const open = !values['no-open'];

  console.log('Building the extension.');
  await withBuild(false, () => Promise.resolve());

  const service = await startService({
    profile: 'observed',
    seed: 'lifelike',
    agents: '1.7.1',
    rateLimit: true,
    delays: lifelikeDelays,
  });
  onEnd(() => service.close());
  console.log(`Service: ${service.url} with lifelike data, session key ${service.sessionKey}`);

  const connection = { AGENT_WORKSPACE_URL: service.url, AGENT_WORKSPACE_SESSION_KEY: service.sessionKey };
  const folder = await createWorkspaceFolder();
  const desktop = open ? findDesktopCommand() : undefined;
  const editor = desktop
    ? await openDesktop(desktop, folder.path, connection)
    : await openCodeServer(folder.path, connection, open);
  await editor.ended;
  console.log('The editor has ended.');
  return 0;
}

/** The `code` command, if it would open a window on this machine's screen. */
function findDesktopCommand(): string | undefined {
  const insideRemoteTerminal = process.env['VSCODE_IPC_HOOK_CLI'] !== undefined;
  return hasDisplay() && !insideRemoteTerminal ? findOnPath('code') : undefined;
}

async function openDesktop(
  command: string,
  folder: string,
  connection: Record<string, string>,
): Promise<RunningProcess> {
  const data = await tempFolder();
  // `code` starts the editor in another process group, which ending `code` doesn't reach.
  onEnd(() => {
    for (const { pid, commandLine } of listProcesses()) {
      if (commandLine.includes(data.path)) process.kill(pid, 'SIGTERM');
    }
  });
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const editor = startProcess(
    command,
    [
      ...['--wait', '--new-window', '--skip-welcome', '--skip-release-notes', '--disable-workspace-trust'],
      ...(asRoot ? ['--no-sandbox'] : []),
      ...['--user-data-dir', path.join(data.path, 'user'), '--extensions-dir', path.join(data.path, 'ext')],
      `--extensionDevelopmentPath=${projectFolder}`,
      folder,
    ],
    { env: { ...process.env, ...connection } },
  );
  console.log(`Editor: VS Code (${command}) is opening. To end, close its window or press Ctrl-C here.`);
  return editor;
}

async function openCodeServer(
  folder: string,
  connection: Record<string, string>,
  open: boolean,
): Promise<RunningProcess> {
  console.log(
    `Editor: code-server${open ? ', because there is no `code` command that can open a window' : ''}.`,
  );
  const editor = await startServerMain(await installCodeServer(), { env: connection });
  const url = await startDevelopmentProxy(editor.url, projectFolder, folder);
  if (open) openInBrowser(url);
  console.log(`Open ${url} in a browser. Ctrl-C ends everything.`);
  return editor.process;
}

/** Opens a page in the user's browser if there's a command for that. The URL is printed either way. */
function openInBrowser(url: string): void {
  const [command, ...args] = {
    darwin: ['open', url],
    win32: ['cmd', '/c', 'start', '', url],
  }[process.platform as string] ?? ['xdg-open', url];
  if (!command || !hasDisplay() || !findOnPath(command)) return;
  spawn(command, args, { stdio: 'ignore', detached: true }).unref();
}

runMain(main, { endsBySignal: true });
