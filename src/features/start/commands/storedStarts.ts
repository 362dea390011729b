import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from '../../../api/http/clock';
import { wait } from '../../../api/http/signals';
import { stateIds } from '../../../ids';
import { errorWords } from '../../../editor/errorText';
import { plainText } from '../../../shared/plainText';
import type { Attempts } from '../model/attempts';
import { StartFailed } from '../model/startConversation';
import { StartTasks } from '../model/startTasks';

/** The starts of conversations, including those from before the window was reloaded. */
export function storedStarts(memento: vscode.Memento, attempts: Pick<Attempts, 'keep'>): StartTasks {
  return new StartTasks({
    read: () => memento.get(stateIds.starts),
    write: (value) => void memento.update(stateIds.starts, value),
    newId: randomUUID,
    now: Date.now,
    wait: (ms, signal) => wait(ms, signal, systemClock),
    attempted: (service, id, attempt) => attempts.keep(service, id, attempt),
    titleRefused: (title) =>
      void vscode.window.showWarningMessage(
        l10n.t(
          'The conversation has started, but this service doesn’t accept the title “{0}”.',
          plainText(title, 80),
        ),
      ),
    describe: (error) => (error instanceof StartFailed ? error.message : errorWords(error)),
  });
}
