import * as z from 'zod/mini';
import { addressOfFunction, quoted } from '../../shared/shellScript';
import { ApiError } from '../http/errors';
import { searchParams } from '../http/query';
import type { Transport } from '../http/transport';
import { lenientList, maybe, maybeText } from '../lenient';
import { pageOf } from '../page';
import { hasStatus, ifThere, optional, readerOf, record } from './calls';
import { folderSchema, homeSchema, type ServerFolder, workspacesSchema } from './schemas/agentServer';

/** What is at a path of the server’s computer. */
export interface FolderState {
  kind: 'missing' | 'file' | 'folder' | 'repository';
  /** Of a repository: what is checked out; undefined for a commit by itself. */
  branch?: string;
  /** Of a repository: how many files have changes that aren’t committed. */
  changed?: number;
  /** Of a repository: without one, there can be no worktree. */
  hasCommit?: boolean;
  /** Of a repository: the address of its remote `origin`. */
  origin?: string;
}

/** How a command ended. */
export interface CommandResult {
  /** -1 if it was stopped or took too long. */
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** How to wait for a command. */
interface CloneOptions {
  signal: AbortSignal;
  /** Resolves after `ms` milliseconds, rejects when aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The exit code of `clone` for a folder that isn’t empty. */
export const notEmpty = 17;

/** Repositories that a provider lists. */
interface ProviderRepositories {
  /** As `owner/name`. */
  names: readonly string[];
  /** The server has no secret for the provider. */
  missingToken: boolean;
}

/**
 * The folders and the shell of a standalone agent server’s own computer, wherever conversations run
 * (docs/protocol/agent-server.md, “Folders, worktrees, and repositories”). Throws ApiError.
 */
export interface FolderCalls {
  /** `GET /api/workspaces`: the folders that are saved on the server. */
  listWorkspaces(signal?: AbortSignal): Promise<ServerFolder[]>;
  /** `GET /api/workspaces`: those that hold projects. */
  listWorkspaceParents(signal?: AbortSignal): Promise<ServerFolder[]>;
  /** `POST /api/workspaces`: saves a folder, whether or not it exists. One that is saved stays as it is. */
  addWorkspace(folder: ServerFolder, signal?: AbortSignal): Promise<void>;
  /** `DELETE /api/workspaces`: the folder itself stays. Resolves also if it wasn’t saved. */
  removeWorkspace(path: string, signal?: AbortSignal): Promise<void>;
  /** `GET /api/file/home`. */
  homeFolder(signal?: AbortSignal): Promise<string>;
  /** `GET /api/file/search_subdirs`: all folders in a folder, as far as `most` pages go; undefined if it doesn’t exist. */
  listFolders(path: string, signal?: AbortSignal): Promise<ServerFolder[] | undefined>;
  /** `POST /api/file/create_directory`, since 1.49: with those above it. Resolves also if it exists. */
  createFolder(path: string, signal?: AbortSignal): Promise<void>;
  /** What is at a path, by `POST /api/bash/execute_bash_command`. */
  readFolder(path: string, signal?: AbortSignal): Promise<FolderState>;
  /**
   * Clones a repository through the shell, all of it or nothing, into a folder that is missing or empty. Credentials are
   * those of the server’s own git, which asks for none. Aborting stops it, where the server can.
   */
  clone(address: string, folder: string, options: CloneOptions): Promise<CommandResult>;
  /**
   * `GET /api/git/repositories/search`: GitHub’s, whose names match; undefined where the server can’t list any. The
   * server’s own secret gives access.
   */
  listRepositories(query: string, signal?: AbortSignal): Promise<ProviderRepositories | undefined>;
  /** `POST /api/file/upload`: writes a file. */
  writeFile(path: string, content: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** `POST /api/bash/execute_bash_command`: removes a file. */
  removeFile(folder: string, name: string, signal?: AbortSignal): Promise<void>;
}

/** Folders have at most this many pages of 100. */
const most = 10;

/** Seconds that looking at a folder, and cloning, may take. */
const lookSeconds = 20;
const cloneSeconds = 3_600;
/** How often a running command is checked, in milliseconds. */
const pollMs = 500;

const bash = '/api/bash';

const outputSchema = z.object({ exit_code: maybe(z.number()), stdout: maybeText, stderr: maybeText });
const commandSchema = z.object({ id: z.string() });
const outputsSchema = z.object({ items: lenientList(outputSchema) });
const repositoriesSchema = z.object({
  items: lenientList(z.object({ full_name: z.string() })),
  missing_token: maybe(z.boolean()),
});

const resultOf = ({ exit_code: code, stdout, stderr }: z.infer<typeof outputSchema>): CommandResult => ({
  exitCode: code ?? -1,
  stdout: stdout ?? '',
  stderr: stderr ?? '',
});

/** Prints the kind of a path, then lines about its repository. `git status` writes nothing, so that no lock is in the way. */
const looking = (path: string) => `${addressOfFunction}
place=${quoted(path)}
if [ ! -e "$place" ]; then echo missing; exit; fi
if [ ! -d "$place" ]; then echo file; exit; fi
cd "$place" || exit 1
git rev-parse --git-dir > /dev/null 2>&1 || { echo folder; exit; }
echo repository
git symbolic-ref --quiet --short HEAD || echo
GIT_OPTIONAL_LOCKS=0 git status --porcelain | wc -l
git rev-parse --quiet --verify HEAD || echo
address_of origin`;

/**
 * Clones beside the folder, and puts it in its place when all is there. Another clone may be faster, even between the
 * last look and the move, which then ends within the other: under a name that no repository has. What git says is read,
 * so it’s in English. What a clone that was killed has left is removed by a later one.
 */
const cloning = (address: string, folder: string) => `LC_ALL=C; export LC_ALL
place=${quoted(folder)}
if [ -n "$(ls -A "$place" 2> /dev/null)" ]; then exit ${notEmpty}; fi
mkdir -p "$(dirname "$place")" || exit 1
find "$(dirname "$place")" -maxdepth 1 -type d -name '.agent-workspace-clone-????????' -mmin +120 -exec rm -rf {} + 2> /dev/null
work=$(mktemp -d "$(dirname "$place")/.agent-workspace-clone-XXXXXXXX") || exit 1
own=$(basename "$work")
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT HUP
GIT_TERMINAL_PROMPT=0 GIT_SSH_COMMAND="\${GIT_SSH_COMMAND:-ssh -o BatchMode=yes}" git clone --quiet -- ${quoted(address)} "$work/$own" || exit
if [ -d "$place" ]; then rmdir "$place" || exit ${notEmpty}; fi
if [ -e "$place" ]; then exit ${notEmpty}; fi
mv "$work/$own" "$place" || exit 1
if [ -e "$place/$own" ]; then rm -rf "$place/$own"; exit ${notEmpty}; fi`;

/** The calls for the folders of a standalone agent server. */
export function folderCalls(transport: Transport): FolderCalls {
  const get = readerOf(transport);

  const workspaces = (signal?: AbortSignal) =>
    get('/api/workspaces', workspacesSchema, signal, { elements: 'workspaces' });

  const execute = async (command: string, cwd: string, seconds: number, signal?: AbortSignal) => {
    const call = { method: 'POST', route: `${bash}/execute_bash_command` } as const;
    const body = { command, cwd, timeout: seconds };
    return resultOf(await transport.request({ ...call, body, read: record(outputSchema) }, signal));
  };

  /** Runs a command that may take longer than a proxy waits for one answer. */
  const run = async (
    command: string,
    cwd: string,
    seconds: number,
    { signal, wait }: CloneOptions,
  ): Promise<CommandResult> => {
    const route = `${bash}/start_bash_command`;
    const body = { command, cwd, timeout: seconds };
    const { id } = await transport.request(
      { method: 'POST', route, body, once: true, read: record(commandSchema) },
      signal,
    );
    try {
      for (;;) {
        const query = searchParams({ command_id__eq: id, kind__eq: 'BashOutput', limit: 100 });
        const how = { query, elements: 'items' };
        const { items } = await get(`${bash}/bash_events/search`, outputsSchema, signal, how);
        // Long output comes in pieces, the last one of which says how the command ended.
        const ended = items.find(({ exit_code: code }) => typeof code === 'number');
        const all = (name: 'stdout' | 'stderr') => items.map((one) => one[name] ?? '').join('');
        if (ended) return { ...resultOf(ended), stdout: all('stdout'), stderr: all('stderr') };
        await wait(pollMs, signal);
      }
    } catch (error) {
      const stop = { method: 'POST', route: `${bash}/bash_commands/{id}/stop`, id, ...optional } as const;
      if (signal.aborted) await transport.request(stop, undefined).catch(() => undefined);
      throw error;
    }
  };

  return {
    listWorkspaces: async (signal) => (await workspaces(signal)).workspaces,
    listWorkspaceParents: async (signal) => (await workspaces(signal)).workspaceParents ?? [],
    addWorkspace: ({ name, path }, signal) => {
      const body = { workspaces: [{ id: path, name, path }] };
      return transport.request({ method: 'POST', route: '/api/workspaces', body }, signal);
    },
    removeWorkspace: async (path, signal) => {
      const call = { method: 'DELETE', route: '/api/workspaces', query: searchParams({ path }) } as const;
      const expects = (error: ApiError) => hasStatus(error, 404);
      await transport.request({ ...call, expects }, signal).catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error;
      });
    },
    homeFolder: async (signal) => (await get('/api/file/home', homeSchema, signal)).home,
    listFolders: async (path, signal) => {
      const folders: ServerFolder[] = [];
      let pageId: string | undefined;
      try {
        for (let page = 0; page < most; page += 1) {
          const query = searchParams({ path, page_id: pageId, limit: 100 });
          const read = pageOf(folderSchema, pageId);
          const call = { method: 'GET', route: '/api/file/search_subdirs', query, read } as const;
          const how = { elements: 'items', ...optional };
          const { items, nextPageId } = await transport.request({ ...call, ...how }, signal);
          for (const folder of items) folders.push(folder);
          if (nextPageId === null) break;
          pageId = nextPageId;
        }
      } catch (error) {
        if (hasStatus(error, 400, 404)) return undefined;
        throw error;
      }
      return folders;
    },
    createFolder: (path, signal) => {
      const query = searchParams({ path });
      return transport.request({ method: 'POST', route: '/api/file/create_directory', query }, signal);
    },
    readFolder: async (path, signal) => {
      const { exitCode, stdout } = await execute(looking(path), '/', lookSeconds, signal);
      const [kind = '', branch = '', changed = '', commit = '', origin = ''] = stdout.split('\n');
      if (exitCode !== 0) throw new ApiError('badShape', 'POST', `${bash}/execute_bash_command`);
      if (kind === 'missing' || kind === 'file' || kind === 'folder') return { kind };
      return {
        kind: 'repository',
        ...(branch !== '' && { branch }),
        changed: Number(changed) || 0,
        hasCommit: commit !== '',
        ...(origin !== '' && { origin }),
      };
    },
    clone: (address, folder, options) => run(cloning(address, folder), '/', cloneSeconds, options),
    listRepositories: async (text, signal) => {
      const query = searchParams({ provider: 'github', query: text, limit: 100 });
      const call = { method: 'GET', route: '/api/git/repositories/search', query } as const;
      const how = { read: record(repositoriesSchema), elements: 'items' };
      const listed = await ifThere(transport, { ...call, ...how }, signal);
      return (
        listed && {
          names: listed.items.map(({ full_name: name }) => name),
          missingToken: listed.missing_token === true,
        }
      );
    },
    writeFile: async (path, content, signal) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(content)]), 'file');
      const call = {
        method: 'POST',
        route: '/api/file/upload',
        query: searchParams({ path }),
        body,
      } as const;
      await transport.request(call, signal);
    },
    removeFile: async (folder, name, signal) => {
      if (!/^[\w.-]+$/.test(name)) throw new ApiError('badId', 'POST', `${bash}/execute_bash_command`);
      const body = { command: `rm -f './${name}'`, cwd: folder, timeout: 10 };
      await transport.request({ method: 'POST', route: `${bash}/execute_bash_command`, body }, signal);
    },
  };
}
