/** Bytes of a file from which it is named with its size, and left where it is. */
export const largestContent = 20 * 1024 * 1024;

/** A text as one word of the shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Maximum size of an answer in the shell’s output, in bytes: the sandbox keeps all output, and may cut it after 1 MiB.
 */
const largestPrinted = 192 * 1024;

/**
 * Runs a script for a POSIX shell whose output may be anything. A short answer is printed in Base64, between equals
 * signs that show that it’s whole. A longer one is in the file `answer` of a new folder, whose path is printed. The
 * script has `$work`, a folder of its own that is removed at its end. Folders that nobody fetched are removed after an
 * hour.
 */
export function answering(script: string): string {
  return `LC_ALL=C; export LC_ALL
find "\${TMPDIR:-/tmp}" -maxdepth 1 -type d -name 'agent-workspace-answer-*' -mmin +60 -exec rm -rf {} + 2>/dev/null
folder=$(mktemp -d "\${TMPDIR:-/tmp}/agent-workspace-answer-XXXXXXXX") || exit 1
work=$folder/work; mkdir "$work" || exit 1
( set -e
${script}
) > "$folder/answer" 2> "$folder/errors" < /dev/null; code=$?
rm -rf "$work"
if [ $code != 0 ]; then tail -c 1000 "$folder/errors" >&2
elif [ "$(wc -c < "$folder/answer")" -gt ${largestPrinted} ]; then printf '%s' "$folder"; exit
else printf '='; base64 < "$folder/answer" | tr -d '\\n'; printf '='; fi
rm -rf "$folder"
exit $code`;
}

/**
 * Makes git look without changing anything: a copy of the index serves as index, and new objects go to a folder that is
 * removed.
 * @param root as a word of the shell
 */
const lookOnly = (root: string): string => `cd ${root}
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR GIT_NAMESPACE GIT_CEILING_DIRECTORIES
GIT_OPTIONAL_LOCKS=0; GIT_TERMINAL_PROMPT=0; export GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT
git() { command git -c core.fsmonitor=false -c core.untrackedCache=false -c core.splitIndex=false -c core.safecrlf=false -c core.compression=0 -c pack.compression=0 -c core.fsync=none -c advice.addEmbeddedRepo=false -c safe.directory='*' "$@"; }
top=$(git rev-parse --show-toplevel); cd "$top"
own=$(git rev-parse --git-path index); if [ -f "$own" ]; then cp -p "$own" "$work/index"; fi
objects=$(git rev-parse --git-path objects); objects=$(cd "$objects" && pwd)
mkdir "$work/objects"
GIT_INDEX_FILE=$work/index; GIT_OBJECT_DIRECTORY=$work/objects; GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects
export GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES`;

/**
 * Finds the commit that changes are against, in `$base`: where the head left the branch of the remote that the
 * conversation is about, else the remote’s default branch. Commits pushed from the sandbox don’t count; the branch’s
 * log shows them. Without a remote, the commit that was cloned; empty for a repository that began empty.
 */
const findBase = (
  branch: string | null,
): string => `head=$(git rev-parse --verify --quiet 'HEAD^{commit}') || head=
remote=$(git remote | grep -x origin || git remote | head -n 1)
url=; if [ -n "$remote" ]; then url=$(git config --get "remote.$remote.url") || url=; fi
tip_of() {
  [ -n "$1" ] || return 1
  sha=$(git rev-parse --verify --quiet "$1^{commit}") || return 1
  log=$(git rev-parse --git-path "logs/$1")
  if [ -s "$log" ]; then sha=$(awk -F '\\t' '{ split($1, part, " "); before[NR] = part[1]; after[NR] = part[2]; what[NR] = $2 }
    END { line = NR; sha = after[line]; while (line > 0 && what[line] ~ /^update by push/) { sha = before[line]; line-- } print sha }' "$log"); fi
  case $sha in *[!0]*) printf '%s' "$sha" ;; *) return 1 ;; esac
}
tip=
if [ -n "$remote" ]; then
  default=$(git symbolic-ref --quiet "refs/remotes/$remote/HEAD") || default=
  follows=$(git rev-parse --symbolic-full-name --quiet '@{upstream}' 2>/dev/null) || follows=
  for ref in ${branch === null ? '' : `"refs/remotes/$remote/"${quoted(branch)}`} "$default" "refs/remotes/$remote/main" "refs/remotes/$remote/master" "$follows"; do
    tip=$(tip_of "$ref") && break
  done
fi
base=
if [ -n "$tip" ] && [ -n "$head" ]; then base=$(git merge-base "$head" "$tip") || base=$tip
elif [ -n "$tip" ]; then base=$tip
else
  log=$(git rev-parse --git-path logs/HEAD)
  if [ -s "$log" ]; then base=$(head -n 1 "$log" | awk -F '\\t' '$2 ~ /^clone:/ { split($1, part, " "); print part[2] }'); fi
fi`;

