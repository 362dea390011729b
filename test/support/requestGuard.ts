import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

/** A request that went where it must not. The path has no query, because it may contain a secret. */
export interface Stray {
  origin: string;
  path: string;
  reason: 'it carried the session key' | 'it asked an endpoint of the service';
}

/** The only place where the session key may go. */
export interface Guarded {
  origin: string;
  sessionKey: string;
}

interface OutgoingRequest {
  origin: string;
  path: string;
  headers: string | string[];
}

/** Watches every request that this process makes with fetch, and calls `tell` for those that went astray. */
export function watchRequests(guarded: Guarded, tell: (stray: Stray) => void): void {
  subscribe('undici:request:create', (message) => {
    const { origin, path, headers } = (message as { request: OutgoingRequest }).request;
    if (origin === guarded.origin) return;
    const where = { origin, path: path.replace(/\?.*/, '') };
    if (headers.includes(guarded.sessionKey)) tell({ ...where, reason: 'it carried the session key' });
    // A test's own server on this machine may stand in for a service.
    else if (/\/api\/(v1\/|settings|add-git-)/.test(path) && !origin.startsWith('http://127.0.0.1:'))
      tell({ ...where, reason: 'it asked an endpoint of the service' });
  });
}

const settingsVariable = 'AGENT_WORKSPACE_TEST_GUARD';

/**
 * Environment variables that make a Node process and its children watch their requests and write strays to `file`. What
 * they guard is in another file next to it, because an editor logs its environment.
 */
export function guardEnvironment(preload: string, file: string, guarded: Guarded): NodeJS.ProcessEnv {
  const settingsFile = `${file}.guarded`;
  writeFileSync(settingsFile, JSON.stringify({ file, guarded }));
  return { NODE_OPTIONS: `--require ${JSON.stringify(preload)}`, [settingsVariable]: settingsFile };
}

/** The strays that such processes have written. */
export function readStrays(file: string): Stray[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Stray);
}

/** Called by the preload script in each process. */
export function watchAsTold(): void {
  const settingsFile = process.env[settingsVariable];
  // For a process that outlives the editor, the file is gone.
  if (settingsFile === undefined || !existsSync(settingsFile)) return;
  const { file, guarded } = JSON.parse(readFileSync(settingsFile, 'utf8')) as {
    file: string;
    guarded: Guarded;
  };
  watchRequests(guarded, (stray) => appendFileSync(file, `${JSON.stringify(stray)}\n`));
}
