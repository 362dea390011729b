import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import type { RunningEditor } from './editor/codeServer';
import { Words } from './l10n/words';
import { projectFolder } from './paths';
import { eventually, patienceMs } from './patience';
import { savePicture, takePicture } from './picture';
import { missedClick } from './workbench/clicks';
import { Menu } from './workbench/menu';
import { Notifications } from './workbench/notifications';
import { QuickInput } from './workbench/quickInput';
import { View } from './workbench/view';

export type Theme = 'light' | 'dark' | 'hc-light' | 'hc-dark';

/** Each theme's name in the editor, and the workbench's CSS class. */
const themes: Record<Theme, { label: string; className: string }> = {
  light: { label: 'Light Modern', className: 'vs' },
  dark: { label: 'Dark Modern', className: 'vs-dark' },
  'hc-light': { label: 'Light High Contrast', className: 'hc-light' },
  'hc-dark': { label: 'Dark High Contrast', className: 'hc-black' },
};

const containerTitle = 'Agent Workspace';

/** Milliseconds that each step of opening a window may take. */
const startMs = 2 * patienceMs;

/** A command of the extension that the palette offers in every state. */
const alwaysOffered = 'agentWorkspace.logs.show';

/**
 * Ends animations as they begin, in the workbench and in webviews: without a graphics card, spinners that nobody looks at
 * take up to a sixth of the time of a test file.
 */
function endAnimations(): void {
  const style = new CSSStyleSheet();
  style.replaceSync(
    '*, ::before, ::after { animation-duration: 0.01ms !important; animation-iteration-count: 1 !important; }',
  );
  document.adoptedStyleSheets.push(style);
}

/** One editor window in a browser page, driven as a user would. Waits are for what the page shows. */
export class Workbench {
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly menu: Menu;
  /** The messages in the page's console, from the workbench and webviews alike. */
  readonly console: { type: string; text: string }[] = [];

  private constructor(
    readonly page: Page,
    readonly editor: RunningEditor,
    private readonly context: BrowserContext,
    /** The extension's texts in the window's language. */
    readonly words: Words,
  ) {
    this.quickInput = new QuickInput(page);
    this.menu = new Menu(page);
    this.notifications = new Notifications(page, (id) => this.runCommand(id));
    page.on('console', (message) => this.console.push({ type: message.type(), text: message.text() }));
  }

