/**
 * Maximum size of an answer in the shell’s output, in bytes: the sandbox keeps all output, and may cut it after 1 MiB.
 */
const largestPrinted = 192 * 1024;

/** What scripts need, beside the shell. All have it in POSIX, or on Linux, macOS and in BusyBox. */
const programs =
  'awk base64 cat cp date find git grep head ls mkdir mktemp mv rm sed sort tail touch tr wc xargs';

/** Removes folders that nobody fetched within an hour. */
const sweep = (place: string) =>
  `find ${place} -maxdepth 1 -type d -name '*agent-workspace-answer-*' -mmin +60 -exec rm -rf {} + 2>/dev/null`;

/** Ends with the words of a program; if nothing is left of the disk, with the folder `$at` after an exclamation mark. */
const stopping = `noSpace='No space left on device'
stopped() { case $1 in *"$noSpace" | *'uota exceeded') printf '!%s' "$at"; exit ;; esac; printf '%s' "$1" >&2; exit 1; }`;

/** Makes a folder that only the shell’s user can read, in `$folder`. */
const folderAnywhere = `at=\${TMPDIR:-/tmp}
${sweep('"$at/"')}
folder=$(mktemp -d "$at/agent-workspace-answer-XXXXXXXX" 2>&1) || stopped "$folder"`;

/**
 * Makes such a folder inside the current one, where git doesn’t look: in the repository’s own folder, where no file
 * watcher looks either, or else in a hidden folder that ignores its own contents.
 */
const folderHere = `at=$(pwd); own=$at/.git; folder=
if [ -d "$own" ] && ! [ -L "$own" ]; then
  ${sweep('"$own"')}
  folder=$(mktemp -d "$own/agent-workspace-answer-XXXXXXXX" 2>/dev/null)
fi
if [ -z "$folder" ]; then
  ${sweep('"$at"')}
  folder=$(mktemp -d "$at/.agent-workspace-answer-XXXXXXXX" 2>&1) || stopped "$folder"
  printf '*' > "$folder/.gitignore" || { rm -rf "$folder"; stopped "$noSpace"; }
fi`;

/** The paths of such folders. */
export const scratchFolder = /^\/.*\/\.?agent-workspace-answer-\w+$/;

/** Makes a folder for files that come and go inside the current one, and prints its path. */
export const makingScratch = `LC_ALL=C; export LC_ALL
${stopping}
${folderHere}
printf '%s' "$folder"`;

/**
 * Runs a script for a POSIX shell whose output may be anything. A short answer is printed in Base64, between equals
 * signs that show that it’s whole. A longer one is in the file `answer` of a new folder, whose path is printed. If a
 * program is missing, its name is printed after a question mark; if the disk is full, a folder on it after an
 * exclamation mark. The script has `$work`, a folder of its own that is removed at its end. Folders that nobody fetched
 * are removed after an hour.
 * @param isBound whether all files have to be inside the current folder
 * @param needed names of programs
 */
export function answering(script: string, isBound = false, needed = programs): string {
  return `LC_ALL=C; export LC_ALL
for program in ${needed}; do command -v "$program" > /dev/null || { printf '?%s' "$program"; exit; }; done
${stopping}
${isBound ? folderHere : folderAnywhere}
work=$folder/work; words=$(mkdir "$work" 2>&1) || { rm -rf "$folder"; stopped "$words"; }
room() { printf %4096s . 2>/dev/null > "$folder/$1" || { rm -rf "$folder"; stopped "$noSpace"; }; }
room before
( set -e
${script}
) > "$folder/answer" 2> "$folder/errors" < /dev/null; code=$?
[ $code = 0 ] || room after
rm -rf "$work"
if [ $code != 0 ]; then tail -c 1000 "$folder/errors" >&2
elif [ "$(wc -c < "$folder/answer")" -gt ${largestPrinted} ]; then printf '%s' "$folder"; exit
else printf '='; base64 < "$folder/answer" | tr -d '\\n'; printf '='; fi
rm -rf "$folder"
exit $code`;
}
