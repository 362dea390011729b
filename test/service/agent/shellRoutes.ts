import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ok, type Answer, type Call } from '../http';
import { isNew, type Release } from './release';
import type { Execution, SandboxFiles } from './sandboxFiles';

/** A command that was started. */
interface Started {
  result: Execution | undefined;
  stop: () => void;
}

/** What the shell of a server has run in the background, and what its providers list. */
export class ShellState {
  readonly started = new Map<string, Started>();
  /** How many commands were stopped. */
  stopped = 0;
  /** GitHub’s repositories, as `owner/name`; undefined without a token. */
  repositories: readonly string[] | undefined;
}

const refused = (status: number, detail: unknown): Answer => ({ status, body: { detail } });

/** Answers requests for commands in the background, new folders, and repositories; undefined for other requests. */
export function shellAnswer(
  state: ShellState,
  release: Release,
  files: SandboxFiles,
  call: Call,
): Answer | undefined {
  switch (`${call.method} ${call.path}`) {
    case 'POST /api/bash/start_bash_command':
      return begin(state, files, call);
    case 'GET /api/bash/bash_events/search':
      return ok({ items: outputs(state, call.query), next_page_id: null });
    case 'POST /api/file/create_directory':
      return create(files, call.query.get('path') ?? '');
    case 'GET /api/git/repositories/search':
      return isNew(release) ? repositories(state, call.query) : undefined;
    default:
      return stopped(state, release, call);
  }
}

function begin(state: ShellState, files: SandboxFiles, { body }: Call): Answer {
  const { command, cwd, timeout = 300 } = ('value' in body ? body.value : {}) as Record<string, unknown>;
  const id = randomUUID();
  const one: Started = { result: undefined, stop: () => undefined };
  state.started.set(id, one);
  const life = new AbortController();
  one.stop = () => life.abort();
  const run = files.execute(String(command), String(cwd), Number(timeout), life.signal);
  void run.then((result) => {
    one.result = life.signal.aborted ? { exitCode: -15, stdout: '', stderr: '' } : result;
  });
  return ok({ kind: 'BashCommand', id, command, cwd });
}

/** Nothing before the command has ended. */
function outputs({ started }: ShellState, query: URLSearchParams): unknown[] {
  const id = query.get('command_id__eq') ?? '';
  const { result } = started.get(id) ?? {};
  if (!result) return [];
  const { exitCode, stdout, stderr } = result;
  return [{ kind: 'BashOutput', command_id: id, order: 0, exit_code: exitCode, stdout, stderr }];
}

function stopped(state: ShellState, release: Release, { method, path: at }: Call): Answer | undefined {
  const [, id] = /^\/api\/bash\/bash_commands\/([^/]+)\/stop$/.exec(at) ?? [];
  if (method !== 'POST' || id === undefined || !isNew(release)) return undefined;
  const one = state.started.get(id);
  if (!one) return refused(404, 'Bash command not found');
  one.stop();
  state.stopped += 1;
  return ok({ success: true });
}

function create(files: SandboxFiles, asked: string): Answer {
  if (!path.isAbsolute(asked)) return refused(400, 'Path must be absolute');
  const place = files.place(asked);
  if (statSync(place, { throwIfNoEntry: false })?.isFile()) return refused(400, 'Path is a file');
  mkdirSync(place, { recursive: true });
  return ok({ success: true });
}

function repositories({ repositories: all }: ShellState, query: URLSearchParams): Answer {
  if (query.get('provider') !== 'github') return refused(400, 'Unsupported provider');
  const text = query.get('query') ?? '';
  const items = (all ?? [])
    .filter((name) => name.includes(text))
    .map((name) => ({
      id: name,
      full_name: name,
      git_provider: 'github',
      is_public: true,
      main_branch: 'main',
    }));
  return ok({ items, next_page_id: null, missing_token: all === undefined });
}
