import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import { Refusal } from '../../../core/basics/refusal';
import { quoted } from '../../../shared/shellScript';
import {
  askSandbox,
  withUpload,
  aloneWithGit,
  type SandboxPlace,
  type FoundRepository,
  findRepositories,
} from '../../sandboxChanges';
import { parseRemote } from '../../../core/remoteAddress';

export const parcelSchema = z.object({
  /** Unique; names the patch in the sandbox. */
  id: z.string(),
  /** `owner/name`. */
  repository: z.string(),
  base: z.string(),
  /** Branch to check out the base on; null for none. */
  branch: z.nullable(z.string()),
  /** Hash of the tree that the base becomes with the patch. */
  tree: z.string(),
});

/** What must be in a sandbox before its agent gets the message. */
export type Parcel = z.infer<typeof parcelSchema>;

/** Where a delivery is. */
export type DeliveryStep = 'reaching' | 'uploading' | 'applying';

const longestAnswer = 1_000;

/**
 * Makes the sandbox’s repository match the local one: checks out the base, applies the patch, and compares the hash of
 * the tree. Can be repeated; what is already there stays. Throws ApiError, and a Refusal that says what is where.
 */
export async function deliver(
  parcel: Parcel,
  patch: Uint8Array,
  reach: () => Promise<SandboxPlace>,
  report: (step: DeliveryStep) => void,
  signal: AbortSignal,
): Promise<void> {
  report('reaching');
  const { workspace, workingDir } = await reach();
  const folder = workingDir;
  const root = await rootOf(workspace, folder, parcel.repository, signal);
  report('uploading');
  const upload = { folder, name: `agent-workspace-${parcel.id}.patch`, content: patch };
  const apply = (file: string) => {
    report('applying');
    const limits = { folder, maxBytes: longestAnswer };
    return askSandbox(workspace, applyingScript(parcel, root, file), limits, signal);
  };
  const answer = await withUpload(workspace, upload, apply, signal);
  const found = Buffer.from(answer).toString();
  if (found === 'done') return;
  throw new Refusal((Object.entries(words).find(([name]) => name === found)?.[1] ?? words.differs)());
}

/** What the script in the sandbox answers if it isn’t `done`. */
const words = {
  noBase: () =>
    l10n.t(
      'The sandbox’s repository doesn’t have the commit that your changes are based on, and can’t fetch it. Push it and try again.',
    ),
  changed: () =>
    l10n.t('Files in the sandbox’s repository have changed already, so your changes weren’t applied there.'),
  patch: () =>
    l10n.t('Git in the sandbox couldn’t apply your changes. The repository there is at your base commit.'),
  differs: () => l10n.t('Your changes were applied in the sandbox, but the files there differ from yours.'),
};

/**
 * The clone of the repository: where the service puts it, or else the only one with that remote, or the only one at
 * all. Never one that has another remote.
 */
async function rootOf(
  workspace: SandboxWorkspace,
  workingDir: string,
  repository: string,
  signal: AbortSignal,
): Promise<string> {
  const found = await findRepositories(workspace, workingDir, signal);
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const place = posix.join(workingDir, name);
  const there = found.find(({ root }) => root === place);
  if (there && isOf(there, repository) !== false) return place;
  const fitting = found.filter((one) => isOf(one, repository) === true);
  const [first, ...others] = fitting.length > 0 ? fitting : found;
  if (first && others.length === 0 && isOf(first, repository) !== false) return first.root;
  if (fitting.length > 1)
    throw new Refusal(
      l10n.t(
        'The sandbox has several clones of {0}, and none in its usual place. Nothing was changed there.',
        repository,
      ),
    );
  if (there)
    throw new Refusal(
      l10n.t(
        'The folder {0} in the sandbox is a clone of another repository. Nothing was changed there.',
        place,
      ),
    );
  throw new Refusal(l10n.t('The repository isn’t in the sandbox yet. Try again in a moment.'));
}

