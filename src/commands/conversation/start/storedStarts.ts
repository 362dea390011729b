import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { systemClock } from '../../../api/http/clock';
import { wait } from '../../../api/http/signals';
import { stateIds } from '../../../ids';
import { errorWords } from '../../../platform/errorText';
import { StartFailed } from '../../../state/conversations/startConversation';
import { StartTasks } from '../../../state/conversations/startTasks';

/** The starts of conversations, including those from before the window was reloaded. */
export function storedStarts(memento: vscode.Memento): StartTasks {
  return new StartTasks({
    read: () => memento.get(stateIds.starts),
    write: (value) => void memento.update(stateIds.starts, value),
    newId: randomUUID,
    now: Date.now,
    wait: (ms, signal) => wait(ms, signal, systemClock),
    describe: (error) => (error instanceof StartFailed ? error.message : errorWords(error)),
  });
}