  /**
   * Opens a window with its own browser storage, so without secrets or state of other windows. Calls `prepare` with the
   * browser's context before opening anything in it. `folder` can be a workspace file.
   */
  static async open(
    browser: Browser,
    editor: RunningEditor,
    folder?: string,
    words = new Words(),
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<Workbench> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(patienceMs);
    // tsx compiles functions passed to `evaluate` to call this helper, which pages don't have.
    await context.addInitScript('globalThis.__name ??= (value) => value');
    await context.addInitScript(endAnimations);
    // Does what a language pack would: extensions use that language, but the editor's own texts stay in English.
    if (words.locale !== undefined) {
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(words.locale)}`);
    }
    await prepare?.(context);
    return Workbench.inContext(context, editor, folder, words);
  }

  private static async inContext(
    context: BrowserContext,
    editor: RunningEditor,
    folder: string | undefined,
    words: Words,
  ): Promise<Workbench> {
    const workbench = new Workbench(await context.newPage(), editor, context, words);
    const kind = folder?.endsWith('.code-workspace') ? 'workspace' : 'folder';
    const query = folder === undefined ? 'ew=true' : new URLSearchParams({ [kind]: folder }).toString();
    await workbench.page.goto(`${editor.url}/?${query}`, { timeout: startMs });
    await workbench.ready();
    return workbench;
  }

  /** Opens a second window of the same user, which shares secrets and state with this one. */
  openSecondWindow(folder?: string): Promise<Workbench> {
    return Workbench.inContext(this.context, this.editor, folder, this.words);
  }

  /** Closes this window. The last one takes the browser storage with it. */
  async close(): Promise<void> {
    await this.page.close();
    if (this.context.pages().length === 0) await this.context.close();
  }

  /** Reloads the window: the extension host restarts; secrets and state stay. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Reloads the window by its command, which first stores everything to restore, such as texts of a webview. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: startMs });
    // The page may be gone before the palette closes.
    await Promise.all([loaded, this.runCommand('Developer: Reload Window').catch(() => undefined)]);
    await this.ready();
  }

  /** Waits until the extensions' contributions are in place; the window appears long before. */
  private async ready(): Promise<void> {
    // The palette decides what it offers when it opens, so don't open it before there can be anything.
    await this.activityBarItem().waitFor({ timeout: startMs });
    await this.whenOffered(alwaysOffered, startMs, () => this.quickInput.cancel());
  }

  /**
   * Runs a command through the palette (F1). Takes one of the extension's command ids, or a title as the palette
   * shows it ("View: Close All Editors"). Waits until the palette offers it; the command may ask for input next.
   */
  async runCommand(idOrTitle: string, timeoutMs = patienceMs): Promise<void> {
    await this.whenOffered(idOrTitle, timeoutMs, async (row, timeout) => {
      const name = (await row.getAttribute('aria-label', { timeout })) ?? '';
      const missed = await missedClick(this.page, 'row', name, () => row.click({ timeout }));
      if (missed) throw missed;
    });
    // Either the palette closes, or the command's own input replaces it.
    await this.quickInput.waitForLeaving('>');
  }

  /** Likewise, without the mouse. */
  async runByKeys(idOrTitle: string): Promise<void> {
    await this.whenOffered(idOrTitle, patienceMs, async (row, timeout) => {
      await row.and(this.page.locator('.focused')).waitFor({ timeout });
      await this.quickInput.accept();
    });
    await this.quickInput.waitForLeaving('>');
  }

  /** Whether the palette offers a command now. */
  async offersCommand(idOrTitle: string): Promise<boolean> {
    const row = await this.searchPalette(idOrTitle);
    const offered = await shows(row, searchMs);
    await this.quickInput.cancel();
    return offered;
  }

  /** Waits until the palette offers a command. */
  async untilOffered(idOrTitle: string): Promise<void> {
    await this.whenOffered(idOrTitle, patienceMs, () => this.quickInput.cancel());
  }

  /** Opens the palette again and again until it offers the command and `act` succeeds with its row. */
  private async whenOffered(
    idOrTitle: string,
    timeoutMs: number,
    act: (row: Locator, timeout: number) => Promise<void>,
  ): Promise<void> {
    // Longer each time: a busy computer may still be searching.
    for (let [end, patience] = [Date.now() + timeoutMs, searchMs]; ; patience *= 2) {
      try {
        const row = await this.searchPalette(idOrTitle);
        if (await shows(row, patience)) {
          await act(row, patience);
          return;
        }
      } catch (error) {
        // Something else took the focus, and the palette closed under us.
        if (Date.now() > end) throw error;
      }
      if (Date.now() > end) {
        const labels = (await this.quickInput.items()).map((item) => item.label);
        await this.quickInput.cancel();
        throw new Error(`The palette doesn’t offer ${idOrTitle}; it has: ${labels.join(' | ')}`);
      }
      // The palette decides which commands apply when it opens, so open it again.
      await this.quickInput.cancel();
    }
  }

  /** Opens the palette and types the command's title. Returns the row's locator, which may match nothing. */
  private async searchPalette(idOrTitle: string): Promise<Locator> {
    const isId = idOrTitle.startsWith('agentWorkspace.');
    await this.openPalette();
    await this.quickInput.input.fill(`>${isId ? this.paletteTitle(idOrTitle) : idOrTitle}`, {
      timeout: 2000,
    });
    const rows = isId
      ? this.quickInput.widget.locator('.monaco-list-row', {
          has: this.page.locator(`[data-quick-input-id="${idOrTitle}"]`),
        })
      : this.quickInput.row(idOrTitle);
    return rows.first();
  }

  /** A command's title as the palette shows it: category and title from the manifest. */
  private paletteTitle(id: string): string {
    const command = commands.find((candidate) => candidate.command === id);
    if (!command) throw new Error(`The manifest has no command ${id}`);
    return [command.category, command.title].map((key) => this.words.say(english(key))).join(': ');
  }

  private openPalette(): Promise<void> {
    return this.openByKey('F1', () => this.quickInput.waitForValue('>', 3000));
  }

  /** Presses a key that opens an input, until `opened` resolves. */
  private async openByKey(key: string, opened: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries++) {
      await this.page.keyboard.press(key);
      try {
        await opened();
        return;
      } catch (error) {
        // Keys get lost while the window starts or a webview loads. Close whatever is open before the next try, but
        // press Escape only then: in an editor, it would clear the selection.
        if (tries === 8) throw error;
        if (await this.quickInput.isOpen()) await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Brings the extension's view container to the front, with Sandboxes open, which is folded at first. */
  async openAgentWorkspace(): Promise<void> {
    await this.openAsItIs();
    await this.view('Sandboxes').expand();
  }

  /** Brings the extension's view container to the front. */
  async openAsItIs(): Promise<void> {
    await this.runCommand(`View: Show ${this.words.say(containerTitle)}`);
    await this.page.locator('.sidebar .pane-header').first().waitFor();
  }

  /** Makes the side bar this wide, in CSS pixels. */
  async setSideBarWidth(px: number): Promise<void> {
    const box = await this.page.locator('.sidebar').first().boundingBox();
    if (!box) throw new Error('The side bar isn’t on screen.');
    const { mouse } = this.page;
    const y = box.y + box.height / 2;
    await mouse.move(box.x + box.width, y);
    await mouse.down();
    await mouse.move(box.x + px, y, { steps: 5 });
    await mouse.up();
    await mouse.move(0, 0);
  }

  /** The extension's item in the activity bar. */
  activityBarItem(): Locator {
    return this.page.locator('.activitybar [role="tab"]', {
      has: this.page.locator(`.action-label[aria-label^="${this.words.say(containerTitle)}"]`),
    });
  }

  /** This number on the activity bar's badge, which shows progress instead for moments. */
  badge(count: number): Locator {
    return this.activityBarItem().locator('.badge-content').getByText(String(count), { exact: true });
  }

  /** A view of the container by its title: "Sandboxes", "Conversations", "Sandbox Specs". Expands it when used. */
  view(title: string): View {
    return new View(this.page, this.menu, this.words.say(title));
  }

  /** The extension's status bar item. Its text is what users read; its `aria-label` has the tooltip's text. */
  statusBarItem(): Locator {
    return this.page.locator('.statusbar-item[id^="agent-workspace."]');
  }

  /** An editor's tab by its title. */
  tab(title: string): Locator {
    return this.page.locator('.tabs-container .tab', { has: this.page.getByText(title, { exact: true }) });
  }

  /** The picture in an editor’s tab, as a style sheet names it. */
  tabIcon(title: string): Promise<string> {
    const icon = this.tab(title).locator('.monaco-icon-label-iconpath');
    return icon.evaluate((element) => getComputedStyle(element).backgroundImage);
  }

  /** The titles of all open editors. */
  tabTitles(): Promise<string[]> {
    return this.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  }

  /** Closes all editors; waits until they are gone, or until the workbench asks about one of them. */
  async closeAllEditors(): Promise<void> {
    await this.runCommand('View: Close All Editors');
    const gone = this.page.locator('.tabs-container').filter({ hasNot: this.page.locator('.tab') });
    await gone
      .or(this.page.locator('.monaco-workbench:not(:has(.tabs-container))'))
      .or(this.dialog())
      .first()
      .waitFor({ state: 'attached' });
  }

  /**
   * Opens a file by its absolute path through Go to File, which finds it without a search. The row is accepted once it has
   * the focus, never clicked, because the list is still filled while it is on the screen. At first it has recent files:
   * `description` tells the row from those of the same name.
   */
  async openFile(file: string, description = ''): Promise<void> {
    const name = path.basename(file);
    const input = this.quickInput.widget.locator('input[placeholder^="Search files by name"]');
    await this.openByKey('ControlOrMeta+P', () => input.waitFor({ timeout: 3000 }));
    await this.quickInput.type(file);
    const row = this.quickInput.row(name).and(this.page.locator('.focused'));
    await row.filter({ hasText: description }).waitFor();
    await this.quickInput.accept();
    await this.tab(name).waitFor();
    // It takes the focus a moment later, which would close a menu.
    await this.focusedEditor().waitFor();
  }

  /**
   * The text in the active text editor, as far as it is on the screen, once it contains `words`: the editor is there
   * before its text is.
   */
  async editorText(words: string | RegExp): Promise<string> {
    const lines = this.page.locator('.editor-instance .view-lines').first();
    await lines.filter({ hasText: words }).waitFor();
    return (await lines.innerText()).replaceAll('\u00a0', ' ');
  }

  /** All the text in the active text editor, read via the clipboard. */
  async wholeEditorText(): Promise<string> {
    const before = 'Nothing has been copied yet.';
    await this.page.evaluate((text) => navigator.clipboard.writeText(text), before);
    await this.selectAll();
    await this.page.keyboard.press('ControlOrMeta+C');
    await eventually(
      async () => (await this.readClipboard()) !== before,
      () => before,
    );
    return this.readClipboard();
  }

  /** Selects all the text in the active text editor, which must not be empty. */
  async selectAll(): Promise<void> {
    await this.focusEditor();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.locator('.editor-instance .selected-text').first().waitFor();
  }

  /** Puts the cursor into the active text editor. Waits for inputs first, since they move the focus when they close. */
  async focusEditor(): Promise<void> {
    await this.quickInput.waitForClosed();
    await this.page.locator('.editor-group-container.active .editor-instance .view-lines').first().click();
    await this.focusedEditor().waitFor();
  }

  /** The active text editor, once it has the focus. */
  focusedEditor(): Locator {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused');
  }

  /** Hovers something until its tooltip shows: what is redrawn meanwhile has to be hovered anew. */
  async hoverUntil(element: Locator, tooltip: Locator): Promise<void> {
    for (const end = Date.now() + patienceMs; ;) {
      await this.page.mouse.move(0, 0);
      await element.hover();
      try {
        await tooltip.waitFor({ timeout: 5000 });
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** The document inside the visible webview. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /** A modal dialog of the workbench. */
  dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Switches the color theme and waits until the workbench has it. */
  async setTheme(theme: Theme): Promise<void> {
    const { label, className } = themes[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.waitFor('Color Theme');
    await this.quickInput.type(label);
    await this.quickInput.pick(label);
    await this.quickInput.waitForClosed();
    await this.page.locator(`.monaco-workbench.${className}`).waitFor();
  }

  /**
   * Changes the user's settings by editing `settings.json` in the window, because an open window of code-server doesn't
   * notice other changes to the file. `undefined` removes a setting. `close: false` leaves the editor open, for changes
   * that make the extension ask something.
   */
  async changeSettings(settings: Record<string, unknown>, { close = true } = {}): Promise<void> {
    const current = await this.editor.readSettings();
    const changed = JSON.stringify({ ...current, ...settings });
    if (changed === JSON.stringify(current)) return;
    await this.runCommand('Preferences: Open User Settings (JSON)');
    const tab = this.tab('settings.json');
    await tab.waitFor();
    await this.focusEditor();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(changed);
    await this.page.locator('.tabs-container .tab.active.dirty').waitFor();
    await this.page.keyboard.press('ControlOrMeta+S');
    await this.page.locator('.tabs-container .tab.active:not(.dirty)').waitFor();
    if (!close) return;
    await this.runCommand('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  readClipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Takes a picture of the window, or of a part of it, if somebody wants to look at pictures. */
  screenshot(name: string, part: Page | Locator = this.page): Promise<void> {
    return takePicture(part, name, { animations: 'disabled', caret: 'hide' });
  }

  /** Saves a picture of the window in which a test failed. */
  screenshotOfFailure(test: Mocha.Runnable): Promise<void> {
    return savePicture(this.page, `failed-${test.fullTitle()}`);
  }
}

/** How long the palette usually takes at most to find a command. */
const searchMs = 2000;

/** Whether the palette shows this row after searching. That it doesn't takes a while to find out. */
function shows(row: Locator, patience: number): Promise<boolean> {
  return row.waitFor({ timeout: patience }).then(
    () => true,
    () => false,
  );
}

const read = (name: string): unknown => JSON.parse(readFileSync(path.join(projectFolder, name), 'utf8'));
const manifestWords = read('package.nls.json') as Record<string, string>;
const english = (key: string): string => manifestWords[key.slice(1, -1)] ?? key;
const { commands } = (
  read('package.json') as {
    contributes: { commands: { command: string; title: string; category: string }[] };
  }
).contributes;
