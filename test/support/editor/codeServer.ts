import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tempFolder } from '../lifetime';
import { run, startProcess, untilAnswers, type RunningProcess } from '../processes';
import type { InstalledCodeServer } from './install';

/** A running code-server with a user data folder of its own. */
export interface RunningEditor {
  /** `http://127.0.0.1:<port>` */
  url: string;
  readonly process: RunningProcess;
  /** Contains everything that the editor and its extension host write: user data, logs, temporary files. */
  dataFolder: string;
  /** Reads the user's settings from `settings.json`. */
  readSettings: () => Promise<Record<string, unknown>>;
  /** Restarts the editor with the same data, at the same address. */
  restart: () => Promise<void>;
  /** Stops the editor and removes its data. */
  stop: () => Promise<void>;
}

export interface EditorOptions {
  /** Extensions installed by `installExtension`; none by default. */
  extensionsFolder?: string;
  /** Whether the editor asks if a folder is trusted (Restricted Mode); off by default. */
  workspaceTrust?: boolean;
  /** Settings in addition to the quiet ones that every test editor has. */
  settings?: Record<string, unknown>;
  /** More arguments, such as `--log trace`. */
  args?: string[];
  /** More environment variables for the server, and so for the extension host. */
  env?: NodeJS.ProcessEnv;
  onLine?: (line: string) => void;
}

/** Keeps away pages, tips, and requests that a test didn't ask for. */
const quietSettings = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.editor.useModal': 'off',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Starts code-server as a user would, for the packaged extension. */
export async function startCodeServer(
  installed: InstalledCodeServer,
  options: EditorOptions = {},
): Promise<RunningEditor> {
  return startEditor(
    installed,
    options,
    (data, port) => [
      installed.entry,
      ...['--config', path.join(data, 'config.yaml'), '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ],
    { listening: /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/, healthPath: '/healthz' },
  );
}

/**
 * Starts only the VS Code server inside code-server. With `testDriver`, a page's `payload` can name an extension under
 * development and its tests.
 */
export async function startServerMain(
  installed: InstalledCodeServer,
  options: EditorOptions & { testDriver?: boolean } = {},
): Promise<RunningEditor> {
  return startEditor(
    installed,
    options,
    (data, port) => [
      installed.serverMain,
      ...[
        '--host',
        '127.0.0.1',
        '--port',
        port,
        '--without-connection-token',
        '--accept-server-license-terms',
      ],
      ...['--telemetry-level', 'off', '--server-data-dir', data],
      ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
    ],
    { listening: /Extension host agent listening on (\d+)/, healthPath: '/version' },
  );
}

async function startEditor(
  installed: InstalledCodeServer,
  options: EditorOptions,
  args: (dataFolder: string, port: string) => string[],
  ready: { listening: RegExp; healthPath: string },
): Promise<RunningEditor> {
  const data = await tempFolder();
  const settingsFile = path.join(data.path, 'User', 'settings.json');
  mkdirSync(path.dirname(settingsFile));
  await writeFile(settingsFile, JSON.stringify({ ...quietSettings, ...options.settings }, undefined, 2));

  const start = async (atPort: string): Promise<{ running: RunningProcess; port: string }> => {
    const running = startProcess(
      installed.node,
      [
        ...args(data.path, atPort),
        ...[
          '--user-data-dir',
          data.path,
          '--extensions-dir',
          options.extensionsFolder ?? path.join(data.path, 'ext'),
        ],
        ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
        ...(options.args ?? []),
      ],
      {
        cwd: data.path,
        env: { ...serverEnvironment(data.path), ...options.env },
        ...(options.onLine && { onLine: options.onLine }),
      },
    );
    const [, port = ''] = await running.line(ready.listening, 60_000);
    await untilAnswers(`http://127.0.0.1:${port}${ready.healthPath}`, 60_000);
    return { running, port };
  };
  let { running, port } = await start('0');

  return {
    url: `http://127.0.0.1:${port}`,
    dataFolder: data.path,
    get process() {
      return running;
    },
    readSettings: async () => JSON.parse(await readFile(settingsFile, 'utf8')) as Record<string, unknown>,
    async restart() {
      await running.stop();
      // Windows find their secrets and state by the address, so keep the port.
      ({ running, port } = await start(port));
    },
    async stop() {
      await running.stop();
      await data.remove();
    },
  };
}

/** Installs a packaged extension into a new folder, which several editors can then share. Returns the folder. */
export async function installExtension(installed: InstalledCodeServer, vsix: string): Promise<string> {
  const data = await tempFolder();
  const extensionsFolder = path.join(data.path, 'ext');
  const args = [
    '--server-data-dir',
    data.path,
    '--extensions-dir',
    extensionsFolder,
    '--install-extension',
    vsix,
  ];
  await run(installed.node, [installed.serverMain, '--accept-server-license-terms', ...args], {
    env: serverEnvironment(data.path),
  });
  return extensionsFolder;
}

/**
 * The environment without variables that change how an editor behaves. Temporary files and user data go to `folder`.
 */
export function serverEnvironment(folder: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (
      !/^(agent_workspace|vscode|code_server|electron|npm|(https?|all|no)_proxy|node_options$|password$)/i.test(
        name,
      )
    ) {
      env[name] = value;
    }
  }
  return { ...env, TMPDIR: folder, XDG_DATA_HOME: folder };
}
