import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { stateIds } from '../../../ids';
import { describeError } from '../../../platform/errorText';
import { StartFailed } from '../../../state/conversations/startConversation';
import { StartTasks } from '../../../state/conversations/startTasks';

/** The starts of conversations, including those from before the window was reloaded. */
export function storedStarts(memento: vscode.Memento): StartTasks {
  return new StartTasks({
    read: () => memento.get(stateIds.starts),
    write: (value) => void memento.update(stateIds.starts, value),
    newId: randomUUID,
    now: Date.now,
    wait: (ms, signal) => wait(ms, undefined, { signal }),
    describe: (error) => {
      if (error instanceof StartFailed) return error.message;
      const { message, nextStep } = describeError(error);
      return `${message} ${nextStep}`;
    },
  });
}
