import type * as vscode from 'vscode';
import type { Accounts } from '../features/connection/commands/accounts';
import type { SignInNeeds } from '../features/connection/commands/signIn';
import { stateIds } from '../ids';
import { lazily } from '../lazily';

/** Tells the editor how its accounts have changed. */
export type AccountsChanged =
  vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>;

/** The accounts of the editor: loaded once the user has signed in somewhere, and told to it when they change. */
export function composeAccounts(
  memento: vscode.Memento,
  changed: AccountsChanged,
  needs: SignInNeeds,
): { accounts: () => Promise<Accounts>; followAccounts: () => void } {
  const accounts = lazily(async () => {
    const { Accounts } = await import('../features/connection/commands/accounts');
    return new Accounts(needs, (changes) => changed.fire(changes));
  });
  const followAccounts = () => {
    const { connections } = needs.listConnections();
    const isSignedIn = connections.some(({ authentication }) => authentication === 'signIn');
    if (!isSignedIn && memento.get(stateIds.signedIn) !== true) return;
    void memento.update(stateIds.signedIn, isSignedIn);
    void accounts().then((all) => all.refresh());
  };
  return { accounts, followAccounts };
}
