import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasStatus } from '../../../api/service/calls';
import type { AgentServerCalls } from '../../../api/service/agentServerStart';
import type { ProviderConnection } from '../../../api/service/providerConnections';
import type { Subscription } from '../../../api/service/subscription';
import { askSignIn } from '../../../editor/asking/askSignIn';
import type { Handler } from '../../../editor/handler';
import { askText, askTexts } from '../../../editor/inputs';
import { showError } from '../../../editor/progress';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { addProvider, providerTaken } from '../../managing';
import {
  addItem,
  askChange,
  askDelete,
  altering,
  type Change,
  type ChangeItem,
  manageOnServer,
  modelAddress,
  type ManageNeeds,
  saving,
} from '../../managing/editor';

interface Current {
  server: AgentServerCalls;
  connections: readonly ProviderConnection[] | undefined;
  subscription: Subscription | undefined;
}

/** Manage Provider Connections…: keys of model providers that several model profiles of an agent server share. */
export function manageProviders(needs: ManageNeeds): Handler {
  return () =>
    manageOnServer(needs, {
      unread: l10n.t('Couldn’t read the provider connections.'),
      read: async (server) => {
        const [connections, subscription] = await Promise.all([
          server.listProviders(),
          server.readSubscription(),
        ]);
        return { server, connections, subscription };
      },
      choose: chooseChange,
    });
}

async function chooseChange({ server, connections, subscription }: Current): Promise<Change | undefined> {
  if (!connections && !subscription) {
    void vscode.window.showInformationMessage(
      l10n.t('This agent server has no provider connections. Release 1.49 and later have them.'),
    );
    return undefined;
  }
  const items = (connections ?? []).map((connection): ChangeItem => ({
    label: shown(connection),
    description: plainText(
      joined(connection.provider, connection.api_key_set === false ? l10n.t('no API key') : ''),
      200,
    ),
    ...(connection.base_url && { detail: plainText(connection.base_url, 200) }),
    ask: () => askAction(connection, server),
  }));
  return askChange({
    title: l10n.t('Provider Connections'),
    placeholder: l10n.t('Select a connection, or add one'),
    items: [
      ...items,
      ...(subscription ? [subscriptionItem(server, subscription)] : []),
      ...(connections
        ? [addItem(l10n.t('Add Provider Connection…'), () => askNew(server, connections))]
        : []),
    ],
  });
}

function subscriptionItem(
  server: AgentServerCalls,
  { connected, account_email: email, expires_at: until }: Subscription,
): ChangeItem {
  const title = l10n.t('ChatGPT subscription');
  const item = connected
    ? { label: l10n.t('Sign Out'), ask: () => altering(title, () => server.signOutOfSubscription()) }
    : { label: l10n.t('Sign In with Your Browser…'), ask: () => signIn(server) };
  const untilWords = (time: number) =>
    l10n.t('Signed in until at least {0}', new Date(time).toLocaleString(vscode.env.language));
  const detail = connected ? until && untilWords(until) : l10n.t('You aren’t signed in.');
  return {
    label: title,
    description: plainText(email ?? '', 200),
    ...(detail ? { detail } : {}),
    ask: () => askChange({ title, items: [item] }),
  };
}

const vendor = 'ChatGPT';

/** The server signs in; what it waits for holds up no other change. */
async function signIn(server: AgentServerCalls): Promise<undefined> {
  try {
    if ((await askSignIn(server.subscriptionSignIn, { name: vendor, baseUrl: '', origin: '' })) !== undefined)
      void vscode.window.showInformationMessage(l10n.t('Connected to {0}.', vendor));
  } catch (error) {
    if (!hasStatus(error, 500)) throw error;
    const what = l10n.t(
      'The agent server couldn’t begin the sign-in. It may have no access to the internet.',
    );
    await showError(what, error, { applied: 'no' });
  }
}

const shown = ({ display_name: name }: ProviderConnection) => plainText(name, 120);

async function askAction(
  connection: ProviderConnection,
  server: AgentServerCalls,
): Promise<Change | undefined> {
  return askChange({
    title: l10n.t('Provider Connection {0}', shown(connection)),
    items: [
      { label: l10n.t('Replace Key…'), ask: () => askReplace(connection, server) },
      {
        label: l10n.t('Delete'),
        ask: () =>
          askDelete(
            shown(connection),
            l10n.t('Its API key is deleted too. While a model profile uses it, the server refuses.'),
            () => server.deleteProvider(connection.id),
          ),
      },
    ],
  });
}

async function askNew(
  server: AgentServerCalls,
  connections: readonly ProviderConnection[],
): Promise<Change | undefined> {
  const entered = await askTexts(title(), {
    name: {
      prompt: l10n.t('Enter a name for this connection'),
      placeholder: l10n.t('For example, work'),
      validate: (text) => needed(text, 128) ?? providerTaken(text.trim(), connections),
    },
    provider: {
      prompt: l10n.t('Provider, as written in model names'),
      placeholder: l10n.t('For example, anthropic'),
      validate: (text) => needed(text, 128),
    },
    key: providerKey(),
    baseUrl: modelAddress(),
  });
  if (!entered) return undefined;
  const tries = { mayHaveStored: false };
  const key = entered.key.trim();
  return saving(entered.name, () => addProvider(server, { ...entered, key }, tries));
}

const title = () => l10n.t('Provider Connection');

const needed = (text: string, most: number) =>
  text.trim() === '' || text.trim().length > most ? l10n.t('Enter 1 to {0} characters.', most) : undefined;

const providerKey = () => ({
  password: true,
  prompt: l10n.t('API key of the provider. It’s sent to the server, which never shows it again.'),
  validate: (text: string) => (/^[\s*]*$/.test(text) ? l10n.t('Enter a value.') : undefined),
});

async function askReplace(
  connection: ProviderConnection,
  server: AgentServerCalls,
): Promise<Change | undefined> {
  const key = await askText({ title: title(), ...providerKey() });
  return typeof key === 'string'
    ? saving(shown(connection), () => server.replaceProviderKey(connection.id, key.trim()))
    : undefined;
}
