import { type Beginning, findBase } from './baseScript';
import { aloneWithGit } from './sandboxScripts';
import { quoted } from '../../../shared/shellScript';

/** A commit on the agent’s branch. */
export interface Commit {
  sha: string;
  author: string;
  /** Milliseconds since 1970; NaN for a time that doesn’t exist. */
  at: number;
  subject: string;
}

/** Commits that are listed. */
const mostCommits = 200;

const enter = (root: string) => `${aloneWithGit}
cd ${quoted(root)}; top=$(git rev-parse --show-toplevel); cd "$top"`;

/** Lists the commits since the base, the newest first: fields that end with a control character, each commit with NUL. */
export const commitsScript = (root: string, began: Beginning): string => `${enter(root)}
${findBase(began)}
[ -n "$head" ] || exit 0
git log -z --no-show-signature -n ${mostCommits} --format='%H%x01%an%x01%at%x01%s' \${base:+"^$base"} "$head" --`;

/** Reads the answer of `commitsScript`. */
export function parseCommits(answer: Uint8Array): Commit[] {
  const records = Buffer.from(answer).toString('utf8').split('\0');
  return records.flatMap((record) => {
    const [sha = '', author = '', at = '', ...subject] = record.split('\u0001');
    return /^[0-9a-f]{40,64}$/.test(sha)
      ? [{ sha, author, at: new Date(Number(at) * 1_000).getTime(), subject: subject.join(' ') }]
      : [];
  });
}

/** Packs the objects that a commit has and another hasn’t, with their history, as git sends them. */
export const packScript = (root: string, base: string, head: string): string => `${enter(root)}
printf '%s\\n' ${quoted(head)} ${quoted(`^${base}`)} | git pack-objects --revs --stdout --quiet --delta-base-offset --compression=1`;

/** Lists what a commit changed against its first parent, in the form of `listingScript`. */
export const commitScript = (root: string, sha: string): string => `${enter(root)}
sha=$(git rev-parse --verify --quiet ${quoted(`${sha}^{commit}`)})
parent=$(git rev-parse --verify --quiet "$sha^1^{commit}") || parent=
if [ -n "$parent" ]; then moved diff-tree -r -z --raw --no-abbrev "$parent" "$sha"
else moved diff-tree --root --no-commit-id -r -z --raw --no-abbrev "$sha"; fi
sizes > "$work/sizes"
printf '%s\\0' "$top" '' "$parent" remote "$sha" "$(length_of "$work/sizes")" 0 0 0 0
cat "$work/sizes" "$work/raw"`;
