import { quoted } from '../../../shared/shellScript';
import { heavy } from './listing';
import { scratch } from './scratch';

/** What these scripts need besides the shell. */
export const filePrograms = 'base64 cat cp find head ln ls mkdir mktemp mv readlink rm rmdir stat tail tr wc';

/** Why an operation on a file wasn’t done, by the exit code of its script. */
export const exits = {
  missing: 2,
  changed: 3,
  noRight: 13,
  exists: 17,
  noFolder: 20,
  isFolder: 21,
  noFile: 22,
  noSpace: 28,
  outside: 30,
  tooLong: 36,
  notEmpty: 39,
  noHash: 40,
  readOnly: 41,
} as const;

/** Exit code of a script whose output is a program’s words for another reason. */
export const otherExit = 5;

/** Size in bytes at which a listing of all levels is cut. */
export const largestTree = 4_000_000;

/**
 * What is in a folder: first the targets of links, then everything, each a part that ends with an empty record. A record
 * is the kind and the mode in hexadecimal, the permissions, the size, the time, the inode and the name, and ends with
 * `//` and a line feed, which no name has inside. GNU’s find answers fields that end with NUL, which are exact
 * (docs/protocol/place.md, “Listing files”).
 */
export const listScript = (folder: string, isDeep: boolean): string =>
  `${to('d', folder)}\n${listing(isDeep)}`;

/**
 * What is in each of some folders, and not in those below: for each a line with the exit code of its listing, the number
 * of bytes, and a checksum, and the listing itself; or only `same` if it has the checksum that it had before. The server
 * stores all that is printed.
 */
export const listEachScript = (
  folders: readonly { folder: string; sum: string | undefined }[],
): string => `set -- ${folders.map(({ folder, sum = '-' }) => `${quoted(folder)} ${quoted(sum)}`).join(' ')}
while [ $# -gt 0 ]; do d=$1; was=$2; shift 2
( ${listing(false)}
) > "$work/listing" && code=0 || code=$?
sum=$(cksum < "$work/listing" 2>/dev/null || hash_of "$work/listing"); if [ -n "$sum" ] && [ "$sum" = "$was" ]; then echo same; continue; fi
printf '%s %s %s\\n' $code $(wc -c < "$work/listing") "$sum"; cat "$work/listing"
done`;

/** What is in the folder `$d`. */
function listing(isDeep: boolean): string {
  const prune = `\\( ${heavy.map((name) => `-name ${quoted(name)}`).join(' -o ')} \\) -prune`;
  const all = (action: string) =>
    isDeep
      ? `find . -mindepth 1 ${prune} ${action} -o ${action}`
      : `find . -mindepth 1 -maxdepth 1 ${action}`;
  const links = isDeep
    ? `find . -mindepth 1 ${prune} ! -type l -o -type l -exec`
    : 'find . -mindepth 1 -maxdepth 1 -type l -exec';
  return `if [ ! -d "$d" ]; then there "$d" || exit ${exits.missing}; exit ${exits.noFolder}; fi
cd "$d" 2>/dev/null && [ -r . ] || exit ${exits.noRight}
if stat -c %f . > /dev/null 2>&1; then option=-c; form='%f %a %s %Y %i %n//'; else option=-f; form='%Xp %Lp %z %m %i %N//'; fi
{ ${links} stat -L $option "$form" {} + 2>/dev/null; printf '//\\n'
if find . -maxdepth 0 -printf '' 2>/dev/null; then printf G; ${all("-printf '%y %m %s %T@ %i %P\\0'")} 2>/dev/null
else printf S; ${all('-exec stat $option "$form" {} +')} 2>/dev/null; fi; }${isDeep ? ` | head -c ${largestTree}` : ''}
exit 0`;
}

/**
 * Puts an uploaded file in the place of another, and says what the file is then. The upload is alone in its folder, which
 * is removed. What the file has beside its content stays: a link stays a link, and
 * what can’t be replaced with all it has is written in place (docs/protocol/place.md, “Saving a file”).
 * @param expected SHA-256 of the content that may be replaced; null if there must be no file
 */
