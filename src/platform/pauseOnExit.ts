import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { configurationSection, settingIds, stateIds } from '../ids';
import { confirmed } from './inputs';
import { isOn, turn } from './settings';

/** Whether sandboxes are to be paused when the window ends: the setting, and the user's word that they know what it does. */
export class PauseOnExit implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private asking = false;

  constructor(private readonly memento: vscode.Memento) {
    this.subscriptions = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${configurationSection}.${settingIds.pauseOnExit}`))
          void this.follow();
      }),
      vscode.window.onDidChangeWindowState(() => void this.follow()),
    ];
    void this.follow();
  }

  get agreed(): boolean {
    return isOn(settingIds.pauseOnExit) && this.memento.get(stateIds.pauseOnExitAgreed) === true;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Asks once after the setting was switched on, in the window that the user is in. */
  private async follow(): Promise<void> {
    if (!isOn(settingIds.pauseOnExit)) {
      if (this.memento.get(stateIds.pauseOnExitAgreed) !== undefined) {
        await this.memento.update(stateIds.pauseOnExitAgreed, undefined);
      }
      return;
    }
    if (this.agreed || this.asking || !vscode.window.state.focused) return;
    this.asking = true;
    const agreed = await confirmed(
      l10n.t('Pause sandboxes when a window ends?'),
      l10n.t(
        'When a window is closed or reloaded, the sandboxes that it started, resumed or began a conversation in are paused, at the connection that it uses then. Agents at work in them stop until they are resumed. Other sandboxes are left alone.\n\nThe editor gives this five seconds, and nobody is told how it went.',
      ),
      l10n.t('Pause on Exit'),
    );
    if (agreed) await this.memento.update(stateIds.pauseOnExitAgreed, true);
    else await turn(settingIds.pauseOnExit, false);
    this.asking = false;
  }
}
