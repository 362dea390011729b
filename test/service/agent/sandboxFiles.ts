import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentEventRecord, EventLog } from './eventLog';
import { createSample } from './sampleRepository';

/** The sandbox path that stands for a real folder on this computer. */
const sandboxRoot = '/workspace';
export const workingDir = `${sandboxRoot}/project`;

/** The server cuts output after this many bytes. */
const outputCap = 1024 * 1024;

/** The result of a command. */
export interface Execution {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Where repositories are cloned from: the folder of a real one by name, such as `acme/shop`. */
export type Origins = Readonly<Record<string, string>>;

/** The sandbox folder that a repository is cloned to. */
export const cloneFolder = (repository: string | null): string =>
  repository === null ? workingDir : `${workingDir}/${repository.split('/').at(-1)}`;

/**
 * The files of a sandbox: a real folder with real git repositories, created on first use. Edits in the agents' events
 * are really written.
 */
export class SandboxFiles {
  private root: string | undefined;
  private readonly edits: (() => void)[] = [];
  private readonly repositories = new Set<string | null>();
  /** Ends what runs. */
  private life = new AbortController();

  constructor(private readonly origins: Origins) {}

  /** Adds a conversation: clones its repository and carries out its agent’s edits. */
  add(repository: string | null, log: EventLog): void {
    const clone = () => this.clone(repository);
    const replay = () => log.all.forEach((event) => this.carryOut(event));
    this.edits.push(clone, replay);
    if (this.root !== undefined) [clone, replay].forEach((edit) => edit());
    log.onEvent((event) => {
      if (this.root !== undefined) this.carryOut(event);
    });
  }

  /** The real path of a sandbox path. Real paths work, too, since commands print those. */
  place(file: string): string {
    const root = this.folder();
    return file === sandboxRoot || file.startsWith(`${sandboxRoot}/`)
      ? root + file.slice(sandboxRoot.length)
      : file;
  }

  /** Whether a place is in a folder, by the real paths of both as far as those exist. */
  isInside(place: string, folder: string): boolean {
    if (!path.isAbsolute(place)) return false;
    const way = path.relative(existing(this.place(folder)), existing(path.normalize(this.place(place))));
    return way !== '..' && !way.startsWith('../');
  }

  /** Runs a command until it ends, and kills it with what it started after `seconds`, or when it’s stopped. */
  execute(command: string, cwd: string, seconds: number, stopped?: AbortSignal): Promise<Execution> {
    const folder = this.place(cwd);
    if (!isFolder(folder)) return Promise.resolve({ exitCode: -1, stdout: '', stderr: 'no such folder' });
    return new Promise((resolve) => {
      // Quoted paths are those of the sandbox.
      const here = command.replaceAll(new RegExp(`(?<=')${sandboxRoot}(?=[/'])`, 'g'), () => this.folder());
      const child = spawn('/bin/sh', ['-c', here], {
        cwd: folder,
        env: this.environment(),
        detached: true,
      });
      const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].on('data', (chunk: Buffer) => output[name].push(chunk));
      let isLate = false;
      const kill = () => {
        isLate = true;
        if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
      };
      const timer = setTimeout(kill, seconds * 1_000);
      const ends = [this.life.signal, ...(stopped ? [stopped] : [])];
      for (const end of ends) end.addEventListener('abort', kill);
      child.once('close', (code) => {
        clearTimeout(timer);
        for (const end of ends) end.removeEventListener('abort', kill);
        const text = (name: 'stdout' | 'stderr') =>
          Buffer.concat(output[name]).subarray(0, outputCap).toString('utf8');
        resolve({ exitCode: isLate ? -1 : (code ?? -1), stdout: text('stdout'), stderr: text('stderr') });
      });
    });
  }

  /** Ends what still runs, and removes the folder. */
  dispose(): void {
    this.life.abort();
    this.life = new AbortController();
    // What was killed may be in the middle of a write.
    const patience = { maxRetries: 20, retryDelay: 20 };
    if (this.root !== undefined) rmSync(this.root, { recursive: true, force: true, ...patience });
    this.root = undefined;
    this.repositories.clear();
  }

  private folder(): string {
    if (this.root === undefined) {
      this.root = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-workspace-sandbox-')));
      mkdirSync(path.join(this.root, 'project'));
      mkdirSync(path.join(this.root, 'tmp'));
      this.edits.forEach((edit) => edit());
    }
    return this.root;
  }

  private clone(repository: string | null): void {
    const root = this.root;
    if (root === undefined || this.repositories.has(repository)) return;
    this.repositories.add(repository);
    const folder = this.place(cloneFolder(repository));
    const git = (...args: string[]) =>
      execFileSync('git', args, { env: this.environment(), cwd: root, stdio: 'pipe' });
    if (repository === null) {
      git('init', '--quiet', '--initial-branch=main', folder);
      return;
    }
    const url = `https://github.com/${repository}.git`;
    const origin = this.origins[repository];
    if (origin === undefined) {
      createSample(folder, (...args) => git('-C', folder, ...args));
    } else git('clone', '--quiet', origin, folder);
    git('-C', folder, 'config', 'remote.origin.url', url);
    if (origin !== undefined) git('-C', folder, 'config', `url.${origin}.insteadOf`, url);
  }

  /** Writes the file that an agent has edited. */
  private carryOut({ kind, observation }: AgentEventRecord): void {
    if (kind !== 'ObservationEvent') return;
    const { kind: what, path: file, new_content: content } = observation as Record<string, unknown>;
    if (what !== 'FileEditorObservation' || typeof file !== 'string' || typeof content !== 'string') return;
    const target = this.place(file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }

  private environment(): NodeJS.ProcessEnv {
    const root = this.root ?? '';
    return {
      PATH: process.env['PATH'],
      HOME: root,
      TMPDIR: path.join(root, 'tmp'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Agent',
      GIT_AUTHOR_EMAIL: 'agent@example.com',
      GIT_COMMITTER_NAME: 'Agent',
      GIT_COMMITTER_EMAIL: 'agent@example.com',
    };
  }
}

/** A path without links in the part of it that exists. */
function existing(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(existing(parent), path.basename(place));
  }
}

const isFolder = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
