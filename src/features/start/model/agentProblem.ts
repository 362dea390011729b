import * as l10n from '@vscode/l10n';
import type { AgentServerCalls, ProfileCheck } from '../../../api/service/agentServerStart';
import type { JsonMembers } from '../../../shared/json';
import { plainText } from '../../../shared/plainText';
import { Refusal } from '../../../core/basics/refusal';

/** Why an agent profile can’t work, in a sentence; undefined if nothing is known to be wrong. */
export function agentProblem(
  name: string,
  { isValid, errors, hasModel, missingServers }: ProfileCheck,
): string | undefined {
  const shown = plainText(name, 80);
  if (!hasModel) return l10n.t('The agent “{0}” names a model profile that the server doesn’t have.', shown);
  if (isValid) return undefined;
  if (missingServers.length > 0)
    return l10n.t(
      'The agent “{0}” names MCP servers that the server doesn’t have: {1}.',
      shown,
      plainText(missingServers.join(', '), 200),
    );
  return l10n.t(
    'The server says that the agent “{0}” can’t work: {1}',
    shown,
    plainText(errors.join('; '), 300),
  );
}

/** Changes members of an agent profile; the others stay. Throws `Refusal` if the server didn’t keep the change. */
export async function changeAgent(
  server: Pick<AgentServerCalls, 'changeAgentProfile'>,
  name: string,
  change: JsonMembers,
): Promise<void> {
  if (!(await server.changeAgentProfile(name, change)))
    throw new Refusal(
      l10n.t('The server didn’t keep the change, or another client has changed the profile since.'),
    );
}
