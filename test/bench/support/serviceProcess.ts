import path from 'node:path';
import { projectFolder } from '../../support/paths';
import { startProcess } from '../../support/processes';
import type { Profile } from '../../support/profiles';

/** A reference service in its own process, so that its work doesn't count as ours. */
export interface ServiceProcess {
  url: string;
  sessionKey: string;
  stop: () => Promise<void>;
}

/** Starts a service without a rate limit that has this many generated sandboxes and conversations. */
export async function startServiceProcess(
  profile: Profile,
  sandboxes: number,
  conversations = 0,
): Promise<ServiceProcess> {
  const running = startProcess(process.execPath, [
    ...['--require', 'tsx/cjs', path.join(projectFolder, 'test', 'service', 'main.ts')],
    ...['--profile', profile, '--sandboxes', String(sandboxes), '--no-rate-limit'],
    ...['--conversations', String(conversations)],
  ]);
  const [line] = await running.line(/^\{.*\}$/, 30_000);
  return { ...(JSON.parse(line) as { url: string; sessionKey: string }), stop: running.stop };
}
