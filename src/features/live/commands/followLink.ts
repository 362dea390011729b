import * as l10n from '@vscode/l10n';
import { commandIds, type CommandId } from '../../../ids';
import { isOnService, switchTo, type SwitchNeeds } from '../../targets/editor';

/**
 * Opens the conversation that a link names. Asks before the window switches to another connection.
 *
 * @param connect asks whether to connect to an address, and connects
 */
export async function followLink(
  needs: SwitchNeeds,
  { baseUrl, id }: { baseUrl: string; id: string },
  run: (command: CommandId, args: unknown[]) => Promise<void>,
  connect: (baseUrl: string) => Promise<void>,
): Promise<void> {
  // Also without a key: the command then says that the window isn’t connected.
  if (!isOnService(needs, baseUrl)) {
    const isKnown = needs.listConnections().connections.some((one) => one.baseUrl === baseUrl);
    if (!isKnown) await connect(baseUrl);
    else
      await switchTo(needs, baseUrl, (name) =>
        l10n.t(
          'The link leads to a conversation on {0} ({1}). This window is on another connection.',
          name,
          baseUrl,
        ),
      );
  }
  if (isOnService(needs, baseUrl))
    await run(commandIds.conversationShow, [{ ref: { kind: 'conversation', id } }]);
}
