/** What git says about a repository that is open in the editor. */
export interface OpenRepository {
  /** URI of its folder. */
  readonly root: string;
  readonly remotes: readonly { readonly name: string; readonly url: string }[];
  /** The branch that is checked out; undefined for a detached head. */
  readonly branch: string | undefined;
  /** The remote's branch that it follows; undefined for one that was never pushed. */
  readonly upstream: RemoteBranch | undefined;
  /** Branches of the remotes, as far as git has fetched them. */
  readonly remoteBranches: readonly RemoteBranch[];
}

interface RemoteBranch {
  readonly remote: string;
  readonly branch: string;
}
