import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { ApiError } from '../../../src/api/http/errors';

const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** The programs that a sandbox has. */
export interface SandboxShell {
  /** The shell and its first arguments; `/bin/sh` if undefined. */
  command?: readonly string[];
  path: string;
}

/** Of a workspace in which no terminal is opened. */
export const noTerminal: SandboxWorkspace['terminal'] = {
  execute: () => assert.fail('no terminal is open'),
  wait: () => assert.fail('no terminal is open'),
  upload: () => assert.fail('no terminal is open'),
  readFrom: () => assert.fail('no terminal is open'),
};

/** A folder with real git repositories, and the shell and files of a sandbox that sees them. */
export class TestSandbox {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-workspace-test-')));
  readonly commands: string[] = [];
  readonly downloads: string[] = [];
  readonly uploads: string[] = [];
  private more: NodeJS.ProcessEnv = {};
  private readonly running = new Set<Promise<unknown>>();

  /** @param shell the programs of the sandbox’s shell; those of this computer if undefined */
  constructor(private readonly shell?: SandboxShell) {
    mkdirSync(this.at('tmp'));
    mkdirSync(this.at('work'));
  }

  at(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  link(target: string, name: string): void {
    symlinkSync(target, this.at(name));
  }

  /** Runs git in a folder; its output without the last newline. */
  git(folder: string, ...args: string[]): string {
    const env = { ...this.environment(), ...identity };
    const output = execFileSync('git', args, { cwd: this.at(folder), env, encoding: 'utf8', stdio: 'pipe' });
    return output.replace(/\n$/, '');
  }

  /** A repository with these files, committed. */
  create(folder: string, files: Record<string, string | Uint8Array>): void {
    mkdirSync(this.at(folder), { recursive: true });
    this.git(folder, 'init', '--quiet', '--initial-branch=main');
    for (const [name, content] of Object.entries(files)) this.write(path.join(folder, name), content);
    this.commit(folder, 'One');
  }

  commit(folder: string, message: string): void {
    this.git(folder, 'add', '--all');
    this.git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
  }

  /** A clone of a repository with these files, as a sandbox has it; returns its root. */
  clone(files: Record<string, string | Uint8Array>): string {
    this.create('origin', files);
    this.git('', 'clone', '--quiet', 'origin', 'work/shop');
    return this.at('work/shop');
  }

  /** What looking must leave as it is: the bytes of everything under a folder, by name. */
  snapshot(folder: string): Map<string, string> {
    const names = readdirSync(this.at(folder), { recursive: true, encoding: 'utf8' });
    return new Map(
      names.flatMap((name) => {
        const stats = statSync(this.at(folder, name), { throwIfNoEntry: false });
        if (!stats?.isFile()) return [];
        const content = readFileSync(this.at(folder, name)).toString('base64');
        // Git marks objects as in use by their time.
        const time = name.startsWith('.git/objects/') ? '' : stats.mtimeMs;
        return [[name, `${time} ${stats.mode} ${content}`]];
      }),
    );
  }

  readonly workspace: SandboxWorkspace = {
    execute: ({ command, cwd }) =>
      new Promise((resolve) => {
        this.commands.push(command);
        const [program = '/bin/sh', ...args] = this.shell?.command ?? [];
        const env = { ...this.environment(), ...(this.shell && { PATH: this.shell.path }) };
        const child = spawn(program, [...args, '-c', command], { cwd, env });
        const ended = new Promise<unknown>((resolve) => child.once('close', resolve).once('error', resolve));
        this.running.add(ended);
        void ended.then(() => this.running.delete(ended));
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (chunk) => (stdout += String(chunk)));
        child.stderr.on('data', (chunk) => (stderr += String(chunk)));
        child.once('error', () => resolve({ exitCode: -1, stdout: '', stderr: '' }));
        child.once('close', (code) => resolve({ exitCode: code ?? -1, stdout, stderr }));
      }),
    download: (file, { maxBytes }) => {
      this.downloads.push(file);
      if (!existsSync(file))
        return Promise.reject(new ApiError('notFound', 'GET', '/api/file/download', { status: 404 }));
      const content = readFileSync(file);
      if (content.byteLength > maxBytes)
        return Promise.reject(new ApiError('tooLarge', 'GET', '/api/file/download'));
      return Promise.resolve(new Uint8Array(content));
    },
    downloadPiece: async (file, { from, length, maxBytes }) => {
      const whole = await this.workspace.download(file, { maxBytes });
      const bytes = whole.subarray(from, from + length);
      return { bytes, from, size: whole.byteLength, tag: undefined };
    },
    upload: (file, content) => {
      this.uploads.push(file);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      return Promise.resolve();
    },
    terminal: {
      execute: (call) => this.workspace.execute(call),
      wait: (call) => this.workspace.execute(call),
      upload: (file, content) => this.workspace.upload(file, content),
      readFrom: (file, offset) => {
        try {
          return Promise.resolve(new Uint8Array(readFileSync(file).subarray(offset)));
        } catch {
          return Promise.reject(new ApiError('notFound', 'GET', '/api/file/download', { status: 404 }));
        }
      },
    },
  };

  /** Resolves when no command runs anymore, also none that was canceled, nor what followed it: they might still write. */
  async ended(): Promise<void> {
    do {
      // Some begin in the next turn.
      await nextTurn();
      await Promise.all(this.running);
    } while (this.running.size > 0);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sets more variables, of git here and of the sandbox’s shell. */
  environmentFor(more: NodeJS.ProcessEnv): void {
    this.more = more;
  }

  private environment(): NodeJS.ProcessEnv {
    const own = { HOME: this.folder, TMPDIR: this.at('tmp'), GIT_CONFIG_NOSYSTEM: '1' };
    return { PATH: process.env['PATH'], ...own, ...this.more };
  }
}

/** Resolves when a condition holds, looking after each turn of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
