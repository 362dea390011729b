import type { McpServer } from '../../../shared/mcp';
import type { Problem } from '../shared/messages';
import { serverProblems } from '../shared/serverRules';
import { isUnreadable, notANumber } from './numbers';
import { heldServer, type McpRow } from './rows';

/** `quiet` marks missing values, so that a new server isn't full of errors before anything is typed. */
export interface FoundProblem extends Problem {
  quiet: boolean;
}

/** Problems with the user's changes to the servers. */
export function rowProblems(base: readonly McpServer[], rows: readonly McpRow[]): FoundProblem[] {
  const wanted = rows.filter(({ deleted }) => !deleted);
  const servers = wanted.map(({ server }) => server);
  return wanted.flatMap(({ server, timeoutText }) => {
    const before = heldServer(base, server.id);
    const found = serverProblems(server, before, servers);
    const isUnread = server.kind === 'shttp' && isUnreadable(timeoutText);
    const unread = isUnread ? [{ member: 'timeout', message: notANumber(), isMissing: false }] : [];
    return [...found.filter(({ member }) => !isUnread || member !== 'timeout'), ...unread].map(
      ({ member, message, isMissing }) => ({
        target: { at: 'mcp', id: server.id, member },
        message,
        quiet: isMissing,
      }),
    );
  });
}
