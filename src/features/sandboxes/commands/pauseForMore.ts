import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { sandboxPhase } from '../../../core/lists/status';
import { unlessCanceled } from '../../../editor/progress';
import { commandIds } from '../../../ids';
import { runningNow } from '../model/serviceLimit';

/** The button’s label. */
export const pauseForMoreTitle = () => l10n.t('Pause a Sandbox and Try Again…');

/**
 * Lets the user pause a sandbox when the service is at its limit. True once it’s paused, so that there is
 * room; false if none was paused.
 */
export async function pauseForMore(model: ServiceModel): Promise<boolean> {
  const running = () =>
    runningNow(model)
      .sandboxes.filter((one) => sandboxPhase(one) === 'running')
      .map(({ id }) => id);
  await model.refresh('sandboxes');
  const before = running();
  await vscode.commands.executeCommand(commandIds.sandboxPause);
  const pausing = before.filter((id) => !running().includes(id));
  if (pausing.length === 0) return false;
  const paused = await unlessCanceled(l10n.t('Waiting until the sandbox is paused…'), (_report, signal) =>
    untilPaused(model, pausing, signal).then(() => true),
  );
  return paused === true;
}

/** Resolves once the service shows that one of these has stopped. Rejects when the signal is aborted. */
function untilPaused(model: ServiceModel, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const isPaused = () =>
    ids.some((id) => {
      const sandbox = model.sandboxes.get(id);
      return !sandbox || sandboxPhase(sandbox) !== 'running';
    });
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      listening.dispose();
      signal.removeEventListener('abort', stop);
      settle();
    };
    const look = () => isPaused() && end(resolve);
    const stop = () => end(() => reject(signal.reason as Error));
    const listening = model.onDidChange(look);
    signal.addEventListener('abort', stop);
    look();
  });
}
