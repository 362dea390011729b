import type { Locator, Page } from 'playwright-core';
import { patienceMs } from '../patience';
import { missedClick } from './clicks';

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

  /** Waits for a notification that contains `words` and returns it. */
  async waitFor(words: string | RegExp): Promise<Locator> {
    const notification = this.get(words).first();
    await notification.waitFor();
    return notification;
  }

  /**
   * Opens the list of all notifications and waits for one that contains `words`, since the screen shows only three at
   * most.
   */
  async waitInList(words: string): Promise<void> {
    await this.runCommand('Notifications: Show Notifications');
    await this.page.locator('.notifications-center .notification-list-item', { hasText: words }).waitFor();
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
    await this.waitInList(words);
    const notification = this.page.locator('.notifications-center .notification-list-item', {
      hasText: words,
    });
    await this.pressIn(notification.first(), button);
  }

  /** Again if the notification has moved meanwhile, as it does when others come and go. */
  private async pressIn(notification: Locator, name: string): Promise<void> {
    const button = notification.getByRole('button', { name, exact: true });
    for (const end = Date.now() + patienceMs; ;) {
      const missed = await missedClick(this.page, 'button', name, () => button.click());
      if (!missed) return;
      if (Date.now() > end) throw missed;
    }
  }

  /** Clears every notification. */
  async clear(): Promise<void> {
    await this.runCommand('Notifications: Clear All Notifications');
    await this.page
      .locator('.notifications-toasts .notification-list-item:visible')
      .waitFor({ state: 'detached' });
  }
}
