import * as l10n from '@vscode/l10n';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import { Refusal } from '../../../core/basics/refusal';
import { plainText } from '../../../shared/plainText';
import type { Beginning } from './baseScript';
import { hasHash } from './blobHash';
import { commitScript } from './commits';
import { ContentBatch } from './contentBatch';
import type { ContentCache } from './contentCache';
import { type Listing, parseListing, parseListings } from './listing';
import type { ChangeSet, ChangeSource, FileVersion, ReadChanges } from './changeSet';
import { askSandbox } from './sandboxAnswer';
import { branchesScript, listingsScript, repositoriesScript, searchedLevels } from './repositoriesScript';
import { largestContent, listingScript } from './sandboxScripts';

/** Bytes of a listing, which has some 150 for each file. */
const largestListing = 32 * 1024 * 1024;

/** A repository in a sandbox. */
export interface FoundRepository {
  root: string;
  /** Address of its remote; empty without one. */
  remote: string;
}

/** The repositories in and near a folder of a sandbox, in the order of their roots. Throws ApiError and Refusal. */
export async function findRepositories(
  workspace: SandboxWorkspace,
  folder: string,
  signal?: AbortSignal,
): Promise<FoundRepository[]> {
  const limits = { folder, maxBytes: largestListing };
  const found = Buffer.from(await askSandbox(workspace, repositoriesScript, limits, signal)).toString('utf8');
  const fields = found.split('\0').slice(0, -1);
  return fields
    .flatMap((root, at) => (at % 2 === 0 ? [{ root, remote: fields[at + 1] ?? '' }] : []))
    .toSorted((a, b) => (a.root < b.root ? -1 : 1));
}

/**
 * The branches with commits since the conversation began that nothing in or near a folder of a sandbox has checked out.
 * Throws ApiError and Refusal.
 */
export async function findBranches(
  workspace: SandboxWorkspace,
  { folder, ...began }: { folder: string } & Beginning,
  signal?: AbortSignal,
): Promise<string[]> {
  const limits = { folder, maxBytes: largestListing };
  const found = Buffer.from(await askSandbox(workspace, branchesScript(began), limits, signal)).toString(
    'utf8',
  );
  return found.split('\0').slice(0, -1);
}

/**
 * The changes of all repositories in and near a folder of a sandbox, in the order of their roots, with one request. If
 * git couldn’t read some, or there were too many, the others count as incomplete. Throws ApiError, and a Refusal if that
 * leaves no change to show.
 */
export async function readRepositories(
  workspace: SandboxWorkspace,
  { folder, ...began }: { folder: string } & Beginning,
  cache: ContentCache,
  signal?: AbortSignal,
): Promise<ReadChanges[]> {
  const limits = { folder, maxBytes: largestListing };
  const found = parseListings(await askSandbox(workspace, listingsScript(began), limits, signal));
  if (!found) throw new Refusal(unreadable());
  const { listed, failed, why, isCut } = found;
  const isNothing = listed.every(({ files, complete }) => complete && files.length === 0);
  if (failed.length > 0 && isNothing) throw new Refusal(gitFailed(plainText(why.trim(), 200)));
  if (isCut && listed.length === 0) throw new Refusal(tooDeep());
  const isWhole = failed.length === 0 && !isCut;
  return listed
    .map((listing) => {
      const source = new SandboxChanges(
        workspace,
        { root: listing.repository.root, folder, ...began },
        cache,
      );
      const changes = source.take(listing);
      if (isWhole) return { source, changes };
      const unread = [...(changes.unread ?? []), ...failed, ...(isCut ? [others(folder)] : [])];
      return { source, changes: { ...changes, complete: false, unread } };
    })
    .toSorted((a, b) => (a.changes.repository.root < b.changes.repository.root ? -1 : 1));
}

/** The changes of a repository in a running sandbox, according to git. Reading them changes nothing there. */
export class SandboxChanges implements ChangeSource {
  private names: ReadonlyMap<string, Uint8Array> = new Map();
  private readonly batch: ContentBatch;

  /** @param place where the repository is, the agent’s folder, what the conversation began with; and only this commit */
  constructor(
    private readonly workspace: SandboxWorkspace,
    private readonly place: { root: string; folder: string; commit?: string | undefined } & Beginning,
    private readonly cache: ContentCache,
  ) {
    this.batch = new ContentBatch(workspace, place);
  }

  async list(signal?: AbortSignal): Promise<ChangeSet> {
    const { root, folder, commit, ...began } = this.place;
    const limits = { folder, maxBytes: largestListing };
    const script = commit === undefined ? listingScript(root, began) : commitScript(root, commit);
    const answer = await askSandbox(this.workspace, script, limits, signal);
    const listing = parseListing(answer);
    if (!listing) throw new Refusal(unreadable());
    return this.take(listing);
  }

  /** Learns the names of files from a listing. */
  take({ names, ...changes }: Listing): ChangeSet {
    this.names = names;
    return changes;
  }

  async content({ oid, size }: FileVersion, signal?: AbortSignal): Promise<Uint8Array> {
    if (oid === '' || (size ?? 0) > largestContent) throw new Refusal(tooLarge());
    const known = this.cache.get(oid);
    if (known) return known;
    const content = await this.batch.fetch(oid, this.names.get(oid), size ?? largestContent, signal);
    if (!content || !hasHash(content, oid)) throw new Refusal(changedMeanwhile());
    this.cache.set(oid, content);
    return content;
  }
}

const unreadable = () => l10n.t('The sandbox’s list of changes can’t be read. Try again.');
const gitFailed = (why: string) =>
  why === ''
    ? l10n.t('Git in the sandbox couldn’t read the agent’s repository. Nothing was changed. Try again.')
    : l10n.t('Git in the sandbox couldn’t read the agent’s repository: {0}', why);
const tooDeep = () =>
  l10n.t(
    'No Git repository is within {0} levels of the agent’s folder, and deeper folders weren’t searched. Nothing can be compared.',
    searchedLevels,
  );
const others = (folder: string) => l10n.t('other repositories in {0}', folder);
const tooLarge = () => l10n.t('The file is too large to fetch. It stays in the sandbox.');
const changedMeanwhile = () => l10n.t('The agent has changed the file again. Show the changes again.');
