import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentServerCalls } from '../api/service/agentServerStart';

type Server = Pick<AgentServerCalls, 'listFolders' | 'writeFile' | 'removeFile'>;

/**
 * Whether a folder of this computer is the same one on the server’s: what the server writes there can be read here. An
 * address proves nothing, because containers and tunnels have it, too. The file is out of git’s sight, and removed.
 */
export async function isSameFolder(server: Server, folder: string): Promise<boolean> {
  const own = path.join(folder, '.git');
  const hasOwn = (await stat(own).catch(() => undefined))?.isDirectory() === true;
  const place = hasOwn ? own : folder;
  const name = `${hasOwn ? '' : '.'}agent-workspace-here-${randomBytes(8).toString('hex')}`;
  const nonce = randomBytes(16).toString('hex');
  const file = path.join(place, name);
  // Writing would create a folder that isn’t there.
  if ((await server.listFolders(place).catch(() => undefined)) === undefined) return false;
  try {
    await server.writeFile(file, Buffer.from(nonce));
    const isSame = (await contentOf(file)) === nonce;
    if (isSame) await rm(file, { force: true });
    else await server.removeFile(place, name);
    return isSame;
  } catch {
    return false;
  }
}

/** The content of a file, or nothing; doesn’t follow a link. */
async function contentOf(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  try {
    return await handle?.readFile('utf8');
  } finally {
    await handle?.close();
  }
}
