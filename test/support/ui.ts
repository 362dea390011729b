import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startService, type ReferenceService, type ServiceOptions } from '../service/service';
import { startCodeServer, type EditorOptions, type RunningEditor } from './editor/codeServer';
import type { InstalledCodeServer } from './editor/install';
import type { TempFolder } from './lifetime';
import { profiles, type Profile } from './profiles';
import { Workbench } from './workbench';
import { collectViolations } from './violations';
import { createWorkspaceFolder } from './workspaceFolder';

/** What all UI suites share. */
export interface UiSetup {
  codeServer: InstalledCodeServer;
  /** Where the packaged extension is installed. */
  extensionsFolder: string;
  browser: Browser;
}

let setup: UiSetup | undefined;

/** Called once, by the runner. */
export function setUi(value: UiSetup): void {
  setup = value;
}

/** What the runner prepared for all suites. */
export function uiSetup(): UiSetup {
  if (!setup) throw new Error('UI tests are started by "npm run test:ui".');
  return setup;
}

export interface UiOptions {
  /** How the reference service is started; lifelike data by default. */
  service?: Omit<ServiceOptions, 'profile'>;
  editor?: Omit<EditorOptions, 'extensionsFolder'>;
}

/** What a suite's tests work with; the members are there once `before` has run. */
export interface UiSuite {
  readonly profile: Profile;
  readonly service: ReferenceService;
  readonly editor: RunningEditor;
  readonly workbench: Workbench;
  /** The folder that the window has open, a small git repository (see workspaceFolder.ts). */
  readonly folder: string;
}

interface Running {
  service: ReferenceService;
  violations: readonly unknown[];
  editor: RunningEditor;
  workbench: Workbench;
  folder: TempFolder;
}

/**
 * A suite for each profile of the service, each with a service, an editor with the packaged extension, a folder and
 * a browser window of its own. Its last test is that every request carried the session key's header. A failing
 * test leaves a picture in `.screenshots/`.
 */
export function uiSuite(title: string, define: (ui: UiSuite) => void, options: UiOptions = {}): void {
  for (const profile of profiles) {
    describe(`${title} (${profile})`, function () {
      this.timeout(90_000);
      let running: Running | undefined;
      const get = (): Running => {
        if (!running) throw new Error('The suite has not started yet: use this inside a test or hook.');
        return running;
      };

      before(async () => {
        const { browser, codeServer, extensionsFolder } = uiSetup();
        const service = await startService({ seed: 'lifelike', ...options.service, profile });
        const violations = collectViolations(service);
        const folder = await createWorkspaceFolder();
        const editor = await startCodeServer(codeServer, { ...options.editor, extensionsFolder });
        const workbench = await Workbench.open(browser, editor, folder.path);
        running = { service, violations, editor, workbench, folder };
      });

      afterEach(async function () {
        if (this.currentTest?.state === 'failed') {
          await running?.workbench.screenshot(`failed-${this.currentTest.fullTitle()}`);
        }
      });

      after(async () => {
        await running?.workbench.close();
        await running?.editor.stop();
        await running?.folder.remove();
        await running?.service.close();
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
    });
  }
}
