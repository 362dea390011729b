import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import type { DeviceSignIn } from '../../../api/service/deviceSignIn';
import type { SessionStore } from '../../../core/session/session';
import { askOrganization, askSignIn, organizationsAt } from '../../../editor/asking/askSignIn';
import { entriesWith, type ConfiguredConnections } from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import type { KeptSignIn } from '../../../editor/keptSignIn';
import type { SessionKeys } from '../../../editor/sessionKeys';
import { updateConnections } from '../../../editor/settings';
import type { Connection } from '../../../shared/connection';
import { tellSwitched } from '../../targets/editor';

export interface SignInNeeds {
  session: SessionStore;
  keys: SessionKeys;
  createClient: (connection: Connection, sessionKey: string) => ApiClient;
  listConnections: () => ConfiguredConnections;
  /** Signs in to the service of a connection. */
  signInAt: (connection: Connection) => Promise<DeviceSignIn>;
  /** Continues a sign-in after a reload. */
  keptSignIn: Pick<KeptSignIn, 'keep' | 'forget'>;
}

/** Sign In…: signs in to the service of the current connection in the browser. */
export function signIn(needs: SignInNeeds): Handler {
  return async () => {
    const { current } = needs.session;
    if (!('connection' in current)) return;
    const { name, baseUrl } = current.connection;
    if (!(await signInTo(needs, current.connection))) return;
    const now = needs.session.current;
    if (now.kind === 'ready' && now.connection.baseUrl === baseUrl)
      void vscode.window.showInformationMessage(l10n.t('Connected to {0}.', name));
  };
}

/** Signs in to the service of a connection, and keeps the key. False if the user leaves. */
export async function signInTo(needs: SignInNeeds, { baseUrl }: Connection): Promise<boolean> {
  const find = () => needs.listConnections().connections.find((one) => one.baseUrl === baseUrl);
  const before = find();
  const token = before && (await askSignIn(await needs.signInAt(before), before, needs.keptSignIn));
  if (token === undefined) return false;
  // The key of a connection that was removed in the meantime couldn’t be cleared anymore.
  const listed = find();
  if (!listed) {
    tellSwitched();
    return false;
  }
  const connection = await withOrganization(needs, { ...listed, authentication: 'signIn' }, token);
  await updateConnections((entries) => entriesWith(entries, connection));
  await needs.keys.set(connection.origin, token);
  await needs.session.reload();
  await needs.session.verify();
  return true;
}

/** The connection with the organization that the user selects, if there are several and none was selected before. */
export async function withOrganization(
  { createClient }: Pick<SignInNeeds, 'createClient'>,
  connection: Connection,
  token: string,
): Promise<Connection> {
  const { organization: known, ...others } = connection;
  const organizations = await organizationsAt(createClient(others, token));
  if (!organizations || organizations.some(({ id }) => id === known?.id)) return connection;
  const organization = organizations.length > 1 ? await askOrganization(organizations, others) : undefined;
  return { ...others, ...(organization && { organization }) };
}
