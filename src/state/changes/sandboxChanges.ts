import * as l10n from '@vscode/l10n';
import type { SandboxWorkspace } from '../../api/agent/workspace';
import { Refusal } from '../basics/refusal';
import { hasHash } from './blobHash';
import { ContentBatch } from './contentBatch';
import type { ContentCache } from './contentCache';
import { type Listing, parseListing, parseListings } from './listing';
import type { ChangeSet, ChangeSource, FileVersion, ReadChanges } from './changeSet';
import { askSandbox } from './sandboxAnswer';
import { largestContent, listingScript, listingsScript, repositoriesScript } from './sandboxScripts';

/** Bytes of a listing, which has some 150 for each file. */
const largestListing = 32 * 1024 * 1024;

/** The roots of the repositories in and near a folder of a sandbox. Throws ApiError and Refusal. */
export async function findRepositories(
  workspace: SandboxWorkspace,
  folder: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const limits = { folder, maxBytes: largestListing };
  const found = await askSandbox(workspace, repositoriesScript, limits, signal);
  return Buffer.from(found).toString('utf8').split('\0').filter(Boolean).sort();
}

/**
 * The changes of all repositories in and near a folder of a sandbox, in the order of their roots, with one request. If
 * git couldn’t read some, the others count as incomplete. Throws ApiError, and a Refusal if that leaves no change to
 * show.
 * @param branch that the conversation began on
 */
export async function readRepositories(
  workspace: SandboxWorkspace,
  { folder, branch }: { folder: string; branch: string | null },
  cache: ContentCache,
  signal?: AbortSignal,
): Promise<ReadChanges[]> {
  const limits = { folder, maxBytes: largestListing };
  const listings = parseListings(await askSandbox(workspace, listingsScript(branch), limits, signal));
  if (!listings) throw new Refusal(unreadable());
  const found = listings.filter((listing) => listing !== null);
  const isWhole = found.length === listings.length;
  if (!isWhole && found.every(({ files }) => files.length === 0)) throw new Refusal(gitFailed());
  return found
    .map((listing) => {
      const source = new SandboxChanges(workspace, { root: listing.repository.root, branch }, cache);
      const changes = source.take(listing);
      return { source, changes: isWhole ? changes : { ...changes, complete: false } };
    })
    .toSorted((a, b) => (a.changes.repository.root < b.changes.repository.root ? -1 : 1));
}

/** The changes of a repository in a running sandbox, according to git. Reading them changes nothing there. */
export class SandboxChanges implements ChangeSource {
  private names: ReadonlyMap<string, Uint8Array> = new Map();
  private readonly batch: ContentBatch;

  /** @param place where the repository is, and the branch that the conversation began on */
  constructor(
    private readonly workspace: SandboxWorkspace,
    private readonly place: { root: string; branch: string | null },
    private readonly cache: ContentCache,
  ) {
    this.batch = new ContentBatch(workspace, place.root);
  }

  async list(signal?: AbortSignal): Promise<ChangeSet> {
    const { root, branch } = this.place;
    const limits = { folder: root, maxBytes: largestListing };
    const answer = await askSandbox(this.workspace, listingScript(root, branch), limits, signal);
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
const gitFailed = () =>
  l10n.t('Git in the sandbox couldn’t read the agent’s repository. Nothing was changed. Try again.');
const tooLarge = () => l10n.t('The file is too large to fetch. It stays in the sandbox.');
const changedMeanwhile = () => l10n.t('The agent has changed the file again. Show the changes again.');
