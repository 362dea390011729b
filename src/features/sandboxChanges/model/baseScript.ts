import { addressOfFunction, quoted } from '../../../shared/shellScript';

/** What a conversation began with. */
export interface Beginning {
  /** The branch that it’s about; null if it has none. */
  branch: string | null;
  /** When it began, in milliseconds since the epoch; null if that isn’t known. */
  at: number | null;
}

/**
 * Finds the second in which the conversation began, in `$began`; empty if that isn’t known. A clock that is behind the
 * service’s says nothing.
 */
export const findBegan = ({ at }: Pick<Beginning, 'at'>): string => `began=${
  at === null ? '' : Math.floor(at / 1000)
}
now=$(date +%s) || now=0
if [ -n "$began" ] && [ "$began" -gt "$now" ]; then began=; fi`;

/**
 * Finds the commit that changes are against, in `$base`, and how it was found, in `$basis`:
 *
 * - `remote`: where the head left the branch of the remote that the conversation is about, else the remote’s default
 *   branch. Commits pushed from the sandbox don’t count; the branch’s log shows them.
 * - `time`: where the repository stood when the conversation began. The user’s own commits don’t count.
 * - `unsure`: the head, because neither is known.
 *
 * A submodule is compared with the commit that its superproject’s base has of it. `$base` is empty for a repository
 * that began empty. Also finds `$head` and `$url`, the address of the remote.
 *
 * Of the log of a ref, `then_at` tells the hash there before that second, and `first_of` the first entry: its hash and
 * what it was. What `time` adds are commits that the user had, but hadn’t pushed; what was there before a branch on which
 * nothing is committed; and for a worktree that was added since, the commits before, which belong to where it came from.
 */
export const findBase = ({ branch, at }: Beginning): string => `${findBegan({ at })}
${addressOfFunction}
find_remote() {
  remote=$(git remote | grep -x origin || git remote | head -n 1)
  url=; if [ -n "$remote" ]; then url=$(address_of "$remote"); fi
}
then_at() {
  log=$(git rev-parse --git-path "logs/$1")
  if [ -n "$began" ] && [ -s "$log" ]; then awk -F '\\t' -v began="$began" '{ count = split($1, part, " "); if (part[count - 1] < began + 0) sha = part[2] }
    END { print sha }' "$log"; fi
}
first_of() {
  log=$(git rev-parse --git-path "logs/$1")
  if [ -s "$log" ]; then head -n 1 "$log" | awk -F '\\t' '{ split($1, part, " "); print part[2], $2 }'; fi
}
tip_of() {
  [ -n "$1" ] || return 1
  sha=$(git rev-parse --verify --quiet "$1^{commit}") || return 1
  log=$(git rev-parse --git-path "logs/$1")
  if [ -s "$log" ]; then sha=$(awk -F '\\t' '{ split($1, part, " "); before[NR] = part[1]; after[NR] = part[2]; what[NR] = $2 }
    END { line = NR; sha = after[line]; while (line > 0 && what[line] ~ /^update by push/) { sha = before[line]; line-- } print sha }' "$log"); fi
  case $sha in *[!0]*) printf '%s' "$sha" ;; *) return 1 ;; esac
}
is_commit() { [ -n "$1" ] && git cat-file -e "$1^{commit}" 2>/dev/null; }
is_before() { git merge-base --is-ancestor "$1" "$2" 2>/dev/null; }
find_base() {
  head=$(git rev-parse --verify --quiet 'HEAD^{commit}') || head=
  find_remote
  super=$(git rev-parse --show-superproject-working-tree) || super=
  if [ -n "$super" ]; then
    inner=$(pwd)
    base=$(cd "$super"; find_base; if [ -n "$base" ]; then git ls-tree "$base" -- "\${inner#"$super"/}"; fi | awk '$2 == "commit" { print $3 }') || base=
    find_remote
    if is_commit "$base"; then basis=remote; return 0; fi
  fi
  tip=
  if [ -n "$remote" ]; then
    default=$(git symbolic-ref --quiet "refs/remotes/$remote/HEAD") || default=
    follows=$(git rev-parse --symbolic-full-name --quiet '@{upstream}' 2>/dev/null) || follows=
    for ref in ${branch === null ? '' : `"refs/remotes/$remote/"${quoted(branch)}`} "$default" "refs/remotes/$remote/main" "refs/remotes/$remote/master" "$follows"; do
      tip=$(tip_of "$ref") && break
    done
  fi
  own=$(git symbolic-ref --quiet HEAD) || own=HEAD
  stood=$(then_at "$own")
  base=; basis=remote
  if [ -n "$tip" ]; then
    base=$tip
    if [ -n "$head" ]; then base=$(git merge-base "$head" "$tip") || base=$tip; fi
    if is_commit "$stood" && [ "$stood" != "$base" ] && is_before "$base" "$stood" && is_before "$stood" "$head"; then base=$stood; basis=time; fi
    return 0
  fi
  if [ -z "$head" ]; then
    stood=$(then_at HEAD)
    if is_commit "$stood"; then base=$stood; basis=time; fi
    return 0
  fi
  first=$(first_of HEAD)
  case $first in
    *' clone:'*) if [ -z "$began" ] || [ -z "$stood" ]; then base=\${first%% *}; return 0; fi ;;
  esac
  if [ -z "$began" ]; then base=$head; basis=unsure; return 0; fi
  basis=time
  if is_commit "$stood"; then base=$stood
  else
    base=$(git rev-list -n 1 --first-parent --min-age=$((began - 1)) HEAD --)
    if [ "$(git rev-parse --git-dir)" != "$(git rev-parse --git-common-dir)" ] && [ -z "$(then_at HEAD)" ] && is_commit "\${first%% *}"; then base=\${first%% *}; fi
  fi
}
find_base`;