/**
 * Lists everything that a repository has against its base. Answers fields that end with NUL (root, address of the remote,
 * base, head, 1 if all files could be read else 0, and the lengths of the three parts that come next), then the sizes of
 * contents, the names of large files, their sizes and modes, and the output of `git diff-index --raw -z`.
 */
const listing = (root: string, branch: string | null): string => `${lookOnly(root)}
${findBase(branch)}
kilobytes=${largestContent / 1024}
git ls-files -z --modified --others --exclude-standard > "$work/candidates"
sed -z 's|^|./|' < "$work/candidates" | xargs -0 -r sh -c 'find "$@" -maxdepth 0 -type f -size +'"$kilobytes"'k -print0' find 2>/dev/null > "$work/large" || :
xargs -0 -r stat -c '%s %a' < "$work/large" > "$work/stats"
sed -z 's|^\\./||' < "$work/large" > "$work/names"
git update-index --force-remove -z --stdin < "$work/names"
all=1
# Each content of its own file takes 1 ms; what git calls big goes to one pack.
add() { git -c core.bigFileThreshold=1 add --all --ignore-errors "$@" || all=0; }
if [ -s "$work/names" ]; then
  sed -z 's|^|:(top,literal,exclude)|' < "$work/names" > "$work/left"
  add --pathspec-from-file="$work/left" --pathspec-file-nul
else add; fi
from=$base; if [ -z "$from" ]; then from=$(git hash-object -t tree /dev/null); fi
git diff-index --cached --raw -z --no-abbrev -M --ignore-submodules=none "$from" > "$work/raw"
tr '\\0' '\\n' < "$work/raw" | sed -n 's/^:[0-7]* [0-7]* \\([0-9a-f]*\\) \\([0-9a-f]*\\) [A-Z].*/\\1 \\2/p' | tr ' ' '\\n' | sort -u |
  git cat-file --buffer --batch-check='%(objectname) %(objectsize)' > "$work/sizes"
printf '%s\\0' "$top" "$url" "$base" "$head" "$all" "$(wc -c < "$work/sizes")" "$(wc -c < "$work/names")" "$(wc -c < "$work/stats")"
cat "$work/sizes" "$work/names" "$work/stats" "$work/raw"`;

export const listingScript = (root: string, branch: string | null): string => listing(quoted(root), branch);

/**
 * Lists all repositories in and near the current folder at once. Answers for each the exit code and the length of its
 * listing, both ending with NUL, and the listing, which is empty if git failed.
 */
export function listingsScript(branch: string | null): string {
  return `${repositoriesScript} > "$work/roots"
count=$(tr -dc '\\0' < "$work/roots" | wc -c)
number=0; desk=$work
while [ "$number" -lt "$count" ]; do
number=$((number + 1))
# Under a condition, the shell wouldn’t stop at what fails.
set +e
( set -e; work=$desk/$number; mkdir "$work"; root=$(sed -z -n "$number"p "$desk/roots" | tr -d '\\0')
${listing('"$root"', branch)}
) > "$desk/listing"; code=$?
set -e
if [ "$code" != 0 ]; then : > "$desk/listing"; fi
printf '%s\\0' "$code" "$(wc -c < "$desk/listing")"; cat "$desk/listing"
rm -rf "$desk/$number"
done`;
}

/**
 * Answers contents in the form of `git cat-file --batch`.
 * @param files names of files in the work tree that may have contents that git hasn’t stored, each ending with NUL
 */
export function contentScript(root: string, oids: readonly string[], files: Uint8Array): string {
  return `${lookOnly(quoted(root))}
printf '%s' ${quoted(Buffer.from(files).toString('base64'))} | base64 -d > "$work/files"
git update-index --add --remove --replace -z --stdin < "$work/files" || :
printf '%s\\n' ${oids.map(quoted).join(' ')} | git cat-file --buffer --batch`;
}

/** Finds the repositories in and near the current folder; answers their roots, each ending with NUL. */
export const repositoriesScript = `find "$(pwd -P)" -maxdepth 3 -name node_modules -prune -o -name .git -type d -prune -print0 > "$work/found" 2>/dev/null || :
sed -z 's|/\\.git$||' < "$work/found"`;
