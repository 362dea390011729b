import * as l10n from '@vscode/l10n';
import { commandIds, type CommandId } from '../../../ids';
import { confirmed } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import type { CommandDependencies } from '../../dependencies';

type Needs = Pick<CommandDependencies, 'session' | 'activeConnection' | 'listConnections'>;

/**
 * Opens the conversation that a link names. Asks before the window switches to another connection.
 *
 * @param connect asks whether to connect to an address, and connects
 */
export async function followLink(
  { session, activeConnection, listConnections }: Needs,
  { baseUrl, id }: { baseUrl: string; id: string },
  run: (command: CommandId, args: unknown[]) => Promise<void>,
  connect: (baseUrl: string) => Promise<void>,
): Promise<void> {
  // Also without a key: the command then says that the window isn’t connected.
  const isHere = ({ current } = session) => 'connection' in current && current.connection.baseUrl === baseUrl;
  if (!isHere()) {
    const connection = listConnections().connections.find((one) => one.baseUrl === baseUrl);
    if (!connection) await connect(baseUrl);
    else {
      const name = plainText(connection.name, 80);
      const agreed = await confirmed(
        l10n.t('Switch to {0}?', name),
        l10n.t(
          'The link leads to a conversation on {0} ({1}). This window is on another connection.',
          name,
          baseUrl,
        ),
        l10n.t('Switch'),
      );
      if (!agreed) return;
      await activeConnection.choose(connection);
      await session.reload();
    }
  }
  if (isHere()) await run(commandIds.conversationShow, [{ ref: { kind: 'conversation', id } }]);
}
