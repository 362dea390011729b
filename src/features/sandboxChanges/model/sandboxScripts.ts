import { type Beginning, findBase } from './baseScript';
import { quoted } from '../../../shared/shellScript';

/** Bytes of a file from which it is named with its size, and left where it is. */
export const largestContent = 20 * 1024 * 1024;

/** Git, without what would change files, ask, or make it slow. */
export const plainGit =
  'git -c core.fsmonitor=false -c core.untrackedCache=false -c core.splitIndex=false -c core.safecrlf=false -c core.compression=0 -c pack.compression=0 -c core.fsync=none -c core.hooksPath=/dev/null -c "safe.directory=*"';

/**
 * Forgets places and options that the environment has for git, and places where `cd` would look for relative paths and
 * then print what it found. Prepares words for what follows:
 * - `git`: without what would change files.
 * - `to_lines`, `from_lines`: names that end with NUL, as lines, and back.
 * - `objects`: answers about objects by their hashes. Those that a partial clone lacks and can’t fetch are reported as
 *   missing by a repository that doesn’t know where it was cloned from.
 * - `moved`: lists differences with -M, or as far as that needs no content.
 * - `some`: adds files to the index in groups of a size; answers those of the groups that failed. Before it writes an
 *   index, git looks again into files that are as new as that, and fails with their filters; so the index gets a late
 *   date.
 * - `add_all`: adds the files of a list to the index: all at once, and if that fails, groups of them until each that
 *   fails is alone. Each content of its own file takes 1 ms; what git calls big goes to one pack. With what git knows
 *   of the files’ status, it would take some for unchanged, so it has to look again.
 */
export const aloneWithGit = `unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_NAMESPACE GIT_CEILING_DIRECTORIES GIT_PREFIX GIT_GRAFT_FILE GIT_SHALLOW_FILE GIT_DIFF_OPTS GIT_EXTERNAL_DIFF GIT_ATTR_SOURCE GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS
GIT_OPTIONAL_LOCKS=0; GIT_TERMINAL_PROMPT=0; GIT_NO_REPLACE_OBJECTS=1; export GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT GIT_NO_REPLACE_OBJECTS
git() { command ${plainGit} "$@"; }
to_lines() { tr '\\0\\n' '\\n\\001'; }
from_lines() { tr '\\n\\001' '\\0\\n'; }
objects() {
  cat > "$work/asked"
  git cat-file --buffer "$1" < "$work/asked" > "$work/answered" 2>/dev/null || (
    store=$(cd "$(git rev-parse --git-path objects)" && pwd)
    git init --quiet --bare --template= --object-format="$(git rev-parse --show-object-format)" "$work/apart.git"
    GIT_DIR=$work/apart.git; GIT_OBJECT_DIRECTORY=$store; export GIT_DIR GIT_OBJECT_DIRECTORY
    git cat-file --buffer "$1" < "$work/asked" > "$work/answered"
  )
  cat "$work/answered"
}
sizes() { tr '\\0' '\\n' < "$work/raw" | sed -n 's/^:[0-7]* [0-7]* \\([0-9a-f]*\\) \\([0-9a-f]*\\) [A-Z].*/\\1 \\2/p' | tr ' ' '\\n' | sort -u | objects --batch-check='%(objectname) %(objectsize)'; }
moved() { git "$@" -M > "$work/raw" 2>/dev/null || git "$@" -M100% > "$work/raw"; }
length_of() { echo $(($(wc -c < "$1"))); }
some() { xargs -0 -n "$1" sh -c '[ $# = 0 ] || { touch -c -t 203801010000 "$GIT_INDEX_FILE"
  printf "%s\\0" "$@" | command ${plainGit} update-index --add --remove --replace -z --stdin 2>/dev/null; } || printf "%s\\0" "$@"' add; }
add_all() {
  git -c core.bigFileThreshold=1 update-index --add --remove --replace -z --stdin < "$1" 2> "$work/problems" && return 0
  GIT_LITERAL_PATHSPECS=1 xargs -0 sh -c '[ $# = 0 ] || command ${plainGit} ls-files -z --stage -- "$@"' list < "$1" > "$work/known"
  touch -c -t 203801010000 "$GIT_INDEX_FILE"
  git update-index -z --index-info < "$work/known"
  cp "$1" "$work/failed"
  for size in 500 20 1; do mv "$work/failed" "$work/again"; some "$size" < "$work/again" > "$work/failed"; done
}`;

