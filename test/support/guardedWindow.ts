import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { bundleGuard } from './build';
import { launchChromium } from './chromium';
import { startCodeServer, type EditorOptions, type RunningEditor } from './editor/codeServer';
import { Words } from './l10n/words';
import { tempFolder } from './lifetime';
import { guardEnvironment, readStrays, type Guarded, type Stray } from './requestGuard';
import { uiSetup } from './uiSetup';
import { Workbench } from './workbench';

export interface WindowOptions {
  editor?: Omit<EditorOptions, 'extensionsFolder'>;
  /** The editor's display language; English by default. */
  locale?: string;
  /** Called with the browser's context before the window opens. */
  prepare?: (context: BrowserContext) => Promise<void>;
}

/** A window with the packaged extension, in its own editor and browser. */
export interface GuardedWindow {
  readonly editor: RunningEditor;
  readonly workbench: Workbench;
  /** Requests from the editor's processes that went where they must not. */
  strays: () => Stray[];
  close: () => Promise<void>;
}

/** Opens a window on `folder` and watches for requests that only the service should get but that go elsewhere. */
export async function openGuardedWindow(
  { url, sessionKey }: { url: string; sessionKey: string },
  folder: string,
  options: WindowOptions = {},
): Promise<GuardedWindow> {
  const { codeServer, extensionsFolder, builtInFolder } = uiSetup();
  const browser = await launchChromium();
  const guard = await guarded({ origin: new URL(url).origin, sessionKey });
  const env = { ...options.editor?.env, ...guard.env };
  const args = ['--builtin-extensions-dir', builtInFolder, ...(options.editor?.args ?? [])];
  const editor = await startCodeServer(codeServer, { ...options.editor, extensionsFolder, args, env });
  const words = new Words(options.locale);
  const workbench = await Workbench.open(browser, editor, folder, words, options.prepare);
  return {
    editor,
    workbench,
    strays: guard.strays,
    close: async () => {
      await browser.close();
      await editor.stop();
      await guard.remove();
    },
  };
}

interface Guard {
  env: NodeJS.ProcessEnv;
  strays: () => Stray[];
  remove: () => Promise<void>;
}

/** Makes the editor's processes, including the extension host, watch where their requests go. */
async function guarded(place: Guarded): Promise<Guard> {
  const folder = await tempFolder();
  const preload = path.join(folder.path, 'guard.js');
  await bundleGuard(preload);
  const file = path.join(folder.path, 'strays.jsonl');
  return {
    env: guardEnvironment(preload, file, place),
    strays: () => readStrays(file),
    remove: () => folder.remove(),
  };
}
