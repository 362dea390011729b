import assert from 'node:assert/strict';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { startService, type ReferenceService, type ServiceOptions } from '../service/service';
import { bundleGuard } from './build';
import { launchChromium } from './chromium';
import { Words } from './l10n/words';
import { startCodeServer, type EditorOptions, type RunningEditor } from './editor/codeServer';
import type { InstalledCodeServer } from './editor/install';
import { tempFolder, type TempFolder } from './lifetime';
import type { ProfileName } from '../service/profiles/profile';
import { profiles } from './profiles';
import { guardEnvironment, readStrays, type Guarded, type Stray } from './requestGuard';
import { Workbench } from './workbench';
import { collectViolations } from './violations';
import { createWorkspaceFolder } from './workspaceFolder';

/** What all UI suites share. */
export interface UiSetup {
  codeServer: InstalledCodeServer;
  /** Where the packaged extension is installed. */
  extensionsFolder: string;
}

/** The environment variable with the `UiSetup` as JSON: files of tests run in processes of their own. */
const setupVariable = 'UI_TEST_SETUP';

/** Called once, by the runner. */
export function setUi(value: UiSetup): void {
  process.env[setupVariable] = JSON.stringify(value);
}

/** What the runner prepared for all suites. */
function uiSetup(): UiSetup {
  const setup = process.env[setupVariable];
  if (setup === undefined) throw new Error('UI tests are started by "npm run test:ui".');
  return JSON.parse(setup) as UiSetup;
}

export interface UiOptions {
  /** Both, unless what is tested has nothing to do with the service's generation. */
  profiles?: readonly ProfileName[];
  /** How the reference service is started; lifelike data by default. */
  service?: Omit<ServiceOptions, 'profile'>;
  editor?: Omit<EditorOptions, 'extensionsFolder'>;
  /** The editor's display language; English by default. */
  locale?: string;
  /** Makes the file of a workspace that the window opens in place of the folder, which may be one of its folders. */
  workspace?: (folder: string) => Promise<string>;
  /** Done with the browser's context before the window opens. */
  prepare?: (context: BrowserContext) => Promise<void>;
}

/** What a suite's tests work with; the members are there once `before` has run. */
export interface UiSuite {
  readonly profile: ProfileName;
  readonly service: ReferenceService;
  readonly editor: RunningEditor;
  readonly workbench: Workbench;
  /** The folder that the window has open, a small git repository (see workspaceFolder.ts). */
  readonly folder: string;
}

interface Running {
  service: ReferenceService;
  violations: readonly unknown[];
  guard: Guard;
  browser: Browser;
  editor: RunningEditor;
  workbench: Workbench;
  folder: TempFolder;
}

interface Guard {
  env: NodeJS.ProcessEnv;
  strays: () => Stray[];
  remove: () => Promise<void>;
}

/** Has the editor's processes, the extension host among them, watch where their requests go. */
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

/**
 * A suite for each profile of the service, each with a service, an editor with the packaged extension, a folder and
 * a browser of its own. Its last test is that every request carried the session key's header. A failing
 * test leaves a picture in `.screenshots/`.
 */
export function uiSuite(title: string, define: (ui: UiSuite) => void, options: UiOptions = {}): void {
  for (const profile of options.profiles ?? profiles) {
    describe(`${title} (${profile})`, function () {
      this.timeout(90_000);
      let running: Running | undefined;
      const get = (): Running => {
        if (!running) throw new Error('The suite has not started yet: use this inside a test or hook.');
        return running;
      };

      before(async () => {
        const { codeServer, extensionsFolder } = uiSetup();
        const browser = await launchChromium();
        const service = await startService({ seed: 'lifelike', ...options.service, profile });
        const violations = collectViolations(service);
        const folder = await createWorkspaceFolder();
        const { origin } = new URL(service.url);
        const guard = await guarded({ origin, sessionKey: service.sessionKey });
        const env = { ...options.editor?.env, ...guard.env };
        const editor = await startCodeServer(codeServer, { ...options.editor, extensionsFolder, env });
        const words = new Words(options.locale);
        const place = (await options.workspace?.(folder.path)) ?? folder.path;
        const workbench = await Workbench.open(browser, editor, place, words, options.prepare);
        running = { service, violations, guard, browser, editor, workbench, folder };
      });

      afterEach(async function () {
        if (this.currentTest?.state === 'failed') {
          await running?.workbench.screenshot(`failed-${this.currentTest.fullTitle()}`);
        }
      });

      after(async () => {
        await running?.browser.close();
        await running?.editor.stop();
        await running?.folder.remove();
        await running?.service.close();
        await running?.guard.remove();
      });

      define({
        profile,
        get service() {
          return get().service;
        },
        get editor() {
          return get().editor;
        },
        get workbench() {
          return get().workbench;
        },
        get folder() {
          return get().folder.path;
        },
      });

      it('sent the session key header with every request', () => {
        assert.deepEqual(get().violations, []);
      });

      it('sent nothing of the service’s, and its session key in particular, elsewhere', () => {
        assert.deepEqual(get().guard.strays(), []);
      });
    });
  }
}
