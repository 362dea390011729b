import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import { type ApiClient, needed } from '../../../api/service/client';
import { checkConnection } from '../../../api/service/connectionCheck';
import { Refusal } from '../../../core/basics/refusal';
import { type Chosen, latestOf } from '../../../core/session/chooseAt';
import { clientOf, type SessionStore } from '../../../core/session/session';
import { inTurn } from '../../../core/settings/queue';
import type { SettingsLock } from '../../../core/settings/safeguards';
import { showError, withQuietProgress } from '../../../editor/progress';
import { sentences } from '../../../shared/joined';
import { chooseHere, serverOf } from '../../targets/editor';
import { MaybeAdded } from '../model/adding';

/** What commands need to change what services keep besides the settings. */
export interface ManageNeeds {
  session: SessionStore;
  lock: SettingsLock;
  refreshSettingsForm: () => Promise<void>;
}

/**
 * A change that the user wants, in words.
 * @typeParam G the calls that make it
 */
export interface Change<G = unknown> {
  progress: string;
  /** What to say when it failed. */
  failed: string;
  /** What to say instead when it was made in part; undefined while it wasn’t. */
  partly?: () => string | undefined;
  make: (group: G) => Promise<void>;
}

interface Listed<T, G> {
  /** The calls for what is managed; undefined where the service has none. */
  group: (client: ApiClient) => G | undefined;
  unread: string;
  read: (group: G, client: ApiClient) => Promise<T>;
  /** Asks what to change; undefined if the user leaves. */
  choose: (current: T, client: ApiClient) => Promise<Change<G> | undefined>;
}

interface Managed<T, G> extends Listed<T, G> {
  /** What to say where the service has nothing of the kind. */
  lacking: string;
}

/**
 * Shows what a service keeps besides its settings, makes the change that the user chooses, and shows it again until
 * they leave. A change waits for saves of the settings, even in other windows: of two at once, the service would lose
 * one.
 */
export async function manage<T, G>(needs: ManageNeeds, managed: Managed<T, G>): Promise<void> {
  const here = clientOf(needs.session.current);
  if (here && (await hasMore(here, managed))) await manageLoop(needs, managed);
}

/** The same for what only agent servers keep. Says so where there is none. */
export async function manageOnServer<T>(
  needs: ManageNeeds,
  listed: Omit<Listed<T, AgentServerCalls>, 'group'>,
): Promise<void> {
  if (serverOf(needs)) await manageLoop(needs, { ...listed, group: ({ agents }) => agents });
}

async function manageLoop<T, G>(needs: ManageNeeds, managed: Listed<T, G>): Promise<void> {
  const { session } = needs;
  for (;;) {
    const answer = await chooseHere(session, async (client) => {
      const now = await readQuietly(managed.unread, async () => ({
        value: await managed.read(needed(managed.group(client), 'notFound'), client),
      }));
      return now && (await managed.choose(now.value, client));
    });
    if (!answer) return;
    const goesOn = await carryOut(answer, managed, needs);
    // Even after a failure: the change may have gone through, and the form shows the model of the profile in use.
    await needs.refreshSettingsForm();
    if (!goesOn) return;
  }
}

/** Whether the service keeps such things. Asks the service before saying no: it may have been updated. */
async function hasMore<T, G>(client: ApiClient, { group, lacking, unread }: Managed<T, G>): Promise<boolean> {
  if (group(client)) return true;
  const check = await withQuietProgress(l10n.t('Reading…'), () => checkConnection(client));
  if (group(client)) return true;
  if ('error' in check) await showError(unread, check.error);
  else void vscode.window.showInformationMessage(lacking);
  return false;
}

/** Makes a change, and retries if the user wants to, so that what they typed isn't lost. False if they gave up. */
async function carryOut<T, G>(
  { client: first, chosen }: Chosen<Change<G>>,
  { group }: Listed<T, G>,
  needs: ManageNeeds,
): Promise<boolean> {
  const { session, lock } = needs;
  for (;;) {
    const client = latestOf(session, first);
    try {
      await withQuietProgress(chosen.progress, () =>
        inTurn(client.origin, lock, async () => chosen.make(needed(group(client), 'notFound'))),
      );
      return true;
    } catch (error) {
      if (error instanceof Refusal) {
        const what = error instanceof MaybeAdded ? '' : chosen.failed;
        void vscode.window.showWarningMessage(sentences(what, error.message));
        return true;
      }
      const tell = () => {
        const partly = chosen.partly?.();
        return showError(partly ?? chosen.failed, error, {
          action: { title: l10n.t('Try Again') },
          applied: partly === undefined ? undefined : 'partly',
        });
      };
      let picked = await tell();
      while (picked === 'help') picked = await tell();
      if (picked === undefined) return false;
    }
  }
}

/** Reads something that is there soon; undefined once the failure to read it was shown. */
export async function readQuietly<T>(unread: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withQuietProgress(l10n.t('Reading…'), read);
  } catch (error) {
    await showError(unread, error);
    return undefined;
  }
}
