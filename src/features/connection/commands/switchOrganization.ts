import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clientOf } from '../../../core/session/session';
import { askOrganization, organizationsAt } from '../../../editor/asking/askSignIn';
import { entriesWith } from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import { updateConnections } from '../../../editor/settings';
import { otherOrganizations } from '../../../shared/connection';
import { tellSwitched } from '../../targets/editor';
import type { SignInNeeds } from './signIn';

/** Switch Organization…: selects whose sandboxes and conversations the current connection shows, in all windows. */
export function switchOrganization(needs: Pick<SignInNeeds, 'session' | 'listConnections'>): Handler {
  return async () => {
    const { current } = needs.session;
    const client = clientOf(current);
    if (!client || !('connection' in current)) return;
    const { connection } = current;
    const organizations = await organizationsAt(client);
    if (!organizations) return;
    if (otherOrganizations(organizations, connection).length === 0) {
      void vscode.window.showInformationMessage(
        l10n.t('You have no other organization on {0}.', connection.name),
      );
      return;
    }
    const organization = await askOrganization(organizations, connection);
    if (!organization) return;
    const { connections } = needs.listConnections();
    const listed = connections.find(({ baseUrl }) => baseUrl === connection.baseUrl);
    if (!listed) {
      tellSwitched();
      return;
    }
    await updateConnections((entries) => entriesWith(entries, { ...listed, organization }));
    await needs.session.reload();
    await needs.session.verify();
  };
}
