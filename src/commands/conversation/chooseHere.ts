import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../api/client';
import { chooseAt, type Chosen } from '../../state/chooseAt';
import type { SessionStore } from '../../state/session';

/** Lets the user choose; when the connection was switched meanwhile, tells them so and gives nothing back. */
export async function chooseHere<T>(
  session: SessionStore,
  choose: (client: ApiClient) => Promise<T | undefined>,
): Promise<Chosen<T> | undefined> {
  const answer = await chooseAt(session, choose);
  if (answer !== 'switched') return answer;
  void vscode.window.showInformationMessage(
    l10n.t('The connection was switched meanwhile, so nothing was done. Choose again.'),
  );
  return undefined;
}
