import * as l10n from '@vscode/l10n';
import type { AgentEvent } from '../../../api/events/event';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import { Refusal } from '../../../core/basics/refusal';
import type { Beginning } from './baseScript';
import { type Commit, commitsScript, packScript, parseCommits } from './commits';
import { ContentCache } from './contentCache';
import { askSandbox } from './sandboxAnswer';
import { eventEdits, EventChanges } from './eventChanges';
import type { ChangeSource, ReadChanges } from './changeSet';
import { findBranches, findRepositories, readRepositories, SandboxChanges } from './sandboxChanges';

/** Where the files of a conversation are. */
export interface SandboxPlace {
  workspace: SandboxWorkspace;
  /** Folder that the agent works in; repositories are in it. */
  workingDir: string;
}

/** What the changes of a conversation are made from. */
export interface ChangesDesk {
  /** Finds the sandbox; resumes it if `whileWaking` is given. Throws a Refusal if it can’t be reached, and ApiError. */
  reachPlace: (whileWaking?: () => void) => Promise<SandboxPlace>;
  /** Reads all events. Throws a Refusal if it can’t. */
  loadAll: (signal?: AbortSignal) => Promise<void>;
  events: () => readonly AgentEvent[];
  /** What the conversation began with. */
  began: () => Beginning & { repository: string | null };
  /** Masks known secrets. */
  mask: (text: string) => string;
}

/** Bytes of a list of commits. */
const largestLog = 4 * 1024 * 1024;
/** Bytes of commits with all that is in them. */
export const largestPack = 100 * 1024 * 1024;

/** One content cache for all: the same content has the same hash everywhere. */
const cache = new ContentCache();

/** What an agent changed: according to git in its sandbox, or as far as the conversation’s events say. */
export class ConversationChanges {
  constructor(private readonly desk: ChangesDesk) {}

  /** For texts that leave the editor. */
  mask(text: string): string {
    return this.desk.mask(text);
  }

  /** Throws a Refusal if the sandbox can’t be reached, and ApiError. */
  place(whileWaking?: () => void): Promise<SandboxPlace> {
    return this.desk.reachPlace(whileWaking);
  }

  /**
   * The changes of the repositories in the running sandbox, at least one. Throws a Refusal if it can’t be reached or has
   * none, and ApiError.
   * @param whileWaking resumes a paused sandbox, and is called when that begins
   */
  async repositories(signal?: AbortSignal, whileWaking?: () => void): Promise<ReadChanges[]> {
    const { workspace, workingDir: folder } = await this.desk.reachPlace(whileWaking);
    const { branch, at } = this.desk.began();
    const found = await readRepositories(workspace, { folder, branch, at }, cache, signal);
    if (found.length > 0) return found;
    throw new Refusal(l10n.t('The agent’s folder has no Git repository. Nothing can be compared.'));
  }

  /** The branches with commits since the conversation began that aren’t checked out. Throws like `repositories`. */
  async branches(signal?: AbortSignal): Promise<string[]> {
    const { workspace, workingDir: folder } = await this.desk.reachPlace();
    const { branch, at } = this.desk.began();
    return findBranches(workspace, { folder, branch, at }, signal);
  }

  /**
   * The commits in the repositories of the sandbox since their bases, the newest first. Throws like `repositories`.
   * @param whileWaking resumes a paused sandbox, and is called when that begins
   */
  async commits(
    signal?: AbortSignal,
    whileWaking?: () => void,
  ): Promise<{ root: string; commits: Commit[] }[]> {
    const { workspace, workingDir: folder } = await this.desk.reachPlace(whileWaking);
    const { branch, at } = this.desk.began();
    const limits = { folder, maxBytes: largestLog };
    const found: { root: string; commits: Commit[] }[] = [];
    for (const { root } of await findRepositories(workspace, folder, signal)) {
      const answer = await askSandbox(workspace, commitsScript(root, { branch, at }), limits, signal);
      found.push({ root, commits: parseCommits(answer) });
    }
    return found;
  }

  /**
   * What a commit has and another hasn’t, with its history, as git’s pack. Throws like `repositories`, and an error of
   * reason `tooLarge`.
   */
  async pack(root: string, base: string, head: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { workspace, workingDir: folder } = await this.desk.reachPlace();
    return askSandbox(workspace, packScript(root, base, head), { folder, maxBytes: largestPack }, signal);
  }

  /**
   * One repository in the running sandbox. Throws like `repositories`.
   * @param commit only what it changed
   */
  async repository(root: string, commit?: string): Promise<ChangeSource> {
    const { workspace, workingDir: folder } = await this.desk.reachPlace();
    const { branch, at } = this.desk.began();
    return new SandboxChanges(workspace, { root, folder, branch, at, commit }, cache);
  }

  /** What the events say, even if the sandbox isn't running. Throws a Refusal if they can’t all be read. */
  async fromEvents(signal?: AbortSignal): Promise<ChangeSource> {
    await this.desk.loadAll(signal);
    return new EventChanges(eventEdits(this.desk.events()), this.desk.began().repository);
  }

  /** What one step changed, by the id of its entry in the transcript. Throws a Refusal if it can’t be read. */
  async ofStep(entryId: string): Promise<ChangeSource> {
    if (!this.desk.events().some(({ id }) => id === entryId)) await this.desk.loadAll();
    return new EventChanges(eventEdits(this.desk.events(), entryId), this.desk.began().repository);
  }
}
