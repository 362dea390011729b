import * as vscode from 'vscode';
import type { ApiClient } from '../api/service/client';
import { showError, withQuietProgress } from '../platform/progress';
import { clientOf } from '../state/session/session';
import { inTurn } from '../state/settings/queue';
import { chooseHere } from './conversation/chooseHere';
import type { CommandDependencies } from './dependencies';

/** What commands need that change something which services keep beside the settings. */
export type ManageNeeds = Pick<CommandDependencies, 'session' | 'lock'>;

/** A change that the user wants, in words. */
export interface Change {
  progress: string;
  failed: string;
  make: (client: ApiClient) => Promise<void>;
}

interface Managed<T> {
  /** What to say where the service has nothing of the kind. */
  lacking: string;
  reading: string;
  unread: string;
  read: (client: ApiClient) => Promise<T>;
  /** Asks what to change; undefined if the user leaves. */
  choose: (present: T) => Promise<Change | undefined>;
}

/**
 * Shows what a service of the current generation has, makes the change that the user chooses, and shows it again until
 * they leave. A change waits for saves of the settings, also those of other windows: the service would lose one of two.
 */
export async function manage<T>({ session, lock }: ManageNeeds, managed: Managed<T>): Promise<void> {
  if (clientOf(session.current)?.generation?.() !== 'current') {
    void vscode.window.showInformationMessage(managed.lacking);
    return;
  }
  for (;;) {
    const answer = await chooseHere(session, async (client) => {
      const present = await attempt(managed.unread, managed.reading, () => managed.read(client));
      return present && (await managed.choose(present.value));
    });
    if (!answer) return;
    const { client, chosen } = answer;
    const done = await attempt(chosen.failed, chosen.progress, () =>
      inTurn(client.origin, lock, () => chosen.make(client)),
    );
    if (!done) return;
  }
}

/** The value that the work has; undefined once its failure was shown. */
async function attempt<T>(
  failed: string,
  title: string,
  work: () => Promise<T>,
): Promise<{ value: T } | undefined> {
  try {
    return { value: await withQuietProgress(title, work) };
  } catch (error) {
    await showError(failed, error);
    return undefined;
  }
}
