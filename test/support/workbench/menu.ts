import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience';

/** The open context menu or drop-down menu. */
export class Menu {
  /** With a submenu open, the submenu. */
  readonly open: Locator;

  constructor(private readonly page: Page) {
    this.open = page.locator('.monaco-menu:visible').last();
  }

  /** The labels in it. */
  async labels(): Promise<string[]> {
    await this.open.waitFor();
    return this.labelsNow();
  }

  /** The labels in it; none if it closed before. */
  labelsNow(): Promise<string[]> {
    return this.open.locator('.action-item:not(.disabled) .action-label:not(.separator)').allInnerTexts();
  }

  /** Selects an item: by its label, after those of the submenus that lead to it. */
  async choose(...path: string[]): Promise<void> {
    await this.open.waitFor();
    if (!(await this.chose(...path)))
      throw new Error(`The menu closed before ${path.join(' > ')} was selected`);
  }

  /** Like `choose`, in a menu that was open. False if it closed before: whatever gets the focus meanwhile closes it. */
  async chose(...path: string[]): Promise<boolean> {
    const [label = '', ...submenus] = path.toReversed();
    for (const submenu of submenus.toReversed()) if (!(await this.openSubmenu(submenu))) return false;
    // By keyboard, because a menu that has just opened ignores the mouse button for a moment.
    const item = this.open.getByRole('menuitem', { name: label });
    if (!(await this.reach(item))) return false;
    try {
      // Not to the page: it would be lost in a menu that was closed meanwhile.
      await item.press('Enter', { timeout: 5_000 });
    } catch (error) {
      if (await this.open.isVisible()) throw error;
      return false;
    }
    await this.open.waitFor({ state: 'hidden' });
    return true;
  }

  /** Opens a submenu, which is the open menu then. Resolves to false if the menu closed before. */
  async openSubmenu(label: string): Promise<boolean> {
    if (!(await this.reach(this.open.getByRole('menuitem', { name: label, exact: true })))) return false;
    await this.page.keyboard.press('ArrowRight');
    const submenu = this.page.locator('.monaco-submenu .monaco-menu:visible');
    for (const end = Date.now() + patienceMs; ;) {
      try {
        await submenu.waitFor({ timeout: 5_000 });
        return true;
      } catch (error) {
        if (!(await this.open.isVisible())) return false;
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Closes it, and those that it's a submenu of. */
  async close(): Promise<void> {
    const menus = this.page.locator('.monaco-menu:visible');
    // Not one Escape each: the editor opens the submenu of the item below the mouse once more if it's closed too soon.
    for (const end = Date.now() + patienceMs; (await menus.count()) > 0;) {
      try {
        // A menu that has just opened may not have the focus yet.
        await menus.locator(':focus').last().press('Escape', { timeout: 5_000 });
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Moves the focus to an item. Without it, Enter would choose another one. False if the menu closed before. */
  private async reach(item: Locator): Promise<boolean> {
    for (const end = Date.now() + patienceMs; ;) {
      try {
        await item.hover({ timeout: 5_000 });
        await item.and(this.page.locator(':focus')).waitFor({ timeout: 5_000 });
        return true;
      } catch (error) {
        if (!(await this.open.isVisible())) return false;
        if (Date.now() > end) throw error;
      }
    }
  }
}
