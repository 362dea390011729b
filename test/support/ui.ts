import assert from 'node:assert/strict';
import { startService, type ReferenceService, type ServiceOptions } from '../service/service';
import { testMs } from './patience';
import type { RunningEditor } from './editor/codeServer';
import type { TempFolder } from './lifetime';
import type { ProfileName } from '../service/profiles/profile';
import { collectViolations } from './violations';
import { openGuardedWindow, type GuardedWindow, type WindowOptions } from './guardedWindow';
import type { Workbench } from './workbench';
import { createWorkspaceFolder } from './workspaceFolder';

export interface UiOptions extends WindowOptions {
  /** Only the observed one by default. Name more if they differ in what's tested. */
  profiles?: readonly ProfileName[];
  /** How the reference service is started; lifelike data by default. */
  service?: Omit<ServiceOptions, 'profile'>;
  /**
   * Creates a workspace file, which the window opens instead of the folder. The folder may be part of the workspace.
   */
  workspace?: (folder: string) => Promise<string>;
}

/** What a suite's tests work with. The members are available once `before` has run. */
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
  window: GuardedWindow;
  folder: TempFolder;
}

/**
 * Defines a suite, or one for each of several profiles of the service, with its own service, editor with the packaged
 * extension, folder, and browser. Its last tests check that every request carried the session key's header, and that
 * none went astray. A failing test leaves a screenshot in `.screenshots/`.
 */
export function uiSuite(title: string, define: (ui: UiSuite) => void, options: UiOptions = {}): void {
  for (const profile of options.profiles ?? ['observed']) {
    describe(`${title} (${profile})`, function () {
      this.timeout(testMs);
      let running: Running | undefined;
      const get = (): Running => {
        if (!running) throw new Error('The suite hasn’t started yet. Use this inside a test or hook.');
        return running;
      };

      before(async () => {
        const service = await startService({ seed: 'lifelike', ...options.service, profile });
        const violations = collectViolations(service);
        const folder = await createWorkspaceFolder();
        const place = (await options.workspace?.(folder.path)) ?? folder.path;
        const window = await openGuardedWindow(service, place, options);
        running = { service, violations, window, folder };
      });

      afterEach(async function () {
        if (this.currentTest?.state === 'failed')
          await running?.window.workbench.screenshotOfFailure(this.currentTest);
      });

      after(async () => {
        await running?.window.close();
        await running?.folder.remove();
        await running?.service.close();
      });

      define({
        profile,
        get service() {
          return get().service;
        },
        get editor() {
          return get().window.editor;
        },
        get workbench() {
          return get().window.workbench;
        },
        get folder() {
          return get().folder.path;
        },
      });

      it('sends the session key header with every request', () => {
        assert.deepEqual(get().violations, []);
      });

      it('sends neither the session key nor requests for the service anywhere else', () => {
        assert.deepEqual(get().window.strays(), []);
      });
    });
  }
}