/**
 * Makes git look without changing anything: a copy of the index serves as index, and new objects go to a folder that is
 * removed. The folder of the others is in quotes, because a colon separates folders. Git may have been told not to look at
 * some files; those that a sparse checkout leaves out stay as they are.
 */
const lookOnly = `own=$(git rev-parse --git-path index); if [ -f "$own" ]; then cp -p "$own" "$work/index"; fi
objects=$(git rev-parse --git-path objects); objects=$(cd "$objects" && pwd)
mkdir "$work/objects"
GIT_INDEX_FILE=$work/index; GIT_OBJECT_DIRECTORY=$work/objects
GIT_ALTERNATE_OBJECT_DIRECTORIES=\\"$(printf '%s' "$objects" | sed 's/[\\\\"]/\\\\&/g')\\"
export GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
git ls-files -z -v | to_lines > "$work/tagged"
LC_ALL=C sed -n 's/^[a-rt-z] //p' "$work/tagged" | from_lines > "$work/assumed"
sed -n 's/^[Ss] //p' "$work/tagged" | from_lines |
  xargs -0 sh -c 'for name do if [ -e "./$name" ] || [ -L "./$name" ]; then printf "%s\\0" "$name"; fi; done' present > "$work/skipped"
git update-index --no-skip-worktree -z --stdin < "$work/skipped"
cat "$work/skipped" >> "$work/assumed"
git update-index --no-assume-unchanged -z --stdin < "$work/assumed"`;

/**
 * Lists everything that a repository has against its base. Answers fields that end with NUL (root, address of the remote,
 * base, how it was found, head, and the lengths of the five parts that come next), then the sizes of contents, the names
 * of large files, their sizes and modes, the names of what git couldn’t read, the names, as git quotes them, of files
 * that are as they were when the conversation began (a file’s status changes with everything that is done to it, and can’t
 * be set back), and the output of `git diff-index --raw -z`. Adds the folders of other repositories that it comes across to
 * the file `$found`: those are listed by themselves; those that aren’t its worktrees are also new in it. What a filter does
 * counts when files are added; until then, a filter whose program is missing must not end the search.
 * @param root as a word of the shell
 */
