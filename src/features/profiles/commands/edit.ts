import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withoutQuotedInput } from '../../../api/http/errorBody';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { ModelProfile } from '../../../api/service/current/profiles';
import type { ModelProfileChange, ModelProfileOutcome } from '../../../api/service/modelProfiles';
import { Refusal } from '../../../core/basics/refusal';
import { confirmed } from '../../../editor/inputs';
import { sentences } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { goesElsewhere, modelPlace, type ModelPlace, placeName } from '../../../shared/modelProvider';
import { type Change, readQuietly, saving } from '../../managing/editor';
import { askBaseUrl, askKey, askModelName } from './setUp';

/** Why a change isn’t stored. */
const unsaved: Record<Exclude<ModelProfileOutcome, 'kept'>, () => string> = {
  elsewhere: () => l10n.t('Another client has changed it. Nothing was saved. Try again.'),
  unreadable: () =>
    l10n.t(
      'The server can’t read the profile’s key, and would lose it. Nothing was saved. Replace or remove the key first.',
    ),
  ignored: () =>
    l10n.t('The server didn’t keep the change, or another client has changed the profile since.'),
};

/** What can be done with a profile of an agent server only: the rows of its menu. */
export function profileEdits(profile: ModelProfile, server: AgentServerCalls) {
  const name = plainText(profile.name, 64);
  const title = l10n.t('Model Profile {0}', name);
  const change = (wanted: ModelProfileChange) =>
    saving(name, async () => {
      const outcome = await server.changeModelProfile(profile.name, wanted);
      if (outcome !== 'kept') throw new Refusal(unsaved[outcome]());
    });

  // The server takes key and address of others from their provider connection.
  const isOwn = !profile.provider_connection_id;
  const mayMove = async (from: ModelText, to: ModelText) =>
    (isOwn && profile.api_key_set !== true) || (await agreesToMove(name, placeOf(from), placeOf(to)));

  const askOtherModel = async () => {
    const now = await read(server, profile);
    const model = now && (await askModelName({ title, value: now.model }));
    if (!now || model === undefined || model === now.model) return undefined;
    return (await mayMove(now, { ...now, model }))
      ? change({ member: 'model', was: now.model, to: model })
      : undefined;
  };
  const askOtherAddress = async () => {
    const now = await read(server, profile);
    if (!now) return undefined;
    const was = now.baseUrl;
    // An address may have a password in it.
    const value = was !== null && withoutQuotedInput(was) === was ? was : '';
    const address = await askBaseUrl({ title, value });
    if (address === undefined || address === (was ?? '')) return undefined;
    return (await mayMove(now, { ...now, baseUrl: address }))
      ? change({ member: 'base_url', was, to: address === '' ? null : address })
      : undefined;
  };
  const askOtherKey = async () => {
    const key = await askKey({ title });
    return key === undefined ? undefined : change({ member: 'api_key', to: key });
  };
  const askNoKey = async () =>
    (await confirmed(
      l10n.t('Remove the API key of “{0}”?', name),
      l10n.t('You can’t undo this.'),
      l10n.t('Remove'),
    ))
      ? change({ member: 'api_key', to: null })
      : undefined;

  return [
    { label: l10n.t('Check'), ask: () => check(profile, server) },
    { label: l10n.t('Change Model…'), ask: askOtherModel },
    ...(isOwn ? [{ label: l10n.t('Replace Key…'), ask: askOtherKey }] : []),
    ...(isOwn && profile.api_key_set ? [{ label: l10n.t('Remove API Key'), ask: askNoKey }] : []),
    ...(isOwn ? [{ label: l10n.t('Change Address…'), ask: askOtherAddress }] : []),
  ];
}

type ModelText = Readonly<{ model: string; baseUrl: string | null }>;

const placeOf = ({ model, baseUrl }: ModelText) => modelPlace(model, baseUrl);

/** A key that goes elsewhere than before may go to somebody who isn’t meant to have it. */
async function agreesToMove(name: string, from: ModelPlace, to: ModelPlace): Promise<boolean> {
  if (!goesElsewhere(from, to)) return true;
  const place = placeName(to);
  const where = place === '' ? l10n.t('the model provider’s own address') : plainText(place, 200);
  return confirmed(
    l10n.t('Send the API key of “{0}” to {1}?', name, where),
    l10n.t('The profile keeps its key, and uses it there from now on.'),
    l10n.t('Save'),
  );
}

/** What the profile says now; undefined once the failure to read it was shown. */
function read(server: AgentServerCalls, { name, provider_connection_id: linked }: ModelProfile) {
  return readQuietly(l10n.t('Couldn’t read the model profiles.'), async () => {
    const now = await server.readModelProfile(name);
    if (!linked) return now;
    const connection = (await server.listProviders())?.find(({ id }) => id === linked);
    return { ...now, baseUrl: connection?.base_url ?? null };
  });
}

const check = (profile: ModelProfile, server: AgentServerCalls): Change => ({
  progress: l10n.t('Checking…'),
  failed: l10n.t('Couldn’t check the model.'),
  make: async () => {
    const { isSupported, problem } = await server.checkModelProfile(profile.name);
    const name = plainText(profile.name, 64);
    if (!isSupported)
      void vscode.window.showWarningMessage(l10n.t('This release of the server can’t check models.'));
    else if (problem === undefined)
      void vscode.window.showInformationMessage(l10n.t('The model of “{0}” answers.', name));
    else {
      const isLinked = Boolean(profile.provider_connection_id);
      const doubt = isLinked
        ? l10n.t('Servers before 1.58 check it without the key of its provider connection.')
        : '';
      const said = l10n.t('The model of “{0}” doesn’t answer.', name);
      void vscode.window.showWarningMessage(sentences(said, plainText(problem, 500), doubt));
    }
  },
});
