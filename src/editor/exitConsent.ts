import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { settingIds, stateIds } from '../ids';
import { confirmed } from './inputs';
import { isOn, turn } from './settings';
import { onDidChangeSettings } from './watching';

/** Whether to pause sandboxes when the window closes: the setting, and the user's confirmation. */
export class ExitConsent implements vscode.Disposable {
  private readonly subscriptions = [
    onDidChangeSettings('pauseOnExit', () => void this.follow()),
    vscode.window.onDidChangeWindowState(() => void this.follow()),
  ];
  private asking = false;

  constructor(private readonly memento: vscode.Memento) {
    void this.follow();
  }

  get agreed(): boolean {
    return isOn(settingIds.pauseOnExit) && this.memento.get(stateIds.pauseOnExitAgreed) === true;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Asks once after the setting was turned on, in the focused window. */
  private async follow(): Promise<void> {
    if (!isOn(settingIds.pauseOnExit)) {
      if (this.memento.get(stateIds.pauseOnExitAgreed) !== undefined) {
        await this.memento.update(stateIds.pauseOnExitAgreed, undefined);
      }
      return;
    }
    if (this.agreed || this.asking || !vscode.window.state.focused) return;
    this.asking = true;
    // If the settings can't be written, the question comes again.
    await this.ask().catch(() => undefined);
    this.asking = false;
  }

  private async ask(): Promise<void> {
    const agreed = await confirmed(
      l10n.t('Pause sandboxes when a window closes?'),
      l10n.t(
        'When you close or reload a window, the sandboxes that it started, resumed, or used for a new conversation are paused if they’re on its current connection. Their agents stop until you resume them. Other sandboxes aren’t affected.\n\nThe editor allows 5 seconds for this and doesn’t report the result.',
      ),
      l10n.t('Pause on Exit'),
    );
    if (agreed) await this.memento.update(stateIds.pauseOnExitAgreed, true);
    else await turn(settingIds.pauseOnExit, false);
  }
}
