import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { nameList } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { signInTo, type SignInNeeds } from './signIn';

type Session = vscode.AuthenticationSession;
type Changes = vscode.AuthenticationProviderAuthenticationSessionsChangeEvent;

/**
 * The accounts that the editor shows: one for each origin with a key from signing in. The editor asks the user
 * before another extension gets one.
 */
export class Accounts {
  private known = new Map<string, Session>();

  constructor(
    private readonly needs: SignInNeeds,
    private readonly tell: (changes: Changes) => void,
  ) {}

  /** Those for all of the base URLs `scopes`; all without any. */
  async getSessions(scopes: readonly string[] = []): Promise<Session[]> {
    const sessions = [...(await this.read()).values()];
    return sessions.filter((session) => scopes.every((scope) => session.scopes.includes(scope)));
  }

  /** Signs in at the base URL in `scopes`, by default that of the current connection. */
  async createSession([baseUrl]: readonly string[]): Promise<Session> {
    const { listConnections, session } = this.needs;
    const { current } = session;
    const address = baseUrl ?? ('connection' in current ? current.connection.baseUrl : undefined);
    const connection = listConnections().connections.find((one) => one.baseUrl === address);
    if (!connection) throw new Error(l10n.t('Run Connect… first: there’s no connection to sign in to.'));
    const isSignedIn = await signInTo(this.needs, connection);
    const made = isSignedIn ? (await this.read()).get(connection.origin) : undefined;
    if (!made) throw new Error(l10n.t('You didn’t sign in.'));
    return made;
  }

  /** Ends the use of the key of an origin in all windows. */
  async removeSession(origin: string): Promise<void> {
    await this.needs.keys.clear(origin);
    await this.needs.session.reload();
  }

  /** Tells the editor what has changed since the last time. */
  async refresh(): Promise<void> {
    const before = this.known;
    const now = await this.read();
    this.known = now;
    const changes = {
      added: [...now.values()].filter(({ id }) => !before.has(id)),
      removed: [...before.values()].filter(({ id }) => !now.has(id)),
      changed: [...now.values()].filter((one) => {
        const { accessToken, account } = before.get(one.id) ?? one;
        return accessToken !== one.accessToken || account.label !== one.account.label;
      }),
    };
    if (Object.values(changes).some((all) => all.length > 0)) this.tell(changes);
  }

  private async read(): Promise<Map<string, Session>> {
    const { listConnections, keys } = this.needs;
    const { connections } = listConnections();
    const signed = connections.filter(({ authentication }) => authentication === 'signIn');
    const sessions = new Map<string, Session>();
    for (const origin of new Set(signed.map((one) => one.origin))) {
      const own = signed.filter((one) => one.origin === origin);
      const accessToken = await keys.get(origin);
      if (accessToken === undefined) continue;
      const label = nameList(own.map(({ name }) => plainText(name, 60)));
      const scopes = own.map(({ baseUrl }) => baseUrl);
      sessions.set(origin, { id: origin, accessToken, account: { id: origin, label }, scopes });
    }
    return sessions;
  }
}