/** Whether a clone’s remote is the repository; undefined if its address doesn’t say, such as the path of a folder. */
function isOf({ remote }: FoundRepository, repository: string): boolean | undefined {
  const known = parseRemote(remote)?.repository.toLowerCase();
  if (known === undefined) return undefined;
  // A proxy may add a path of its own before it.
  return `/${known}`.endsWith(`/${repository.toLowerCase()}`);
}

/**
 * A script that answers `done`, or why not. The repository's index stays that of the base; new files are untracked, as
 * here.
 */
function applyingScript({ base, branch, tree }: Parcel, root: string, file: string): string {
  const [place, onBranch, own, others] =
    branch === null
      ? ['--detach', '', '', '--branches']
      : [
          `-B ${quoted(branch)}`,
          ` && [ "$(git symbolic-ref --quiet --short HEAD)" = ${quoted(branch)} ]`,
          quoted(`refs/heads/${branch}`),
          `${quoted(`--exclude=${branch}`)} --branches`,
        ];
  return `cd ${quoted(root)}
${aloneWithGit}
unset GIT_OPTIONAL_LOCKS
git() { command git -c core.fsmonitor=false -c core.safecrlf=false -c advice.detachedHead=false -c "safe.directory=*" "$@"; }
base=${quoted(base)}; tree=${quoted(tree)}; patch=${quoted(file)}
has_base() { git cat-file -e "$base^{commit}" 2>/dev/null; }
has_base || { remote=$(git remote | head -n 1); git fetch --quiet "$remote" "$base" 2>/dev/null || :; }
has_base || { printf noBase; exit 0; }
tree_here() (
  GIT_INDEX_FILE=$work/index; export GIT_INDEX_FILE; rm -f "$GIT_INDEX_FILE"
  git read-tree "$base"
  if [ -s "$patch" ]; then git apply --cached --whitespace=nowarn "$patch"; fi
  git diff-index --cached --name-only -z --diff-filter=d "$base" > "$work/paths"
  # Deleted files that are still here; the folder of others may be a link by now.
  git diff-index --cached --name-only -z --diff-filter=D "$base" |
    GIT_LITERAL_PATHSPECS=1 xargs -0 sh -c '[ $# = 0 ] || git -c "safe.directory=*" ls-files -z --others -- "$@"' list >> "$work/paths"
  git update-index -z --add --remove --stdin < "$work/paths"
  git update-index -q --refresh > /dev/null || :
  if [ -n "$(git diff-files --name-only)" ]; then printf other; else git write-tree --missing-ok; fi
)
head=$(git rev-parse --verify --quiet HEAD) || head=
is_there() { [ "$head" = "$base" ]${onBranch}; }
if is_there && [ "$(tree_here)" = "$tree" ]; then rm -f "$patch"; printf done; exit 0; fi
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then printf changed; exit 0; fi
if ! is_there; then
  # Commits of other agents that nothing else leads to.
  left=$(git rev-list -n 1 --ignore-missing $head ${own} --not "$base" --tags --remotes ${others})
  if [ -n "$left" ]; then printf changed; exit 0; fi
  # A hook that fails after the checkout undoes nothing.
  git checkout --quiet ${place} "$base" >&2 || { status=$?; head=$(git rev-parse --verify --quiet HEAD) || head=; is_there || exit "$status"; }
fi
if [ -s "$patch" ]; then
  git apply --whitespace=nowarn "$patch" || { printf patch; exit 0; }
  # New attributes count for the files that come with them, which are written again as git checks them out.
  ( GIT_INDEX_FILE=$work/checked; export GIT_INDEX_FILE
    git read-tree "$base"; git apply --cached --whitespace=nowarn "$patch"
    git diff-index --cached --name-only -z "$base" > "$work/all"
    git diff-index --cached --name-only -z --diff-filter=d "$base" > "$work/written"
    if tr '\\0' '\\n' < "$work/all" | grep -E -q '(^|/)[.]gitattributes$'; then git checkout-index -f -q -z --stdin < "$work/written"; fi ) || :
fi
if [ "$(tree_here)" = "$tree" ]; then rm -f "$patch"; printf done; else printf differs; fi`;
}
