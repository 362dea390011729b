import { addressOfFunction } from '../../../shared/shellScript';
import { type Beginning, findBegan } from './baseScript';
import { aloneWithGit, changesScript, plainGit } from './sandboxScripts';

/** Folders below the one that the agent works in that are searched for repositories, by their depth. */
export const searchedLevels = 6;
/** Repositories of one answer. */
const mostRepositories = 50;

/** Dependencies have repositories, too, but nobody works in them. */
const dependencies = ['node_modules', '.venv', 'venv', 'site-packages'];

/**
 * Finds repositories: the one that the current folder is in, and those in folders below it or that links there lead to,
 * whatever `.git` is there: a folder, a file, or a link. Calls `visit` for each with its `$root`, and `visit_bare` for the `$path` of each that has
 * no files of its own but in its worktrees; what those add to the file `$found`, is visited, too. Folders that are too deep
 * don’t matter in a repository: git has looked there. Afterwards `$known` has all their roots, each between double slashes, and `$cut` is 1 if there was more to search.
 */
const eachRepository = `folder=$(pwd -P); known=//; cut=0; number=0
found=$work/found
find . \\( ${dependencies.map((name) => `-name ${name}`).join(' -o ')} \\) -prune -o -name .git -prune -print0 -o -type l -print0 -o -type d -path '.${'/*'.repeat(searchedLevels + 1)}' -prune -print0 > "$work/search" 2>/dev/null || :
: > "$found"; : > "$work/deep"
if git rev-parse --show-toplevel > /dev/null 2>&1; then printf '%s\\0' "$folder" > "$found"; fi
FOLDER=\${folder%/} xargs -0 sh -c 'for path do case $path in
  */.git) path=\${path#.}; printf "%s\\0" "$FOLDER\${path%/.git}" >> "$0/found" ;;
  *) if [ -L "$path" ]; then if [ -e "$path/.git" ]; then printf "%s\\0" "$FOLDER\${path#.}" >> "$0/found"; fi; continue; fi
     printf "%s\\0" "$FOLDER\${path#.}" >> "$0/deep" ;; esac; done' "$work" < "$work/search"
while [ -s "$found" ]; do
  mkdir "$work/next"
  xargs -0 sh -c 'number=0; for path do number=$((number + 1)); printf "%s" "$path" > "$0/$$.$number"; done' "$work/next" < "$found"
  : > "$found"
  for file in "$work/next"/*; do
    if ! [ -f "$file" ]; then continue; fi
    path=$(cat "$file"; printf x); path=\${path%x}
    if ! [ -d "$path" ]; then continue; fi
    root=$(cd "$path" 2>/dev/null && git rev-parse --show-toplevel 2>/dev/null) || root=
    if [ -z "$root" ]; then
      if [ "$(cd "$path" 2>/dev/null && git rev-parse --is-bare-repository 2>/dev/null)" = true ]; then visit_bare; continue; fi
      root=$path
    fi
    case $known in *"//$root//"*) continue ;; esac
    if [ "$number" -ge ${mostRepositories} ]; then cut=1; continue; fi
    known=$known$root//; number=$((number + 1))
    visit
  done
  rm -rf "$work/next"
done
if [ "$cut" = 0 ] && [ -s "$work/deep" ]; then
  printf '%s' "$known" | to_lines | awk '{ gsub("//", "\\n"); print }' > "$work/roots"
  if { grep . "$work/roots" || :; echo; to_lines < "$work/deep"; } | awk '!deep && $0 == "" { deep = 1; next } !deep { root[$0]; next }
    { path = $0; while (path != "" && !(path in root)) sub("/[^/]*$", "", path); if (path == "") { found = 1; exit } } END { exit !found }'
  then cut=1; fi
fi`;

/** The folder in which an agent server makes worktrees, each in a folder named by its conversation. */
const serversWorktrees = 'conversation-worktrees';

/** Finds the repositories in and near the current folder; answers the root and the remote of each, both ending with NUL. */
export const repositoriesScript = `${aloneWithGit}
${addressOfFunction}
visit() {
  url=$(cd "$root" && address_of "$(git remote | grep -x origin || git remote | head -n 1)") || url=
  printf '%s\\0' "$root" "$url"
}
visit_bare() { :; }
${eachRepository}`;

