import * as l10n from '@vscode/l10n';
import type { CustomSecret, CustomSecretCalls } from '../../../api/service/current/customSecrets';
import type { Handler } from '../../../editor/handler';
import { askText, askTexts } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import { secretName } from '../../../shared/serviceNames';
import { addSecret, nameTaken } from '../../managing';
import {
  addItem,
  askChange,
  askDelete,
  type Change,
  type ChangeItem,
  manage,
  type ManageNeeds,
  saving,
  tellOwn,
} from '../../managing/editor';
import { replaceSecret } from '../model/replaceSecret';

type OwnChange = Change<CustomSecretCalls>;

type Item = ChangeItem<CustomSecretCalls>;

/** Manage Custom Secrets…: the environment variables that the service gives to agents. Their values never show. */
export function manageSecrets(needs: ManageNeeds): Handler {
  return () =>
    manage(needs, {
      lacking: l10n.t('Custom secrets can’t be managed here. They need release 1.7 or later of the service.'),
      unread: l10n.t('Couldn’t read the custom secrets.'),
      group: (client) => client.secrets,
      read: (secrets) => secrets.listSecrets(),
      choose: chooseChange,
    });
}

async function chooseChange(secrets: CustomSecret[]): Promise<OwnChange | undefined> {
  const items = secrets.map((secret): Item => ({
    label: shown(secret),
    description: plainText(
      secret.isOwn ? l10n.t('used by Agent Canvas itself') : (secret.description ?? ''),
      200,
    ),
    ask: () => (secret.isOwn ? tellOwn(shown(secret)) : askAction(secret)),
  }));
  return askChange({
    title: l10n.t('Custom Secrets'),
    placeholder: l10n.t('Select a secret, or add one for agents to use'),
    items: [...items, addItem(l10n.t('Add Custom Secret…'), () => askNew(secrets))],
  });
}

const shown = ({ name }: CustomSecret) => plainText(name, 120);

async function askAction(secret: CustomSecret): Promise<OwnChange | undefined> {
  return askChange({
    title: l10n.t('Custom Secret {0}', shown(secret)),
    items: [
      { label: l10n.t('Replace Value…'), ask: () => askValue(secret) },
      ...(secret.needsValue
        ? []
        : [{ label: l10n.t('Change Description…'), ask: () => askDescription(secret) }]),
      {
        label: l10n.t('Delete'),
        ask: () =>
          askDelete(
            shown(secret),
            l10n.t('New conversations won’t get it anymore. You can’t undo this.'),
            (secrets) => secrets.deleteSecret(secret.name),
          ),
      },
    ],
  });
}

/** Asks for name, description, and value of a new secret. */
async function askNew(secrets: readonly CustomSecret[]): Promise<OwnChange | undefined> {
  const secret = await askTexts(l10n.t('Custom Secret'), {
    name: {
      prompt: l10n.t('Name for the secret. Agents get it as an environment variable'),
      placeholder: l10n.t('For example, NPM_TOKEN'),
      validate: (text) => {
        if (!secretName.test(text))
          return l10n.t('Use letters, digits, and underscores, and don’t start with a digit.');
        return nameTaken(text, secrets);
      },
    },
    description: secretDescription(),
    value: secretValue(),
  });
  const tries = { mayHaveStored: false };
  return secret && saving(secret.name, (calls) => addSecret(calls, secret, tries));
}

/** The question for a value, in the editor’s own password box; it goes nowhere but to the service. */
const secretValue = () => ({
  password: true,
  lines: true,
  prompt: l10n.t('Value of the secret. It’s sent to the service, which never shows it again.'),
  validate: (text: string) => (text === '' ? l10n.t('Enter a value.') : undefined),
});

async function askValue(secret: CustomSecret): Promise<OwnChange | undefined> {
  const value = await askText({ title: l10n.t('Custom Secret {0}', shown(secret)), ...secretValue() });
  if (typeof value !== 'string') return undefined;
  const gone = l10n.t(
    'The old value of “{0}” was deleted, but the new one may not be stored. “Try Again” sends what you typed.',
    shown(secret),
  );
  let isDeleted = false;
  const make: OwnChange['make'] = (secrets) =>
    // Where both are replaced together, the description that is there now is kept.
    replaceSecret(
      secrets,
      { ...(secret.needsValue ? { name: secret.name } : secret), value },
      () => (isDeleted = true),
    );
  return { ...saving(shown(secret), make), partly: () => (isDeleted ? gone : undefined) };
}

async function askDescription(secret: CustomSecret): Promise<OwnChange | undefined> {
  const value = secret.description ?? '';
  const answer = await askText({ title: l10n.t('Custom Secret'), ...secretDescription(), value });
  return typeof answer === 'string'
    ? saving(shown(secret), (secrets) => secrets.describeSecret(secret.name, answer.trim()))
    : undefined;
}

const secretDescription = () => ({
  prompt: l10n.t('Description for agents and people (optional). Don’t put secrets in it.'),
  placeholder: l10n.t('For example, Token for the npm registry'),
});
