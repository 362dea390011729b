import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience';
import { clickUntilHit, missedClick } from './clicks';
import type { Menu } from './menu';

export interface TreeRow {
  label: string;
  description: string;
  /** What a screen reader says. */
  ariaLabel: string;
  /** 1 for a root. */
  level: number;
  /** Undefined for a row that has no children. */
  expanded: boolean | undefined;
  selected: boolean;
}

/** A tree view in the side bar. */
export class View {
  readonly pane: Locator;
  readonly header: Locator;

  constructor(
    private readonly page: Page,
    private readonly menu: Menu,
    readonly title: string,
  ) {
    // The editor adds a word to the label. The space keeps “Sandbox Specs” apart from “Sandboxes” in languages where
    // one begins with the other.
    const header = `.pane-header[aria-label^="${title} "]`;
    this.pane = page.locator('.sidebar .pane', { has: page.locator(header) });
    this.header = this.pane.locator(header);
  }

  /** Expands the view if it's collapsed. */
  async expand(): Promise<void> {
    await this.fold(this.header, this.header, false);
    await this.pane.locator('.pane-body').waitFor();
  }

  collapse(): Promise<void> {
    return this.fold(this.header, this.header, true);
  }

  /** Clicks `toggle` unless `part` is folded, or unfolded, already. Again only if nothing came of it: it may have moved. */
  private async fold(part: Locator, toggle: Locator, isFolded: boolean): Promise<void> {
    const wanted = String(!isFolded);
    for (const end = Date.now() + patienceMs; ;) {
      if ((await part.getAttribute('aria-expanded')) === wanted) return;
      await toggle.click();
      try {
        await part.and(this.page.locator(`[aria-expanded="${wanted}"]`)).waitFor({ timeout: 5_000 });
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** The tree itself, for keyboard input. */
  get tree(): Locator {
    return this.pane.getByRole('tree');
  }

  /** The welcome content in place of an empty tree; its links and buttons have their roles. */
  get welcome(): Locator {
    return this.pane.locator('.welcome-view-content');
  }

  /** The message above the tree. */
  get message(): Locator {
    return this.pane.locator('.message');
  }

  /** The first row on the screen whose text contains `words`. */
  row(words: string | RegExp): Locator {
    return this.pane.getByRole('treeitem').filter({ hasText: words }).first();
  }

  /** The rows on the screen, from the top. A list longer than the view has more: see `scrollTo`. */
  async rows(): Promise<TreeRow[]> {
    const rows = await this.pane.getByRole('treeitem').evaluateAll((elements) =>
      elements.map((element) => {
        const expanded = element.getAttribute('aria-expanded');
        return {
          top: element.getBoundingClientRect().top,
          label: element.querySelector('.label-name')?.textContent ?? '',
          description: element.querySelector('.label-description')?.textContent ?? '',
          ariaLabel: element.getAttribute('aria-label') ?? '',
          level: Number(element.getAttribute('aria-level')),
          expanded: expanded === null ? undefined : expanded === 'true',
          selected: element.getAttribute('aria-selected') === 'true',
        };
      }),
    );
    return rows.sort((one, other) => one.top - other.top).map(({ top: _, ...row }) => row);
  }

  /** Waits for a row whose text contains `words`, scrolling down to it if needed. */
  async scrollTo(words: string | RegExp): Promise<Locator> {
    const row = this.row(words);
    const lastRow = this.pane.locator('[data-last-element="true"]');
    await this.pane.getByRole('treeitem').first().waitFor();
    await this.tree.hover();
    await this.page.mouse.wheel(0, -1_000_000);
    for (const end = Date.now() + patienceMs; (await row.count()) === 0;) {
      if (Date.now() > end) throw new Error(`The view ${this.title} has no row ${String(words)}`);
      // The row may also appear above, so start over at the end.
      await this.page.mouse.wheel(0, (await lastRow.count()) > 0 ? -1_000_000 : 100);
      await this.page.waitForTimeout(20);
    }
    await this.scrollWhole(row);
    await this.takePointerAway();
    return row;
  }

  /** Scrolls a row that is cut off at an edge of the view until all of it shows. */
  private async scrollWhole(row: Locator): Promise<void> {
    for (const end = Date.now() + patienceMs; Date.now() < end;) {
      const [inner, outer] = await Promise.all([row.boundingBox(), this.tree.boundingBox()]);
      if (!inner || !outer) return;
      const below = inner.y + inner.height - (outer.y + outer.height);
      const above = outer.y - inner.y;
      if (below <= 0 && above <= 0) return;
      await this.tree.hover();
      await this.page.mouse.wheel(0, below > 0 ? below : -above);
      await this.page.waitForTimeout(20);
    }
  }

  /** A row’s tooltip can cover the rows below it, and stays while the pointer is on it. */
  private async takePointerAway(): Promise<void> {
    const tooltip = this.page.locator('.workbench-hover').first();
    for (const end = Date.now() + patienceMs; ;) {
      await this.page.mouse.move(0, 0);
      try {
        await tooltip.waitFor({ state: 'hidden', timeout: 1000 });
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        // The tooltip of a redrawn row stays until the pointer has been on the tooltip itself.
        await tooltip.hover({ timeout: 1000 }).catch(() => undefined);
      }
    }
  }

  /** Hovers a row until its tooltip shows, and returns its lines. A row that is redrawn meanwhile has to be hovered anew. */
  async tooltip(words: string | RegExp): Promise<string[]> {
    const tooltip = this.page.locator('.workbench-hover').first();
    for (const end = Date.now() + patienceMs; ;) {
      const row = await this.scrollTo(words);
      await row.locator('.label-name').first().hover();
      try {
        // The editor shows this until the extension has answered.
        await tooltip.filter({ hasNotText: /^Loading\.{3}$/ }).waitFor({ timeout: 5000 });
        return (await tooltip.innerText()).split('\n');
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Expands or collapses a row. */
  async toggleRow(words: string | RegExp): Promise<void> {
    const row = this.row(words);
    const isOpen = (await row.getAttribute('aria-expanded')) === 'true';
    await this.fold(row, row.locator('.monaco-tl-twistie'), isOpen);
  }

  /** Hovers a row until it shows inline actions, and returns their accessible names. */
  async inlineActions(words: string | RegExp): Promise<string[]> {
    const row = this.row(words);
    await this.takePointerAway();
    await row.hover();
    const actions = row.locator('.actions .action-item:not(.disabled) .action-label');
    await actions.first().waitFor();
    const labels = await actions.evaluateAll((elements) =>
      elements.map((element) => element.getAttribute('aria-label') ?? ''),
    );
    return labels.filter((label) => label !== '');
  }

  /** Waits until a row offers exactly these inline actions: they follow its state a moment later. */
  async waitForInlineActions(words: string | RegExp, actions: readonly string[]): Promise<void> {
    for (const end = Date.now() + patienceMs; ;) {
      const offered = await this.inlineActions(words);
      if (isDeepStrictEqual(offered, actions)) return;
      if (Date.now() > end) throw new Error(`The row offers ${offered.join(', ')}.`);
    }
  }

  /** Clicks the row whose accessible name contains `words`. Retries, because it may be redrawn under the pointer. */
  async clickRow(words: string): Promise<void> {
    const row = this.row(words);
    await row.waitFor();
    // At its beginning: further right, a narrow row has buttons.
    await clickUntilHit(row, 'row', words, () => row.click({ position: { x: 50, y: 10 }, timeout: 2000 }));
  }

  /** Clicks an inline action of a row. Retries, because the row may move when those above it change. */
  async clickInline(words: string | RegExp, action: string): Promise<void> {
    const row = this.row(words);
    const button = row.locator('.actions').getByRole('button', { name: action });
    for (const end = Date.now() + patienceMs; ;) {
      if ((await row.count()) === 0) await this.scrollTo(words);
      await this.scrollWhole(row);
      await this.takePointerAway();
      const missed = await missedClick(this.page, 'action', action, async () => {
        await row.hover({ timeout: 2000 });
        await button.click({ timeout: 2000 });
      });
      if (!missed) return;
      if (Date.now() > end) throw missed;
    }
  }

  /** Selects an item of a row's context menu. */
  chooseFromMenu(words: string | RegExp, ...path: string[]): Promise<void> {
    return this.chooseFrom(() => this.openContextMenu(words), path);
  }

  /** The labels in a row's context menu, which is closed then. Calls `look` while it's open. */
  async menuLabels(words: string | RegExp, look?: () => Promise<void>): Promise<string[]> {
    for (const end = Date.now() + patienceMs; ;) {
      await this.openContextMenu(words);
      const labels = await this.menu.labelsNow();
      await look?.();
      await this.menu.close();
      if (labels.length > 0) return labels;
      if (Date.now() > end) throw new Error(`The menu of ${String(words)} didn’t stay open`);
    }
  }

  /** Opens a row's context menu; continue with `Workbench.menu`. */
  async openContextMenu(words: string | RegExp): Promise<void> {
    const row = this.row(words);
    for (const end = Date.now() + patienceMs; ;) {
      await this.scrollWhole(row);
      await this.takePointerAway();
      // At its beginning: further right, a narrow row has buttons.
      await row.click({ button: 'right', position: { x: 30, y: 10 } });
      // Whatever gets the focus now closes the menu, such as the view that connecting brings up.
      const isOpen = await this.page
        .locator('.monaco-menu:visible')
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        );
      if (!isOpen) {
        if (Date.now() > end) throw new Error(`The menu of ${String(words)} didn’t open`);
        continue;
      }
      // The menu's row has the focus. It may be another one, because rows move when those above them change.
      const focused = await row.evaluate((element) => element.classList.contains('focused'));
      if (focused) return;
      if (Date.now() > end) throw new Error(`The menu of ${String(words)} opened for other rows`);
      await this.page.keyboard.press('Escape');
    }
  }

  /** Selects an item of the menu in the view's title bar. */
  chooseFromTitleMenu(...path: string[]): Promise<void> {
    return this.chooseFrom(() => this.openTitleMenu(), path);
  }

  /** Opens the menu in the view's title bar; continue with `Workbench.menu`. */
  async openTitleMenu(): Promise<void> {
    for (const end = Date.now() + patienceMs; ;) {
      await this.header.hover();
      await this.header.locator('.codicon-toolbar-more').click();
      try {
        await this.menu.open.waitFor({ timeout: 5_000 });
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Clicks an action in the view's title bar; it shows while the view is hovered. */
  async clickTitleAction(action: string): Promise<void> {
    const button = this.header.getByRole('button', { name: action });
    await clickUntilHit(button, 'action', action, async () => {
      await this.header.hover({ timeout: 2000 });
      await button.click({ timeout: 2000 });
    });
  }

  /** Whatever gets the focus meanwhile closes a menu, as does a row that changes; then it opens again. */
  private async chooseFrom(open: () => Promise<void>, path: string[]): Promise<void> {
    for (const end = Date.now() + patienceMs; ;) {
      await open();
      if (await this.menu.chose(...path)) return;
      if (Date.now() > end) throw new Error(`The menu with ${path.join(' > ')} didn’t stay open`);
    }
  }
}