/**
 * Lists all repositories in and near the current folder at once, and those that they lead to: their submodules, and the
 * worktrees that were added since the conversation began. Answers for each the exit code and the length of its listing,
 * both ending with NUL, and the listing; where git failed, the folder instead, ending with NUL, and the reason. A last code is 0 if all folders were
 * searched, else 1, without a length. Worktrees may be anywhere on the disk: those from before, and the repository that
 * this one is a worktree of, are the user’s; those that the server made for other conversations are theirs. Listings run
 * under no condition: the shell wouldn’t stop at what fails.
 */
export function listingsScript(began: Beginning): string {
  return `${aloneWithGit}
desk=$work
worktrees() {
  { git worktree list --porcelain -z 2>/dev/null || git worktree list --porcelain | tr '\\n' '\\0'; } | to_lines |
    sed -n 's/^worktree //p' | sed 1d | from_lines > "$work/worktrees"
  if [ -z "$began" ] && [ "$(git rev-parse --git-dir)" != "$(git rev-parse --git-common-dir)" ]; then return 0; fi
  FOLDER=$folder xargs -0 sh -c 'for path do
    case $path in */${serversWorktrees}/*)
      tree=\${path#*/${serversWorktrees}/}; tree=\${path%%/${serversWorktrees}/*}/${serversWorktrees}/\${tree%%/*}/
      case $FOLDER/ in "$tree"*) ;; *) continue ;; esac ;; esac
    if [ -n "$0" ]; then
      added=$(cd "$path" && head -n 1 "$(${plainGit} rev-parse --git-path logs/HEAD)" | sed "s/.*> \\([0-9]*\\) .*/\\1/")
      [ "\${added:-0}" -ge "$0" ] || continue
    fi
    printf "%s\\0" "$path"; done; :' "$began" < "$work/worktrees" 2>/dev/null >> "$found"
}
visit() {
  set +e
  ( set -e; work=$desk/listed; mkdir "$work"
${changesScript('"$root"', began)}
worktrees
  ) > "$desk/listing" 2> "$desk/why"; code=$?
  set -e
  if [ "$code" != 0 ]; then
    printf '%s\\0' "$root" > "$desk/listing"
    awk '/^fatal: |^error: / { sub(/^[a-z]*: /, ""); print; exit }' "$desk/why" >> "$desk/listing"
  fi
  printf '%s\\0' "$code" "$(length_of "$desk/listing")"; cat "$desk/listing"
  rm -rf "$desk/listed"
}
visit_bare() { ( cd "$path"
${findBegan(began)}
worktrees ) || :; }
${eachRepository}
printf '%s\\0' "$cut"`;
}

/**
 * Names the branches with commits since the conversation began that no repository in or near the current folder has
 * checked out, each ending with NUL. A worktree shares its branches with those who made it, so there it names none.
 */
export const branchesScript = (began: Pick<Beginning, 'at'>): string => `${aloneWithGit}
visit() { ( cd "$root"
${findBegan(began)}
  if [ -z "$began" ] || [ "$(git rev-parse --git-dir)" != "$(git rev-parse --git-common-dir)" ]; then exit 0; fi
  merged=; if git rev-parse --verify --quiet HEAD > /dev/null; then merged=--no-merged=HEAD; fi
  { echo .; git worktree list --porcelain | while IFS= read -r line; do
    case $line in worktree\\ *) place=\${line#* } ;; branch\\ *) if [ -d "$place" ]; then printf '%s\\n' "\${line#* }"; fi ;; esac; done; } > "$work/checked"
  git for-each-ref --sort=-committerdate --format='%(committerdate:raw) %(refname)' $merged refs/heads > "$work/refs"
  awk -v began="$began" '$1 >= began + 0 { print $3 }' "$work/refs" | { grep -vxF -f "$work/checked" || :; } |
    head -n 20 | sed 's,^refs/heads/,,' | tr '\\n' '\\0' ); }
visit_bare() { :; }
${eachRepository}`;
