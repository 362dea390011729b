import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { download } from '@vscode/test-electron';
import { editorCacheFolder } from '../paths';
import { findOnPath } from '../processes';
import manifest from '../../../package.json';
import type { EditorAge } from './install';

/** How to start a desktop VS Code. */
export interface DesktopEditor {
  /** Its program, by itself or behind one that gives it a display; the editor's arguments go after it. */
  commandLine: string[];
}

const releases = 'https://update.code.visualstudio.com/api/releases/stable';

const versions: Record<EditorAge, string> = {
  newest: 'stable',
  oldest: manifest.engines.vscode.replace('^', ''),
};

/** Downloads desktop VS Code or takes the one downloaded before; or says why there can be none. */
export async function findDesktop(age: EditorAge): Promise<DesktopEditor | { missing: string }> {
  const screen = screenCommand();
  if (!screen) return { missing: 'there is no display and no xvfb-run' };
  if (!(await reachable()) && !(await downloadedBefore())) {
    return { missing: "VS Code's download site cannot be reached" };
  }
  const executable = await download({
    version: versions[age],
    cachePath: editorCacheFolder,
  });
  return { commandLine: [...screen, executable] };
}

async function reachable(): Promise<boolean> {
  const answer = await fetch(releases, { signal: AbortSignal.timeout(3000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

async function downloadedBefore(): Promise<boolean> {
  const names = await readdir(editorCacheFolder).catch(() => []);
  return names.some(
    (name) => name.startsWith('vscode-') && existsSync(path.join(editorCacheFolder, name, 'is-complete')),
  );
}

/** What a window needs to be started with: nothing where there is a display, else a virtual one. */
function screenCommand(): string[] | undefined {
  if (hasDisplay()) return [];
  const xvfb = findOnPath('xvfb-run');
  return xvfb ? [xvfb, '-a'] : undefined;
}

export function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}
