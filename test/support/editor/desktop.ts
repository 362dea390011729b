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
  /** Its program, preceded by one that provides a display if needed. The editor's arguments go after it. */
  commandLine: string[];
}

const releases = 'https://update.code.visualstudio.com/api/releases/stable';

const versions: Record<EditorAge, string> = {
  newest: 'stable',
  oldest: manifest.engines.vscode.replace('^', ''),
};

/** Downloads desktop VS Code, unless it was downloaded before. Returns why it's missing if that's impossible. */
export async function findDesktop(age: EditorAge): Promise<DesktopEditor | { missing: string }> {
  const screen = screenCommand();
  if (!screen) return { missing: 'there is no display and no xvfb-run' };
  if (!(await reachable()) && !(await downloadedBefore())) {
    return { missing: "VS Code's download site can't be reached" };
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

/** The command that provides a display: empty where there is one; undefined if a virtual one isn't possible either. */
function screenCommand(): string[] | undefined {
  if (hasDisplay()) return [];
  const xvfb = findOnPath('xvfb-run');
  return xvfb ? [xvfb, '-a'] : undefined;
}

export function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}
