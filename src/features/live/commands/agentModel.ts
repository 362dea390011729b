import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { ModelProfile } from '../../../api/service/current/profiles';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import { showError, withQuietProgress } from '../../../editor/progress';
import { commandIds } from '../../../ids';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { serverOf } from '../../targets/editor';
import type { ConversationModel } from '../model/model';
import { chooseLive, type LiveNeeds } from './choose';
import { tell } from './steer';
import { workOn } from './work';

/** Change Model…: a conversation on an agent server continues with the model of another profile. */
export function changeModel(needs: LiveNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Change Model');
    const server = serverOf(needs);
    const live = server && (await chooseLive(needs, argument, { title }));
    if (!live) return;
    const { model } = live;
    // The profiles are those of the window's server.
    if (live.service !== needs.conversations.service) {
      void vscode.window.showWarningMessage(
        l10n.t('This conversation is on another connection. Switch this window to it, and try again.'),
      );
      return;
    }
    if (model.head.policy === 'itself') {
      await changeForeignModel(model, server);
      return;
    }
    const profiles = await readProfiles(server);
    if (!profiles) return;
    const picked = await askPick({
      title,
      placeholder: l10n.t('Select the model to continue this conversation with'),
      items: profiles.map((profile) => ({
        name: profile.name,
        label: plainText(profile.name, 64),
        description: plainText(profile.model ?? '', 120),
        ...(profile.api_key_set === false && { detail: l10n.t('No key is set for this model.') }),
      })),
    });
    if (typeof picked !== 'object') return;
    tell(await workOn(model, l10n.t('Changing the model…'), () => model.switchModel(picked.name)));
  };
}

/** The same for an ACP agent, which has its own models. */
async function changeForeignModel(model: ConversationModel, server: AgentServerCalls): Promise<void> {
  const picked = await askPick<vscode.QuickPickItem & { id: string }>({
    title: l10n.t('Change Model'),
    placeholder: l10n.t('Select a model or enter its name'),
    items: [],
    fromText: (text) => ({ label: text, id: text }),
    update: async (show, signal) => {
      const known = await server.listModelsOf(model.id, signal).catch(() => undefined);
      show(
        (known?.models ?? []).map(({ id, name }) => ({
          id,
          label: plainText(name || id, 80),
          description: joined(
            name !== '' && name !== id && plainText(id, 120),
            id === known?.current && l10n.t('in use'),
          ),
        })),
      );
    },
  });
  if (typeof picked !== 'object') return;
  tell(await workOn(model, l10n.t('Changing the model…'), () => model.switchModel(picked.id)));
}

/** Summarize Now: replaces the earlier context by a summary for the model. */
export function summarizeNow(needs: LiveNeeds): Handler {
  return async (argument) => {
    const live = serverOf(needs) && (await chooseLive(needs, argument, { title: l10n.t('Summarize') }));
    if (!live) return;
    const { model } = live;
    tell(await workOn(model, l10n.t('Summarizing the conversation…'), () => model.summarize()));
  };
}

/** Undefined once the user was told why there are none. */
async function readProfiles(server: AgentServerCalls): Promise<readonly ModelProfile[] | undefined> {
  try {
    const { profiles } = await withQuietProgress(l10n.t('Reading…'), () => server.listModelProfiles());
    if (profiles.length > 0) return profiles;
  } catch (error) {
    await showError(l10n.t('Couldn’t read the model profiles.'), error);
    return undefined;
  }
  const setUp = l10n.t('Set Up Model…');
  const words = l10n.t('The server has no model profiles yet. Set up a model first.');
  const picked = await vscode.window.showInformationMessage(words, setUp);
  if (picked === setUp) await vscode.commands.executeCommand(commandIds.modelSetUp);
  return undefined;
}