export const changesScript = (root: string, began: Beginning): string => `cd ${root}
top=$(git rev-parse --show-toplevel); cd "$top"
${findBase(began)}
${lookOnly}
set --
lines='
'; usual=$IFS; IFS=$lines; set -f
for key in $(git config --name-only --get-regexp '^filter\\..*\\.required$'); do set -- "$@" -c "$key=false"; done
set +f; IFS=$usual
candidates() { git "$@" ls-files -z --modified --others --exclude-standard; }
candidates "$@" > "$work/candidates" 2> "$work/warnings" || { cat "$work/warnings" >&2; exit 1; }
sed -n "s/^warning: could not open directory '\\(.*\\)': .*/\\1/p" "$work/warnings" | from_lines > "$work/unread"
: > "$work/nested"; : > "$work/names"
xargs -0 sh -c 'for name do case $name in */) printf "%s\\0" "\${name%/}" >> "$0/nested" ;; *) printf "./%s\\0" "$name" ;; esac; done' "$work" < "$work/candidates" > "$work/paths"
xargs -0 sh -c '[ $# = 0 ] || find "$@" -prune -type f -size +${largestContent}c -print0' find < "$work/paths" > "$work/large" 2>/dev/null || :
xargs -0 sh -c 'for name do printf "%s\\0" "\${name#./}" >> "$0/names"
  ls -dln "$name" 2>/dev/null | awk "NR == 1 { size = \\$5; mode = substr(\\$1, 4, 1) ~ /[xs]/ ? 755 : 644 } END { print size, mode }"; done' "$work" < "$work/large" > "$work/stats"
if [ -s "$work/large" ]; then
  { to_lines < "$work/large"; echo; to_lines < "$work/paths"; } | awk '!small && $0 == "" { small = 1; next } !small { large[$0]; next } !($0 in large)' | from_lines > "$work/rest"
  mv "$work/rest" "$work/paths"
fi
add_all "$work/paths"
if [ -s "$work/problems" ]; then
  candidates "$@" 2>/dev/null | to_lines > "$work/left"
  { to_lines < "$work/names"; echo; cat "$work/left"; } | awk '!small && $0 == "" { small = 1; next } !small { large[$0]; next } !/\\/$/ && !($0 in large)' | from_lines >> "$work/unread"
fi
if [ -s "$work/names" ]; then
  touch -c -t 203801010000 "$work/index"
  git update-index --force-remove -z --stdin < "$work/names"
fi
shared=$(cd "$(git rev-parse --git-common-dir)" && pwd -P)
xargs -0 sh -c 'top=$0; for name do printf "%s/%s\\0" "$top" "$name"; done' "$top" < "$work/nested" >> "$found"
xargs -0 sh -c 'shared=$0; for name do
  other=$(unset GIT_INDEX_FILE; cd "$name" && cd "$(git rev-parse --git-common-dir)" && pwd -P) && [ "$other" != "$shared" ] && printf "%s\\0" "$name"; done; :' "$shared" < "$work/nested" 2>/dev/null > "$work/apart"
some 1 < "$work/apart" > /dev/null
git ls-files -z --stage | to_lines | TOP=$(printf '%s' "$top" | tr '\\n' '\\001') awk '/^160000 / { sub(/^[^\\t]*\\t/, ""); print ENVIRON["TOP"] "/" $0 }' | from_lines >> "$found"
from=$base; if [ -z "$from" ]; then from=$(git hash-object -t tree /dev/null); fi
moved diff-index --cached --raw -z --no-abbrev --ignore-submodules=none "$from"
sizes > "$work/sizes"
: > "$work/old"
if [ -n "$began" ]; then
  git diff-index --cached --name-only -z --diff-filter=d --no-renames "$from" |
    GIT_LITERAL_PATHSPECS=1 xargs -0 sh -c '[ $# = 0 ] || command ${plainGit} ls-files --debug -- "$@"' list |
    awk -v began="$began" 'NR % 6 == 1 { name = $0 } NR % 6 == 2 && /^  ctime: [0-9]+:/ { split($2, part, ":"); if (part[1] + 0 > 0 && part[1] + 0 < began + 0) print name }' > "$work/old"
fi
printf '%s\\0' "$top" "$url" "$base" "$basis" "$head"
for part in sizes names stats unread old; do printf '%s\\0' "$(length_of "$work/$part")"; done
cat "$work/sizes" "$work/names" "$work/stats" "$work/unread" "$work/old" "$work/raw"`;

export const listingScript = (root: string, began: Beginning): string => `${aloneWithGit}
found=/dev/null
${changesScript(quoted(root), began)}`;

/**
 * Answers contents in the form of `git cat-file --batch`.
 * Older releases of macOS know another letter for decoding.
 * @param files names of files in the work tree that may have contents that git hasn’t stored, each ending with NUL
 */
export function contentScript(root: string, oids: readonly string[], files: Uint8Array): string {
  return `${aloneWithGit}
cd ${quoted(root)}
top=$(git rev-parse --show-toplevel); cd "$top"
${lookOnly}
decode=-d; if [ "$(echo YQ== | base64 -d 2>/dev/null)" != a ]; then decode=-D; fi
printf '%s' ${quoted(Buffer.from(files).toString('base64'))} | base64 "$decode" > "$work/files"
add_all "$work/files"
printf '%s\\n' ${oids.map(quoted).join(' ')} | objects --batch`;
}