export function writeScript(root: string, target: string, upload: string, expected: string | null): string {
  const begin = `${to('root', root)}; ${to('t', target)}; ${to('s', upload)}; h=${quoted(expected ?? '')}
trap 'rm -rf "\${s%/*}"' EXIT
[ -L "$t" ] && link=1 || link=0`;
  if (expected === null)
    return `${begin}
inside "$t"; if there "$t"; then exit ${exits.exists}; fi
try mkdir -p "\${t%/*}/"
ln "$s" "$t" 2>/dev/null && saved
words=$( ( set -C; exec 3> "$t" && { cat < "$s" >&3 || { rm -f "$t"; exit 1; }; } ) 2>&1 ) && saved
if there "$t"; then exit ${exits.exists}; fi; why`;
  return `${begin}
${follow}
if [ -d "$t" ]; then exit ${exits.isFolder}; fi
[ -e "$t" ] || exit ${exits.missing}
[ -f "$t" ] || exit ${exits.noFile}
[ -r "$t" ] || exit ${exits.noRight}
[ -w "$t" ] || words=$( { : >> "$t"; } 2>&1 ) || why
about() { ls -ldn "$1" | { read -r mode count user group rest; printf '%s' "$mode $count $user $group"; }; }
device() { stat -c %d "$1" 2>/dev/null || stat -f %d "$1"; }
unchanged() { found=$(hash_of "$t") || exit $?; [ "$found" = "$h" ] || exit ${exits.changed}; }
unchanged
old=$(about "$t"); set -- $old
if [ "$2" = 1 ] && [ "$(device "$t")" = "$(device "$s")" ]; then
  cp --attributes-only --preserve=mode,ownership,xattr "$t" "$s" 2>/dev/null ||
    { cp -p "$t" "$s.new" && cat < "$s" > "$s.new" && mv -f "$s.new" "$s"; } 2>/dev/null
  if [ "$(about "$s")" = "$old" ]; then unchanged; mv -f "$s" "$t" 2>/dev/null && saved; fi
fi
words=$( { cat < "$t" > "$s.old"; } 2>&1 ) || why
unchanged
words=$( { cat < "$s" > "$t"; } 2>&1 ) && saved
cat < "$s.old" > "$t"; why`;
}

/** Ends with the reason if nothing can be written to the agent’s folder. */
export const writableScript = (root: string) => `${to('root', root)}
try mktemp -d "$root/${scratch}-answer-XXXXXXXX"; d=$words; trap 'rm -rf "$d"' EXIT
words=$(printf %4096s . | { cat > "$d/space"; } 2>&1) || why`;

/** Prints the bytes of a file that the server’s routes don’t. */
export const readScript = (file: string) => `${to('t', file)}
there "$t" || exit ${exits.missing}; [ -e "$t" ] || exit ${exits.missing}; [ -d "$t" ] && exit ${exits.isFolder}
[ -f "$t" ] || exit ${exits.noFile}; [ -r "$t" ] || exit ${exits.noRight}; cat < "$t"`;

/**
 * Ends unless a path leads to something in the agent’s folder, or to that itself, and not to what this extension keeps
 * there; then `$t` is where it leads.
 */
export function insideScript(root: string, path: string): string {
  if (path === root) return to('t', root);
  return `${to('root', root)}; ${to('t', path)}
${follow}
case $near/\${t##*/}/ in */${scratch}/* | */${scratch}-*) exit ${exits.missing} ;; esac
if [ -d "$t" ]; then there=$(real "$t") || exit ${exits.noRight}; case \${there%?.}/ in "$top"/*) ;; *) exit ${exits.outside} ;; esac; fi`;
}

/** Prints the size of the file `$t`, and its bytes from a line on, up to a limit. */
export const partScript = (
  line: number,
  mostBytes: number,
) => `[ -e "$t" ] || exit ${exits.missing}; [ -d "$t" ] && exit ${exits.isFolder}
[ -f "$t" ] || exit ${exits.noFile}; [ -r "$t" ] || exit ${exits.noRight}
stat -c %s "$t" 2>/dev/null || stat -f %z "$t"; tail -n +${line} "$t" | head -c ${mostBytes}`;

/** Makes a folder, and says what it is then. */
export const createFolderScript = (root: string, folder: string) => `${to('root', root)}; ${to('t', folder)}
inside "$t"; if there "$t"; then exit ${exits.exists}; fi; try mkdir -p "$t"
link=0; saved`;

/**
 * Renames. Which of the two is in the other is seen where links lead, since nothing may be moved into itself, or replace
 * the folder that it’s in.
 * @param isOver whether what has the new name may be replaced
 */
