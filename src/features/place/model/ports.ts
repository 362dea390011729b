import * as l10n from '@vscode/l10n';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import type { Sandbox } from '../../../api/service/schemas/sandbox';
import { plainText } from '../../../shared/plainText';
import { Refusal } from '../../../core/basics/refusal';
import { checkExposedUrl } from '../../sandboxes';

/** A port of a sandbox on which a program listens. */
export interface ListeningPort {
  port: number;
  /** Whether it accepts connections from outside the sandbox. */
  isOpen: boolean;
  /** Name of the program; empty if it belongs to another user. */
  program: string;
  /** Whether its program runs in or below the agent’s folder. */
  isInFolder: boolean;
}

/** How a port can be reached from here. */
export type PortReach =
  | { kind: 'here' | 'exposed'; url: URL }
  /** The sandbox exposes it, but its program listens only inside the sandbox. */
  | { kind: 'closed' }
  | { kind: 'none' };

/** The script’s exit code if it can’t find out which ports are in use. */
const noList = 3;

/**
 * Prints a line for each listening socket in the kernel’s list, and one for each that belongs to a program of this
 * user. The program is named without its arguments, which may contain secrets; its line begins with `+` if it runs in
 * or below the folder. Leaves out what belongs to the server itself.
 */
const portsScript = `[ -r /proc/net/tcp ] || exit ${noList}
set -f; LC_ALL=C; export LC_ALL; here=$(pwd -P); here=\${here%/}
list=$(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | sed -n 's/^ *[0-9]*: \\([0-9A-F]*\\):\\([0-9A-F]*\\) [0-9A-F]*:[0-9A-F]* 0A [0-9A-F:]* [0-9A-F:]* [0-9A-F]* *[0-9]* *[0-9]* \\([0-9]*\\) .*/\\2 \\1 \\3/p')
[ -n "$list" ] || exit 0
printf '%s\\n' "$list"; inodes=" $(printf '%s\\n' "$list" | sed 's/.* //' | tr '\\n' ' ')"
set +f; ls -l /proc/[0-9]*/fd 2>/dev/null | sed -n 's|^/proc/\\([0-9]*\\)/fd:$|P \\1|p; s|.* -> socket:\\[\\([0-9]*\\)\\]$|S \\1|p' | { set -f; while read -r kind v; do
  if [ "$kind" = P ]; then p=$v; continue; fi
  case $inodes in *" $v "*) ;; *) continue ;; esac
  if [ "$p" = "$PPID" ]; then echo "= $v"; continue; fi
  set -- $(tr '\\0\\n' '  ' < "/proc/$p/cmdline" 2>/dev/null | head -c 300)
  name=\${1##*/}; case \${2-} in -m) name="$name \${3-}" ;; -* | '') ;; *) name="$name \${2##*/}" ;; esac
  case $(readlink "/proc/$p/cwd" 2>/dev/null)/ in "$here"/*) in=+ ;; *) in='=' ;; esac
  echo "$in $v $name"
done; }; exit 0`;

/** What listens in a sandbox, sorted by port. Throws a Refusal, and ApiError. */
export async function listeningPorts({
  workspace,
  workingDir: cwd,
}: {
  workspace: Pick<SandboxWorkspace, 'execute'>;
  workingDir: string;
}): Promise<ListeningPort[]> {
  const { exitCode, stdout } = await workspace.execute({ command: portsScript, cwd });
  if (exitCode !== 0)
    throw new Refusal(
      exitCode === noList
        ? l10n.t('This sandbox doesn’t report which of its ports are in use.')
        : l10n.t('The sandbox couldn’t list its ports. Try again.'),
    );
  return parsePorts(stdout);
}

/** Reads what the script printed. */
export function parsePorts(text: string): ListeningPort[] {
  const ports = new Map<number, ListeningPort>();
  const programs = new Map<string, string>();
  const near = new Set<string>();
  for (const [, where, inode = '', name] of text.matchAll(/^([=+]) (\d+)(?: (.*))?$/gm)) {
    if (where === '+') near.add(inode);
    // One of several with the same socket may be the server, which started the others.
    if (programs.get(inode) !== '') programs.set(inode, name === undefined ? '' : plainText(name.trim(), 80));
  }
  for (const [, port = '', address = '', inode = ''] of text.matchAll(
    /^([0-9A-F]{4}) ([0-9A-F]+) (\d+)$/gm,
  )) {
    const program = programs.get(inode);
    if (program === '') continue;
    const number = Number.parseInt(port, 16);
    const known = ports.get(number);
    ports.set(number, {
      port: number,
      isOpen: !isLoopback(address) || known?.isOpen === true,
      program: [known?.program, program].find((name) => name) ?? '',
      isInFolder: near.has(inode) || known?.isInFolder === true,
    });
  }
  // The agent’s own come first: on a shared computer, many other programs listen.
  return [...ports.values()].toSorted(
    (a, b) => Number(b.isInFolder) - Number(a.isInFolder) || a.port - b.port,
  );
}

/** How the kernel writes loopback addresses: 127.0.0.1 and its like, ::1, and IPv4 addresses mapped to IPv6. */
const isLoopback = (address: string) =>
  /^(?:(?:0{16}(?:0000FFFF|FFFF0000))?[0-9A-F]{6}7F|0{24}(?:01000000|00000001))$/.test(address);

/** @param isHere whether the sandbox is this computer */
export function reachOf(
  { port, isOpen }: ListeningPort,
  isHere: boolean,
  exposed: Sandbox['exposed_urls'],
): PortReach {
  if (isHere) return { kind: 'here', url: new URL(`http://127.0.0.1:${port}/`) };
  const found = (exposed ?? []).find((one) => one.port === port);
  const checked = found && checkExposedUrl(found.url);
  if (checked?.ok !== true) return { kind: 'none' };
  return isOpen ? { kind: 'exposed', url: checked.url } : { kind: 'closed' };
}

/** Whether this is the port of the server itself, of its editor, whose address contains a key, or of its desktop. */
export const isOfServer = (port: number, exposed: Sandbox['exposed_urls']): boolean =>
  (exposed ?? []).some((one) => one.port === port && ['AGENT_SERVER', 'VSCODE', 'VNC'].includes(one.name));
