import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience';
import { clickUntilHit } from './clicks';

/** The notifications at the window's corner. */
export class Notifications {
  constructor(
    private readonly page: Page,
    private readonly runCommand: (title: string) => Promise<void>,
  ) {}

  /** A notification on the screen that contains `words`. */
  get(words: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item:visible', { hasText: words });
  }

  /** Waits for a notification that contains `words` and returns it. After 10 s, only the list of all still has it. */
  async waitFor(words: string | RegExp): Promise<Locator> {
    const notification = this.get(words).first();
    try {
      await notification.waitFor({ timeout: patienceMs / 2 });
      return notification;
    } catch {
      return this.waitInList(words);
    }
  }

  /**
   * Opens the list of all notifications, waits for one that contains `words`, and returns it, since the screen shows only
   * three at most.
   */
  async waitInList(words: string | RegExp): Promise<Locator> {
    await this.runCommand('Notifications: Show Notifications');
    const all = this.page.locator('.notifications-center .notification-list-item', { hasText: words });
    await all.first().waitFor();
    return all.first();
  }

  /** The messages in the list that `waitInList` has opened. */
  async listed(): Promise<string[]> {
    return this.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
  }

  /** The messages on the screen, the newest first. */
  async messages(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message:visible').allInnerTexts();
  }

  /** The buttons of a notification. */
  async buttons(words: string | RegExp): Promise<string[]> {
    const notification = await this.waitFor(words);
    return notification.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();
  }

  /** Clicks a button of a notification. */
  async press(words: string | RegExp, button: string): Promise<void> {
    await this.pressIn(await this.waitFor(words), button);
  }

  /** Clicks a button of a notification in the list of all, where it stays: on the screen, it's gone after seconds. */
  async pressInList(words: string, button: string): Promise<void> {
    await this.pressIn(await this.waitInList(words), button);
  }

  /** A notification moves when others come and go. */
  private async pressIn(notification: Locator, name: string): Promise<void> {
    await clickUntilHit(notification.getByRole('button', { name, exact: true }), 'button', name);
  }

  /** Clears every notification. */
  async clear(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
    // The first one, because there can be several for a moment.
    await this.get('').first().waitFor({ state: 'detached' });
  }
}
