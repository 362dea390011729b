import * as l10n from '@vscode/l10n';
import type { FormHost } from '../formHost';
import { thrownWords } from '../../../../shared/thrown';

/** Adds servers from a file to the form. The code of import and export runs on first use. */
export function importOnFirstUse(host: FormHost): Promise<void> {
  return telling(host, 'import', async () => (await import('./importing')).importServers(host));
}

/** Writes servers of the form to a file. */
export function exportOnFirstUse(host: FormHost): Promise<void> {
  return telling(host, 'export', async () => (await import('./exporting')).exportServers(host));
}

/** Shows unexpected errors, such as those of files, to the user. */
async function telling({ ports }: FormHost, what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const words = thrownWords(error);
    ports.log.error(`MCP servers: ${what} failed: ${words}`);
    await ports.servers.tell('error', l10n.t('Failed: {0}', words));
  }
}
