import { createHash } from 'node:crypto';
import { relayProgram } from './relayProgram';
import { isAlive, makeScratch, scratch } from './scratch';
import { leaveNothing, shellRelay } from './shellRelay';

const named = (ending: string, program: string) => {
  const hash = createHash('sha256').update(program).digest('hex').slice(0, 12);
  return { ending, program, name: `relay-${hash}.${ending}` };
};
const relays = { python: named('py', relayProgram), shell: named('sh', shellRelay) };

/** Prints a number from what a relay says about itself. */
const numberIn = (name: string, file: string) => `sed -n 's/.*"${name}": \\([0-9]*\\),.*/\\1/p' ${file}`;

/** Ends the shell of a relay in the shell that is gone; that of the relay in Python ends with it. */
const endShell = (folder: string, id: string) =>
  `( [ ! -S ${folder}/s ] || tmux -S ${folder}/s kill-server; c=$(${numberIn('child', `${folder}/info`)})
set -- $(sed 's/.*) //' "/proc/$c/stat"); grep -q ${id} "/proc/$2/cmdline" && kill -s HUP -- "-$6" "-$c" ) 2>/dev/null`;

/** Fails if the shell has a foreground program. */
const busyOf = (shell: string) =>
  `{ set -- $(sed 's/.*) //' "/proc/${shell}/stat" 2>/dev/null); [ "\${3:-}" = "\${6:-}" ]; }`;

/** Seconds for which a shell lives without a sign of life from any window. */
export const graceSeconds = 600;

/** What a relay says about itself: process numbers of its own and of its shell, and the size of a piece of output. */
export interface TerminalInfo {
  pid: number;
  child: number;
  segment: number;
  /** How many digits the names of the pieces have, with leading zeros. */
  digits?: number | undefined;
  /** What acts as the terminal: tmux answers programs’ questions itself. */
  by?: string | undefined;
}

/** The file of a piece of output. */
export const pieceName = ({ digits = 0 }: TerminalInfo, piece: number): string =>
  String(piece).padStart(digits, '0');

/** Whether this names a terminal. */
export const isTerminalId = (id: string): boolean => /^[0-9a-f]{12}$/.test(id);

/** Exit codes of the scripts, which all run in the agent’s folder. */
export const terminalExits = { noRelay: 6, noShellRelay: 7, noFolder: 8, gone: 9, noTerminal: 10 } as const;

/** The relay to upload to a sandbox that lacks it, by exit code. */
export const relayFor = (exitCode: number): { ending: string; program: string } | undefined =>
  exitCode === terminalExits.noRelay
    ? relays.python
    : exitCode === terminalExits.noShellRelay
      ? relays.shell
      : undefined;

/** The folder of one terminal. */
export const terminalFolder = (workingDir: string, id: string): string =>
  `${workingDir === '/' ? '' : workingDir}/${scratch}/t/${id}`;

/** Where the relay is uploaded: a name of its own, because two windows may upload it at once. */
export const uploadOf = (workingDir: string, id: string, ending: string): string =>
  `${terminalFolder(workingDir, id)}.${ending}`;

/**
 * Opens a terminal and prints facts about it. Also works for one that is open already, so that it can be repeated after
 * a lost answer. First removes what is left of terminals that ended without their relay.
 */
export function openScript(id: string, { cols, rows }: TerminalSize): string {
  return `${makeScratch('t', terminalExits.noFolder)}; d=$b/t/${id}; m=
if [ ! -e "$d" ]; then
  for o in "$b"/t/*/; do
    [ -d "$o" ] || continue
    if [ -e "$o/info" ]; then
      o=\${o%/}; ${isAlive(`$(${numberIn('pid', '"$o/info"')})`, '"\${o##*/}"')} || { ${endShell(`${scratch}/t/"\${o##*/}"`, '"\${o##*/}"')}; rm -rf "$o"; }
    else find "$b/t" -type d -path "\${o%/}" -mmin +1 -exec rm -rf {} + 2>/dev/null; fi
  done
  by=; if python3 -c 'import fcntl, pty, termios' 2>/dev/null; then e=py; r=$b/${relays.python.name}; m=${terminalExits.noRelay}
  else
    e=sh; r=$b/${relays.shell.name}; m=${terminalExits.noShellRelay}
    for by in tmux script ''; do command -v "$by" > /dev/null && break; done
    [ -n "$by" ] || exit ${terminalExits.noTerminal}
  fi
  if [ -f "$d.$e" ]; then mv -f "$d.$e" "$r"; fi
  [ -f "$r" ] || exit $m
  if mkdir "$d" 2>/dev/null; then
    if [ -n "$by" ]; then
      set -- sh "$r" ${scratch}/t/${id} ${cols} ${rows} ${graceSeconds} $by
      # A job in the background would ignore Ctrl+C, and so would all that runs in it.
      if setsid -f true 2>/dev/null; then setsid -f "$@" < /dev/null > /dev/null 2> "$b/err"
      else "$@" < /dev/null > /dev/null 2> "$b/err" & fi
    else
      python3 "$r" "$d" ${cols} ${rows} ${graceSeconds} < /dev/null 2> "$b/err"; c=$?
      [ $c = 0 ] && made && exit
      tail -c 500 "$b/err" >&2; rm -rf "$d"; [ -f "$r" ] || exit $m; exit $c
    fi
  fi
  [ -d "$d" ] || exit $m
fi
i=0; while [ ! -e "$d/info" ] && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); [ -d "$d/o" ] || [ $i -lt 30 ] || i=50; done
[ -e "$d/info" ] && made && cat "$d/info" && exit; tail -c 500 "$b/err" >&2; rm -rf "$d"
# The last of other terminals took the relay with it.
[ -z "$m" ] || [ -f "$r" ] || exit $m; exit 1`;
}

