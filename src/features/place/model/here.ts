import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { quoted } from '../../../shared/shellScript';
import { isSameFolder } from '../../../core/sameFolder';
import type { TerminalPlace } from './terminalLine';

/**
 * Facts that are the same only for commands on the same computer: when it started, the namespaces, the user, and the
 * folder.
 */
const facts = `unset CDPATH; uname -s; id -u
if [ -e /proc/self/ns/mnt ]; then readlink /proc/self/ns/mnt /proc/self/ns/pid /proc/self/ns/net; cat /proc/sys/kernel/random/boot_id
else sysctl -n kern.boottime; fi; ls -id .`;

/**
 * Whether a shell on this computer is where the agent’s shell is, and sees the same folder. An address proves nothing,
 * because containers and tunnels have it, too: both sides answer the same questions, and what the sandbox writes there
 * can be read here.
 */
export async function isThisComputer({ workspace, workingDir: cwd }: TerminalPlace): Promise<boolean> {
  const { terminal } = workspace;
  try {
    const own = await promisify(execFile)('/bin/sh', ['-c', facts], { cwd, encoding: 'utf8' });
    const there = await terminal.execute({ command: facts, cwd });
    if (there.exitCode !== 0 || own.stdout === '' || own.stdout !== there.stdout) return false;
    return await isSameFolder(
      {
        listFolders: () => Promise.resolve([]),
        writeFile: (file, content) => terminal.upload(file, content),
        removeFile: async (folder, name) => {
          await terminal.execute({ command: `rm -f ${quoted(`${folder}/${name}`)}`, cwd });
        },
      },
      cwd,
    );
  } catch {
    return false;
  }
}
