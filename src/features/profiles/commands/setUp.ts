import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import { type ApiClient, needed } from '../../../api/service/client';
import type { NewModel } from '../../../api/service/current/profiles';
import { clientOf } from '../../../core/session/session';
import { inTurn } from '../../../core/settings/queue';
import type { Handler } from '../../../editor/handler';
import { askText, askTexts, confirmed, needsText, type TextStep } from '../../../editor/inputs';
import { showError, unlessCanceled, withQuietProgress } from '../../../editor/progress';
import { plainText } from '../../../shared/plainText';
import { type ManageNeeds, modelAddress } from '../../managing/editor';
import { serverOf } from '../../targets/editor';

/**
 * Set Up Model…: the model that the active agent of an agent server names, with its key, checked by the server. An
 * argument says what needs it.
 */
export function setUpModel(needs: ManageNeeds): Handler {
  return async (reason) => {
    const server = serverOf(needs);
    const client = clientOf(needs.session.current);
    if (!server || !client) return;
    const title = typeof reason === 'string' ? reason : l10n.t('Set Up Model');
    try {
      const name = await nameOf(server);
      const model =
        name === undefined ? undefined : await askSetUpModel(title, (entered) => isAgreed(server, entered));
      if (name === undefined || !model) return;
      await withQuietProgress(l10n.t('Saving…'), () =>
        inTurn(client.origin, needs.lock, () => save(client, server, name, model)),
      );
      await needs.refreshSettingsForm();
      void vscode.window.showInformationMessage(
        l10n.t('New conversations use {0}.', plainText(model.model, 120)),
      );
    } catch (error) {
      await showError(l10n.t('Couldn’t set up the model.'), error);
    }
  };
}

/** The profile that the active agent names; undefined if the user keeps the one that is there. */
async function nameOf(server: AgentServerCalls): Promise<string | undefined> {
  const [agents, models] = await withQuietProgress(l10n.t('Reading…'), async () => {
    const { profiles, active_agent_profile_id: id } = await server.listAgentProfiles();
    return [profiles.find((one) => one.id === id), (await server.listModelProfiles()).profiles] as const;
  });
  const name = agents?.llm_profile_ref ?? 'default';
  if (!models.some((one) => one.name === name)) return name;
  const replaces = await confirmed(
    l10n.t('Replace the model profile “{0}”?', plainText(name, 64)),
    l10n.t('The active agent uses it. It will have the model and key that you enter instead of its own.'),
    l10n.t('Replace'),
  );
  return replaces ? name : undefined;
}

/** Asks for a model, its key, and its address, which can be corrected while they aren’t fine. */
export async function askSetUpModel(
  title: string,
  isFine: (model: NewModel) => Promise<boolean> = () => Promise.resolve(true),
): Promise<NewModel | undefined> {
  const prompt = l10n.t('API key for the model. Leave it empty if the model needs none.');
  const trimmed = (model: NewModel): NewModel => ({ ...model, key: model.key.trim() });
  const parts = { model: modelName(), key: { prompt, password: true }, baseUrl: modelAddress() };
  const model = await askTexts(title, parts, (entered) => isFine(trimmed(entered)));
  return model && trimmed(model);
}

type Place = Pick<TextStep, 'title' | 'value'>;

const ask = async (step: TextStep) => {
  const answer = await askText(step);
  return typeof answer === 'string' ? answer.trim() : undefined;
};

const modelName = () => ({
  prompt: l10n.t('Model, as provider/model'),
  placeholder: l10n.t('For example, anthropic/claude-sonnet-4-5'),
  validate: needsText,
});

/** Asks for the name of a model. */
export const askModelName = (place: Place) => ask({ ...modelName(), ...place });

/** Asks for a key, which has to be one. */
export const askKey = (place: Place) =>
  ask({ prompt: l10n.t('API key for the model'), password: true, validate: needsText, ...place });

/** Asks for the address of a model’s API. */
export const askBaseUrl = (place: Place) => ask({ ...modelAddress(), ...place });

/** Whether the model answers the server, or the user wants it anyway. */
async function isAgreed(server: AgentServerCalls, model: NewModel): Promise<boolean> {
  const check = await unlessCanceled(l10n.t('Checking…'), (_report, signal) =>
    server.checkModel(model, signal),
  );
  if (check?.problem === undefined) return check !== undefined;
  return confirmed(
    l10n.t('The model doesn’t answer. Save it anyway?'),
    plainText(check.problem, 500),
    l10n.t('Save'),
  );
}

/** As a profile, and as what the settings have. */
async function save(
  client: ApiClient,
  server: AgentServerCalls,
  name: string,
  model: NewModel,
): Promise<void> {
  await server.saveModel(name, model);
  await needed(client.profiles).activateProfile(name);
}