/** Prints facts about an open terminal, the size of the output that is kept, and the numbers of its pieces. */
export const attachScript = (id: string): string =>
  `cd ${scratch}/t/${id} 2>/dev/null && [ ! -e exit ] && ${isAlive(`$(${numberIn('pid', 'info')})`, id)} && cat info && echo && cat o/* 2>/dev/null | wc -c && ls o || exit ${terminalExits.gone}`;

/** Prints a line for each shell that runs: its name, and whether a program runs in front of it. */
export const shellsScript = `cd ${scratch}/t 2>/dev/null || exit 0
for d in *; do
  [ -f "$d/info" ] && [ ! -e "$d/exit" ] && ${isAlive(`$(${numberIn('pid', '"$d/info"')})`, '"$d"')} || continue
  printf '%s ' "$d"; shell=$(${numberIn('child', '"$d/info"')}); ${busyOf('$shell')} || printf busy; echo
done`;

/** Prints the numbers of the pieces of output that are kept. */
export const piecesScript = (id: string): string => `ls ${scratch}/t/${id}/o`;

/** Prints nothing, or the exit code of a relay that is gone. */
export const aliveScript = (id: string, pid: number): string =>
  `[ -d ${scratch}/t/${id}/k ] && ${isAlive(String(pid), id)} || exit ${terminalExits.gone}`;

/** Removes what is left of a relay that is gone or never started, and the scratch folder if it’s empty then. */
export const removeScript = (id: string): string =>
  `b=${scratch}; d=$b/t/${id}; [ ! -L $b ] && [ ! -L $b/t ] || exit 0; ${endShell('$d', id)}; ${leaveNothing}`;

/**
 * Does so soon: by then, other windows know that the relay is gone. A server stops for seconds if a file vanishes while
 * it’s downloaded.
 */
export const removeSoonScript = (id: string): string =>
  `( sleep 3; ${removeScript(id)} ) < /dev/null > /dev/null 2>&1 &`;

/**
 * Tells a relay that a window leaves. Not by an upload, which would create the folder of a relay that is gone again.
 */
export const leaveScript = (id: string, client: string, pid: number): string =>
  `if ${isAlive(String(pid), id)}; then cd ${scratch}/t/${id}/k 2>/dev/null && : > ${client}.bye; exit; fi
${removeSoonScript(id)}`;

/** Prints a line if a program runs in front of the shell. */
export const busyScript = (shell: number): string => `${busyOf(String(shell))} || echo busy`;

/**
 * Waits until there is more output than `position`, at most 55 seconds: prints a plus sign then, and the exit code of a
 * shell that ended. The pipe is opened before looking, so that nothing is missed.
 * @param pipe unique: its reader takes a line out of it
 */
export function waitScript(id: string, info: TerminalInfo, position: OutputPosition, pipe: string): string {
  const { piece, offset } = position;
  const { pid } = info;
  return `cd ${scratch}/t/${id} 2>/dev/null || exit ${terminalExits.gone}
${isAlive(String(pid), id)} || exit ${terminalExits.gone}
p=w.${pipe}; mkfifo -m 600 $p || exit ${terminalExits.gone}; exec 3<>$p
[ -e exit ] && { rm -f $p; exec cat exit; }
: > alive; i=0; t=
more() { [ "$(wc -c < o/${pieceName(info, piece)} 2>/dev/null || echo 0)" -gt ${offset} ] || [ -e o/${pieceName(info, piece + 1)} ]; }
command -v timeout > /dev/null && t='timeout 2'
until more || [ -e exit ] || [ $i = 27 ]; do
  $t head -n 1 <&3 > /dev/null && i=27 || i=$((i + 1))
  ${isAlive(String(pid), id)} || { [ -e exit ] || exit ${terminalExits.gone}; }
done
rm -f $p; if [ -e exit ]; then cat exit; elif more; then echo +; fi; exit 0`;
}

/** Size of a terminal, in characters. */
export interface TerminalSize {
  cols: number;
  rows: number;
}

/** A place in the output: the number of a piece, and bytes in it. */
export interface OutputPosition {
  piece: number;
  offset: number;
}