export function renameScript(root: string, from: string, target: string, isOver: boolean): string {
  return `${to('root', root)}; ${to('a', from)}; ${to('t', target)}
inside "$a"; there "$a" || exit ${exits.missing}; a=\${near%/}/\${a##*/}
inside "$t"; [ ! -d "\${t%/*}/" ] || t=\${near%/}/\${t##*/}
case $near/ in "$a"/*) exit ${exits.exists} ;; esac
case $t/ in "$a"/*) exit ${exits.exists} ;; esac
id() { stat -c %d:%i "$1" 2>/dev/null || stat -f %d:%i "$1"; }
try mkdir -p "\${t%/*}/"
if there "$t" && [ "$(id "$a")" != "$(id "$t")" ]; then ${
    isOver ? `case $a/ in "$t"/*) exit ${exits.exists} ;; esac; remove "$t"` : `exit ${exits.exists}`
  }; fi
try mv ${isOver ? '-f' : '-n'} "$a" "$t"
if there "$a"; then exit ${exits.exists}; fi`;
}

/** @param isRecursive whether a folder may have content */
export const deleteScript = (
  root: string,
  file: string,
  isRecursive: boolean,
) => `${to('root', root)}; ${to('t', file)}
inside "$t"; there "$t" || exit ${exits.missing}
if [ -d "$t" ] && [ ! -L "$t" ]; then
  ${isRecursive ? 'remove' : 'try rmdir'} "$t"
else try rm -f "$t"; fi
if there "$t"; then exit ${exits.noRight}; fi`;

/** Runs a script. Its output ends with a space and its exit code. */
export const withExit = (script: string) => `code=0
( set +e
unset CDPATH
${helpers}
${script}
) || code=$?
printf ' %s' "$code"`;

const to = (name: string, value: string) => `${name}=${quoted(value)}`;

/** Follows the links in `$t` to their end, which must be inside, too. */
const follow = `inside "$t"; links=0
while [ -L "$t" ]; do
  links=$((links + 1)); [ $links -gt 40 ] && exit ${exits.missing}
  to=$(readlink "$t" && printf .) || exit ${exits.noRight}; to=\${to%?.}
  case $to in /*) t=$to ;; *) t=\${t%/*}/$to ;; esac
  inside "$t"
done`;

/**
 * Shared commands. A command substitution drops line feeds at the end of a name, so a dot protects them. `why` ends for
 * the reason in the words of a program, which end with the system’s; these differ between C libraries. BusyBox doesn’t
 * remove what is below paths that the system can’t open; from folder to folder, none is that long. `inside` ends unless
 * the folder of a path, or the nearest one that is there, is the root or in it; `$near` is that folder.
 */
const helpers = `try() { words=$("$@" 2>&1) || why; }
why() {
  case $words in
    *'ame too long') exit ${exits.tooLong} ;;
    *'o space left on device' | *'uota exceeded') exit ${exits.noSpace} ;;
    *'ead-only file system') exit ${exits.readOnly} ;;
    *'irectory not empty') exit ${exits.notEmpty} ;;
    *'ermission denied' | *'peration not permitted') exit ${exits.noRight} ;;
  esac
  printf '%s' "$words"; exit ${otherExit}
}
remove() {
  words=$(rm -rf "$1" 2>&1) && return
  case $words in *'ame too long') ;; *) why ;; esac
  ( cd "$1" && for f in * .*; do case $f in . | ..) ;; *) [ ! -d "$f" ] || [ -L "$f" ] || remove "./$f" ;; esac; done )
  try rm -rf "$1"
}
there() { [ -e "$1" ] || [ -L "$1" ]; }
saved() { printf '%s ' $link; find "$t" -maxdepth 0 -printf '%m %s %T@' 2>/dev/null || stat -c '%a %s %Y' "$t" 2>/dev/null || stat -f '%Lp %z %m' "$t"; exit 0; }
real() { ( cd -P "$1" 2>/dev/null && pwd -P && printf . ); }
inside() {
  top=$(real "$root") || exit ${exits.missing}; top=\${top%?.}; [ "$top" != / ] || top=
  near=\${1%/*}; [ -n "$near" ] || near=/
  while [ ! -d "$near" ]; do there "$near" && exit ${exits.noFolder}; near=\${near%/*}; [ -n "$near" ] || near=/; done
  near=$(real "$near") || exit ${exits.noRight}; near=\${near%?.}
  case $near/ in "$top"/*) ;; *) exit ${exits.outside} ;; esac
  case \${1##*/} in ''|.|..) exit ${exits.outside} ;; esac
}
hash_of() {
  if command -v sha256sum > /dev/null; then sum=$(sha256sum < "$1"); elif command -v shasum > /dev/null; then sum=$(shasum -a 256 < "$1")
  else exit ${exits.noHash}; fi
  printf '%s' "\${sum%% *}"
}`;
