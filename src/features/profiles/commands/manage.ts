import * as l10n from '@vscode/l10n';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { ApiClient } from '../../../api/service/client';
import {
  mostProfiles,
  type ModelProfile,
  type ModelProfiles,
  type ProfileCalls,
} from '../../../api/service/current/profiles';
import type { Handler } from '../../../editor/handler';
import { confirmed } from '../../../editor/inputs';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { profileName } from '../../../shared/serviceNames';
import { addProfile, nameTaken } from '../../managing';
import {
  addItem,
  askChange,
  askDelete,
  askName,
  type Change,
  type ChangeItem,
  manage,
  type ManageNeeds,
  type NameQuestion,
  saving,
  tellOwn,
} from '../../managing/editor';
import { profileLosses, useProfile } from '../../secrets';
import { profileEdits } from './edit';
import { askSetUpModel } from './setUp';

type OwnChange = Change<ProfileCalls>;

type Item = ChangeItem<ProfileCalls>;

type Current = ModelProfiles & { metaProfile: string | null | undefined };

/** Manage Model Profiles…: saves the service’s model under a name, switches between such profiles, and changes them. */
export function manageProfiles(needs: ManageNeeds): Handler {
  return () =>
    manage(needs, {
      lacking: l10n.t('This service has no model profiles. Release 1.7 and later have them.'),
      unread: l10n.t('Couldn’t read the model profiles.'),
      group: (client) => client.profiles,
      read: async (profiles, { agents }) => ({
        ...(await profiles.listProfiles()),
        metaProfile: await agents?.activeMetaProfile().catch(() => undefined),
      }),
      choose: chooseChange,
    });
}

async function chooseChange(current: Current, { agents }: ApiClient): Promise<OwnChange | undefined> {
  const { profiles, active_profile: active } = current;
  const meta = plainText(current.metaProfile ?? '', 64);
  const items = profiles.map((profile): Item => ({
    label: shown(profile),
    description: plainText(joined(profile.model, keyWords(profile)), 200),
    ...(profile.base_url && { detail: plainText(profile.base_url, 200) }),
    ask: () => askAction(profile, current, agents),
  }));
  return askChange({
    title: l10n.t('Model Profiles'),
    placeholder: l10n.t('Select a profile, or add one'),
    items: [
      ...items,
      ...(meta === ''
        ? []
        : [
            {
              label: l10n.t('Meta profile {0} chooses models for tasks', meta),
              ask: () => tellOwn(meta),
            },
          ]),
      {
        ...addItem(l10n.t('New Profile…'), () => askNew(current)),
        description: l10n.t('keeps the current model in use'),
      },
      addItem(l10n.t('Save Current Model as Profile…'), () => askSave(current)),
    ],
    isCurrent: ({ label }) => active !== null && active !== undefined && label === plainText(active, 64),
  });
}

const shown = ({ name }: ModelProfile) => plainText(name, 64);

const keyWords = ({ api_key_set }: ModelProfile) => (api_key_set === false ? l10n.t('no API key') : '');

/** Asks what to do with a profile. */
async function askAction(
  profile: ModelProfile,
  current: ModelProfiles,
  server: AgentServerCalls | undefined,
): Promise<OwnChange | undefined> {
  const name = shown(profile);
  return askChange({
    title: l10n.t('Model Profile {0}', name),
    items: [
      { label: l10n.t('Use for New Conversations'), ask: () => askUse(profile, current) },
      ...(server ? profileEdits(profile, server) : []),
      { label: l10n.t('Replace with Current Model'), ask: () => askReplace(profile) },
      { label: l10n.t('Rename…'), ask: () => askRename(profile, current) },
      {
        label: l10n.t('Delete'),
        ask: () =>
          askDelete(
            name,
            l10n.t('Its API key is deleted too. The service keeps using the current model.'),
            (profiles) => profiles.deleteProfile(profile.name),
          ),
      },
    ],
  });
}

/** Asks first if what's in use would be lost, or if the profile has no key. */
async function askUse(profile: ModelProfile, current: ModelProfiles): Promise<OwnChange | undefined> {
  const name = shown(profile);
  const losses = profileLosses(current, profile.name);
  const words = [
    losses.model
      ? l10n.t(
          'The current model, base URL, and API key may not be saved in a profile. They will be replaced.',
        )
      : '',
    losses.key ? l10n.t('This profile has no API key, so the service won’t have one.') : '',
  ].filter(Boolean);
  const question = l10n.t('Use the model profile “{0}”?', name);
  if (words.length > 0 && !(await confirmed(question, words.join('\n\n'), l10n.t('Use')))) return undefined;
  return {
    progress: l10n.t('Switching to {0}…', name),
    failed: l10n.t('Couldn’t switch to “{0}”.', name),
    make: (profiles) => useProfile(profiles, profile.name, losses),
  };
}

async function askSave(current: ModelProfiles): Promise<OwnChange | undefined> {
  const prompt = l10n.t('Name of the profile. It gets the service’s current model, base URL, and API key');
  const name = await askNewName(current, prompt);
  const tries = { mayHaveStored: false };
  return name === undefined ? undefined : saving(name, (profiles) => addProfile(profiles, name, tries));
}

/** A profile with another model than the current one, which stays in use. */
async function askNew(current: ModelProfiles): Promise<OwnChange | undefined> {
  const name = await askNewName(current, l10n.t('Name of the profile'));
  const model = name === undefined ? undefined : await askSetUpModel(l10n.t('Model Profile {0}', name));
  const tries = { mayHaveStored: false };
  return name !== undefined && model
    ? saving(name, (profiles) => addProfile(profiles, name, tries, model))
    : undefined;
}

const askNewName = ({ profiles, isUnlimited }: ModelProfiles, prompt: string) =>
  askProfileName({
    prompt,
    refused: (text) =>
      nameTaken(text, profiles) ??
      (profiles.length >= mostProfiles && !isUnlimited
        ? l10n.t('The service keeps {0} profiles at most. Delete one first.', mostProfiles)
        : undefined),
  });

async function askReplace(profile: ModelProfile): Promise<OwnChange | undefined> {
  const agreed = await confirmed(
    l10n.t('Replace the model profile “{0}”?', shown(profile)),
    l10n.t('It will have the service’s current model, base URL, and API key instead of its own.'),
    l10n.t('Replace'),
  );
  return agreed ? saving(shown(profile), (profiles) => profiles.saveProfile(profile.name)) : undefined;
}

async function askRename(profile: ModelProfile, { profiles }: ModelProfiles): Promise<OwnChange | undefined> {
  const others = profiles.filter(({ name }) => name !== profile.name);
  const name = await askProfileName({
    prompt: l10n.t('Name of the profile'),
    value: profile.name,
    refused: (text) => nameTaken(text, others),
  });
  if (name === undefined || name === profile.name) return undefined;
  return saving(name, (calls) => calls.renameProfile(profile.name, name));
}

/** Asks for the name of a profile. */
const askProfileName = (question: Omit<NameQuestion, 'title' | 'form' | 'rule'>) =>
  askName({
    title: l10n.t('Model Profile'),
    form: profileName,
    rule: l10n.t('Use 1 to 64 letters, digits, dots, hyphens, and underscores.'),
    ...question,
  });
