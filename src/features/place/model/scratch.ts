/** The folder of all terminals and tunnels of a sandbox, in the agent’s folder; what else is put there begins like it. */
export const scratch = '.agent-workspace';

/**
 * The beginning of a script that makes a folder in the scratch folder, which becomes `$b`, for this user only. Ends it
 * with `failed` if it can’t, or if something there is a link. Git and the user see nothing of it.
 */
export function makeScratch(folder: string, failed: number): string {
  const [top = ''] = folder.split('/');
  return `umask 077; b=$PWD/${scratch}
made() { [ ! -L "$b" ] && [ ! -L "$b/${top}" ] && mkdir -p "$b/${folder}" && { [ -s "$b/.gitignore" ] || echo '*' | cat > "$b/.gitignore"; }; }
# The last of other terminals and tunnels may take the folder with it at the same moment.
( made || made ) 2>/dev/null || made || exit ${failed}`;
}

/**
 * Shell that fails if the relay of a terminal or tunnel is gone. After a restart, another process may have its number,
 * even this script.
 */
export const isAlive = (pid: string, id: string): string =>
  `{ n=${pid}; [ "$n" != $$ ] && kill -0 "$n" 2>/dev/null && { [ ! -e "/proc/$n/cmdline" ] || grep -q ${id} "/proc/$n/cmdline"; }; }`;
